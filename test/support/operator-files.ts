import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Settings that a deployment requires, beside {@link SECRETS}. */
export const UPSTREAMS = ["--var", "RATES_URL:https://rates.example/pools", "--var", "CHAIN_ID:4"];
/** Secret that a deployment requires. */
export const SECRETS = { NODE_URLS: "https://node.example/v1" };

/** Kinds of wallets, for the buckets in turn. */
const KINDS = ["account", "stake_pool", "vesting"] as const;

export interface OperatorFile {
  readonly token: { readonly decimals: number; readonly symbol: string; readonly name: string };
  readonly buckets?: readonly object[];
  readonly table?: readonly { readonly month: string; readonly circulating: string }[];
}

/** Reads the schedule of an example of the checkout. */
export function exampleSchedule(folder: string, example: string): OperatorFile {
  return JSON.parse(readFileSync(join(folder, "schedule", "examples", `${example}.json`), "utf8"));
}

/**
 * Replaces the sample schedule: one line without a newline at its end, because formatters ignore an operator's file.
 */
export function writeSchedule(folder: string, schedule: OperatorFile): void {
  const path = join(folder, "schedule", "native.json");
  writeFileSync(path, JSON.stringify({ ...schedule, $schema: "./schema.json" }));
}

/**
 * Gives every bucket a wallet on this chain. A schedule with more than 12 decimals stays as it is: 64-bit balances of
 * this chain family are too small.
 */
export function withWallets(schedule: OperatorFile): OperatorFile {
  if (schedule.buckets === undefined || schedule.token.decimals > 12) return schedule;
  const buckets = schedule.buckets.map((bucket, index) => {
    const holds = KINDS[index % KINDS.length];
    return { ...bucket, addresses: [{ chain: "native", address: `0xaa${index}`, label: "Vault", holds }] };
  });
  return { ...schedule, buckets };
}

/** Removes the decimals from a table's figures. */
export function withWholeTokens(schedule: OperatorFile): OperatorFile {
  const table = (schedule.table ?? []).map((row) => ({ ...row, circulating: row.circulating.split(".")[0] ?? "" }));
  return { ...schedule, table };
}

/**
 * Writes a brand with a logo that has no title, and a light background: the linter and the tests do not check these.
 */
export function writeBrand(folder: string, more: object = {}): void {
  const path = join(folder, "page", "brand.json");
  const brand = JSON.parse(readFileSync(path, "utf8"));
  const light = { ...brand.colors.light, background: "#fffdf5" };
  const own = { ...brand, name: "Own", logo: "/own.svg", colors: { ...brand.colors, light }, ...more };
  writeFileSync(path, JSON.stringify(own));
  const circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" fill="#a30"/></svg>';
  writeFileSync(join(folder, "page", "public", "own.svg"), circle);
}

/** Settings that the documentation suggests to an operator, for `npm start` and deployments. */
const OWN = { RATE_LIMIT_DEFAULT: "600/60", NODE_GATEWAY: "off", HOME_REGION: "weur", METRICS_SAMPLE_RATE: "0.5" };

/** Writes `wrangler.toml` with an operator's own names, settings, plan and addresses. */
export function operatorSettings(text: string): string {
  const [local = "", ...environments] = text
    .replace(/^name = "edge-api/gm, 'name = "figures-of-plain')
    .split(/^(?=\[env\.)/m);
  const upstreams = { RATES_URL: "https://rates.example.org/pools", CHAIN_ID: "9" };
  const deployed = withSettings(environments.join(""), { ...OWN, ...upstreams, PLAN: "free" }).replace(
    /^workers_dev = false$/m,
    'workers_dev = true\nroutes = [{ pattern = "figures.example.org", custom_domain = true }]',
  );
  // The local section keeps the embedded node's chain, without network.
  return withSettings(local, { ...OWN, RATES_URL: "none", CHAIN_ID: "4" }) + deployed;
}

/** Writes `wrangler.toml` with these settings in each of its sections. */
export function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = "${value}"\n`);
  const others = text.replace(new RegExp(`^(${Object.keys(settings).join("|")}) = .*\n`, "gm"), "");
  return others.replace(/^\[(env\.\w+\.)?vars\]\n/gm, (header) => header + lines.join(""));
}
