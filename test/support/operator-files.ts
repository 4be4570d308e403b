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

/** `wrangler.toml` with names of an operator's own, and deployed environments with upstreams and a route. */
export function operatorSettings(text: string): string {
  const [local = "", ...environments] = text
    .replace(/^name = "edge-api/gm, 'name = "figures-of-plain')
    .split(/^(?=\[env\.)/m);
  const deployed = environments
    .join("")
    .replace(/^RATES_URL = ""/gm, 'RATES_URL = "https://rates.example.org/pools"')
    .replace(/^CHAIN_ID = ""/gm, 'CHAIN_ID = "9"')
    .replace(/^RATE_LIMIT_DEFAULT = "60\/60"/gm, 'RATE_LIMIT_DEFAULT = "600/60"')
    .replace(/^HOME_REGION = "enam"/gm, 'HOME_REGION = "weur"')
    .replace(/^workers_dev = false$/m, '$&\nroutes = [{ pattern = "figures.example.org", custom_domain = true }]');
  return local + deployed;
}
