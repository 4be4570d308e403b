import { type Environment, SettingsReader } from "../src/base/settings.ts";
import { parseConfig } from "../src/config.ts";
import type { TokenChain } from "../src/families/token-chain.ts";
import { readWranglerFile } from "./wrangler-file.ts";

/** Settings that a deployment is given apart from the others, and never prints. */
export const SECRETS: readonly string[] = [
  "NODE_URLS",
  "NODE_API_KEY",
  "ALERT_WEBHOOK",
  "HEARTBEAT_URL",
  "LIMITER_SALT",
];

/** Whether a setting is one of them, or the nodes or keys of a further chain. */
export function isSecret(name: string): boolean {
  return SECRETS.includes(name) || /^NODE_(URLS|API_KEY)_\w+$/.test(name);
}

/** Production's settings, with the secrets of the environment, as a deployment takes them. */
export function deployedSettings(): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, text]) => (text && isSecret(name) ? [[name, text]] : [])),
  );
  return { ...readWranglerFile().env?.["production"]?.vars, ...given };
}

/** Every setting of the edge with the default that src/config.ts gives it where nodes are configured. */
export const edgeDefaults = (chains: readonly TokenChain[] = []): Readonly<Record<string, string>> =>
  defaultsIn((env, read) => parseConfig(env, chains, read), { NODE_URLS: "https://node.example/v1" });

/** The settings that a parser reads, each with its default. */
export function defaultsIn(parse: (env: Environment, read: SettingsReader) => unknown, env: Environment) {
  const read = new SettingsReader(env);
  parse(env, read);
  return Object.fromEntries(read.defaults);
}
