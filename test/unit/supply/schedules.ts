import type { ChainFamily } from "../../../src/families/family.ts";
import type { Schedule, UnlockSchedule } from "../../../src/supply/schedule.ts";
import { unlockScheduleOf } from "../../../tools/schedule/files.ts";
import { parseSchedule } from "../../../tools/schedule/parse-schedule.ts";

/** A small valid file with the test's top-level changes. */
export function file(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    revision: 1,
    published_at: "2026-01-15",
    sources: [{ title: "Tokenomics", url: "https://example.org/tokenomics" }],
    token: { symbol: "XYZ", name: "Example", decimals: 8 },
    max_supply: "1000",
    start: "2025-02-13",
    step_day: 1,
    buckets: [bucket()],
    ...changes,
  };
}

export function bucket(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: "community",
    label: "Community",
    category: "community",
    allocation: "1000",
    genesis: "1000",
    phases: [],
    ...changes,
  };
}

/** One bucket that unlocks everything by one phase. */
export function onePhase(phase: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>> = {}) {
  return file({ buckets: [bucket({ genesis: "0", phases: [{ amount: "1000", ...phase }] })], ...changes });
}

/** Equal amounts, one a month unless it says otherwise. */
export function installments(amount: number, first_month: number, count: number, every_months = 1) {
  return { kind: "installments", amount: String(amount), first_month, count, every_months };
}

export function cliff(amount: number, month: number) {
  return { kind: "cliff", amount: String(amount), month };
}

type Phases = readonly { readonly kind: string; readonly amount: string }[];

/** A file of buckets with these phases, and each with this genesis; allocations and maximum are their sums. */
export function phased(buckets: Readonly<Record<string, Phases>>, genesis: number, changes: object) {
  const all = Object.entries(buckets).map(([id, phases]) => {
    const allocation = phases.reduce((sum, { amount }) => sum + Number(amount), genesis);
    return { id, label: `Bucket ${id}`, allocation: String(allocation), genesis: String(genesis), phases };
  });
  const maximum = all.reduce((sum, { allocation }) => sum + Number(allocation), 0);
  return file({ max_supply: String(maximum), buckets: all.map(bucket), ...changes });
}

/** A file with the figure of each month instead of buckets. */
export function table(...rows: readonly (readonly [month: string, circulating: unknown])[]) {
  const { buckets: _buckets, ...rest } = file();
  return { ...rest, table: rows.map(([month, circulating]) => ({ month, circulating })) };
}

/** An account on this chain, as a bucket lists it; a wallet of the file itself has a category too. */
export function wallet(address: string, changes: object = {}) {
  return { chain: "native", address, label: "Vault", holds: "account", ...changes };
}

/** An adjustment that burns one token. */
export const BURN = {
  month: "2025-03",
  bucket: "community",
  delta: "-1",
  kind: "burn",
  source: "https://example.org/burn",
};

/** For files with unlocks that are known to be valid. */
export function valid(json: unknown, family?: ChainFamily): UnlockSchedule {
  return unlockScheduleOf(validFile(json, family));
}

/** A file of wallets alone with the test's top-level changes. */
export function walletFile(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { start: _start, step_day: _day, buckets: _buckets, ...rest } = file();
  return { ...rest, wallets: [], ...changes };
}

/** For files of any kind that are known to be valid. */
export function validFile(json: unknown, family?: ChainFamily): Schedule {
  const result = parseSchedule(json, { family });
  if (result.kind === "schedule") return result.schedule;
  throw new Error(result.errors.map(({ path, message }) => `${path}: ${message}`).join("; "));
}

/** `path: message` for each error; empty for a valid file. */
export function errorsOf(json: unknown, family?: ChainFamily): string[] {
  const result = parseSchedule(json, { family });
  return result.kind === "schedule" ? [] : result.errors.map(({ path, message }) => `${path}: ${message}`);
}
