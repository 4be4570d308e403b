import { type Environment, SettingsReader } from "../src/base/settings.ts";
import { parseConfig } from "../src/config.ts";
import type { TokenChain } from "../src/families/token-chain.ts";
import { readWranglerFile } from "./wrangler-file.ts";

/** Secrets: settings that are given to a deployment separately and never printed. */
export const SECRETS: readonly string[] = [
  "NODE_URLS",
  "NODE_API_KEY",
  "ALERT_WEBHOOK",
  "HEARTBEAT_URL",
  "LIMITER_SALT",
];

/** Whether a setting is a secret, further chains' nodes and keys included. */
export function isSecret(name: string): boolean {
  return SECRETS.includes(name) || /^NODE_(URLS|API_KEY)_\w+$/.test(name);
}

/** Returns production's settings with the secrets of the environment, as a deployment uses them. */
export function productionSettings(): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, text]) => (text && isSecret(name) ? [[name, text]] : [])),
  );
  return { ...readWranglerFile().env?.["production"]?.vars, ...given };
}

/** Settings of the edge with the defaults that src/config.ts gives them where nodes are configured. */
export const edgeDefaults = (chains: readonly TokenChain[] = []): Readonly<Record<string, string>> =>
  defaultsIn((env, read) => parseConfig(env, chains, read), { NODE_URLS: "https://node.example/v1" });

/** Returns the settings that a parser reads, each with its default. */
export function defaultsIn(parse: (env: Environment, read: SettingsReader) => unknown, env: Environment) {
  const read = new SettingsReader(env);
  parse(env, read);
  return Object.fromEntries(read.defaults);
}
