import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The settings that a deployment requires, beside {@link SECRETS}. */
export const UPSTREAMS = ["--var", "RATES_URL:https://rates.example/pools", "--var", "CHAIN_ID:4"];
/** The secret that a deployment requires. */
export const SECRETS = { NODE_URLS: "https://node.example/v1" };

/** A kind of wallet for each bucket in turn. */
const KINDS = ["account", "stake_pool", "vesting"] as const;

export interface OperatorFile {
  readonly token: { readonly decimals: number; readonly symbol: string; readonly name: string };
  readonly buckets?: readonly object[];
  readonly table?: readonly { readonly month: string; readonly circulating: string }[];
}

/** The schedule of an example of the checkout. */
export function exampleSchedule(folder: string, example: string): OperatorFile {
  return JSON.parse(readFileSync(join(folder, "schedule", "examples", `${example}.json`), "utf8"));
}

/** Replaces the sample: one line, no newline at the end, because formatters ignore an operator's file. */
export function writeSchedule(folder: string, schedule: OperatorFile): void {
  const path = join(folder, "schedule", "native.json");
  writeFileSync(path, JSON.stringify({ ...schedule, $schema: "./schema.json" }));
}

/**
 * The schedule with a wallet on this chain for every bucket. Not for 18 decimals: no balance of this family of chains
 * holds 19 whole tokens of them.
 */
export function withWallets(schedule: OperatorFile): OperatorFile {
  if (schedule.buckets === undefined || schedule.token.decimals > 12) return schedule;
  const buckets = schedule.buckets.map((bucket, index) => {
    const holds = KINDS[index % KINDS.length];
    return { ...bucket, addresses: [{ chain: "native", address: `0xaa${index}`, label: "Vault", holds }] };
  });
  return { ...schedule, buckets };
}

/** The table with figures of any number of decimals. */
export function withWholeTokens(schedule: OperatorFile): OperatorFile {
  const table = (schedule.table ?? []).map((row) => ({ ...row, circulating: row.circulating.split(".")[0] ?? "" }));
  return { ...schedule, table };
}

/** A logo without a title and a light background of its own: the linter and the tests are not about them. */
export function writeBrand(folder: string, more: object = {}): void {
  const path = join(folder, "page", "brand.json");
  const brand = JSON.parse(readFileSync(path, "utf8"));
  const light = { ...brand.colors.light, background: "#fffdf5" };
  const own = { ...brand, name: "Own", logo: "/own.svg", colors: { ...brand.colors, light }, ...more };
  writeFileSync(path, JSON.stringify(own));
  const circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" fill="#a30"/></svg>';
  writeFileSync(join(folder, "page", "public", "own.svg"), circle);
}

/** What the documentation invites an operator to set, for `npm start` as for a deployment. */
const OWN = { RATE_LIMIT_DEFAULT: "600/60", NODE_GATEWAY: "off", HOME_REGION: "weur", METRICS_SAMPLE_RATE: "0.5" };

/** `wrangler.toml` with names, settings, a plan and addresses of an operator's own. */
export function operatorSettings(text: string): string {
  const [local = "", ...environments] = text
    .replace(/^name = "edge-api/gm, 'name = "figures-of-plain')
    .split(/^(?=\[env\.)/m);
  const upstreams = { RATES_URL: "https://rates.example.org/pools", CHAIN_ID: "9" };
  const deployed = withSettings(environments.join(""), { ...OWN, ...upstreams, PLAN: "free" }).replace(
    /^workers_dev = false$/m,
    'workers_dev = true\nroutes = [{ pattern = "figures.example.org", custom_domain = true }]',
  );
  // The embedded node's chain, and no network.
  return withSettings(local, { ...OWN, RATES_URL: "none", CHAIN_ID: "4" }) + deployed;
}

/** `wrangler.toml` with these settings in each of its sections. */
export function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = "${value}"\n`);
  const others = text.replace(new RegExp(`^(${Object.keys(settings).join("|")}) = .*\n`, "gm"), "");
  return others.replace(/^\[(env\.\w+\.)?vars\]\n/gm, (header) => header + lines.join(""));
}
