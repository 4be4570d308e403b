import type { BaseUnits } from "../../chain/amount.ts";
import type { Holding } from "../../chain/holding.ts";
import { type Bucket, bucketsOf, type Phase, type UnlockSchedule } from "../schedule.ts";

/** One document of a schedule, and how long it is at most. */
export interface DocumentSize {
  readonly path: string;
  readonly bytes: number;
}

/** What is written around the texts and amounts of one element: names of members, dates, percentages. */
const FRAME = { row: 200, cell: 8, bucket: 700, phase: 260, holding: 180, document: 2_000 };

/**
 * The longest of the documents that an isolate writes of a schedule: computed from counts, because one that is too long
 * takes as long to write. An upper bound of every format of it, at most twice the truth where the truth is long.
 */
export function largestDocument(schedule: UnlockSchedule): DocumentSize {
  const buckets = bucketsOf(schedule);
  const steps = schedule.lastIndex + 1;
  const { maxSupply, token, sources, adjustments, wallets } = schedule;
  const amount = amountBytes(maxSupply, token.decimals);
  const symbol = bytesOf(token.symbol);
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, each) => all + each, FRAME.document);
  const parts = buckets.map((bucket) => partsOf(bucket, steps) * partBytes(bucket, symbol, amount));
  const changes = adjustments.map(({ bucket, source }) => {
    const changed = buckets.find(({ id }) => id === bucket);
    return bytesOf(source) + (changed === undefined ? 0 : partBytes(changed, symbol, amount));
  });
  const event = Math.max(200 + 5 * amount, 350 + 9 * symbol + 2 * amount + bytesOf(linkOf(schedule)));
  const cells = buckets.reduce((all, { id }) => all + FRAME.cell + bytesOf(id) + amount, 0);
  const terms = buckets.map(
    ({ id, label, source = "", phases, addresses }) =>
      FRAME.bucket +
      bytesOf(id + label + source) +
      10 * amount +
      phases.length * (FRAME.phase + 2 * amount) +
      holdingBytes(addresses),
  );
  const titles = sources.map(({ title, url }) => bytesOf(title) + bytesOf(url) + FRAME.cell);
  const documents: readonly DocumentSize[] = [
    { path: "/api/unlock-events", bytes: sum([steps * event, ...parts, ...changes]) },
    { path: "/api/unlock-schedule", bytes: sum([steps * (FRAME.row + symbol + 2 * amount + cells), ...titles]) },
    { path: "/api/allocations", bytes: sum([...terms, holdingBytes(wallets), ...titles]) },
  ];
  return documents.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/** One bucket's part of an event, in the longest of its formats: JSON, CSV, a calendar, which escapes and folds. */
function partBytes({ id, label }: Bucket, symbol: number, amount: number): number {
  const names = bytesOf(id) + bytesOf(label);
  return Math.max(
    155 + names + 2 * amount,
    75 + names + symbol + 4 * amount,
    40 + 2.1 * (bytesOf(label) + symbol) + amount,
  );
}

/** The address in each event of the calendar. */
function linkOf({ methodology, sources }: UnlockSchedule): string {
  return methodology ?? sources[0]?.url ?? "";
}

/** Each phase is a part of the event of each step at which it unlocks; what circulates from the start is one more. */
function partsOf({ phases }: Bucket, steps: number): number {
  return phases.reduce((all, phase) => all + Math.min(steps, unlocksOf(phase)), 1);
}

function unlocksOf(phase: Phase): number {
  switch (phase.kind) {
    case "never":
      return 0;
    case "cliff":
      return 1;
    case "monthly":
    case "daily":
      return phase.count;
    case "linear":
      return Number.POSITIVE_INFINITY;
  }
}

function holdingBytes(holdings: readonly Holding[]): number {
  return holdings.reduce((all, each) => all + FRAME.holding + bytesOf(JSON.stringify(each)), 0);
}

/** As JSON and as CSV have it. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** With a sign and a point. */
function amountBytes(maximum: BaseUnits, decimals: number): number {
  return Math.max(String(maximum).length, decimals + 1) + 2;
}
