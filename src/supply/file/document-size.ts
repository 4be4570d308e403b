import type { BaseUnits } from "../../chain/amount.ts";
import type { Holding } from "../../chain/holding.ts";
import { type Bucket, bucketsOf, type Phase, type UnlockSchedule } from "../schedule.ts";

/** A document of a schedule, with an upper bound of its size. */
export interface DocumentSize {
  readonly path: string;
  readonly bytes: number;
}

/** Bytes around the texts and amounts of one element: member names, dates, percentages. */
const FRAME_BYTES = { row: 200, cell: 8, bucket: 700, phase: 260, holding: 180, document: 2_000 };

/**
 * Finds the longest document that an isolate writes of a schedule. Its size is computed from counts, because writing a
 * document that is too long would take too long. The size is an upper bound for every format, at most twice the truth
 * for long documents.
 */
export function largestDocument(schedule: UnlockSchedule): DocumentSize {
  const buckets = bucketsOf(schedule);
  const steps = schedule.lastIndex + 1;
  const { maxSupply, token, sources, adjustments, wallets } = schedule;
  const amount = amountBytes(maxSupply, token.decimals);
  const symbol = bytesOf(token.symbol);
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, each) => all + each, FRAME_BYTES.document);
  const parts = buckets.map((bucket) => partsOf(bucket, steps) * partBytes(bucket, symbol, amount));
  const changes = adjustments.map(({ bucket, source }) => {
    const changed = buckets.find(({ id }) => id === bucket);
    return bytesOf(source) + (changed === undefined ? 0 : partBytes(changed, symbol, amount));
  });
  const event = Math.max(200 + 5 * amount, 350 + 9 * symbol + 2 * amount + bytesOf(linkOf(schedule)));
  const cells = buckets.reduce((all, { id }) => all + FRAME_BYTES.cell + bytesOf(id) + amount, 0);
  const terms = buckets.map(
    ({ id, label, source = "", phases, addresses }) =>
      FRAME_BYTES.bucket +
      bytesOf(id + label + source) +
      10 * amount +
      phases.length * (FRAME_BYTES.phase + 2 * amount) +
      holdingBytes(addresses),
  );
  const titles = sources.map(({ title, url }) => bytesOf(title) + bytesOf(url) + FRAME_BYTES.cell);
  const documents: readonly DocumentSize[] = [
    { path: "/api/unlock-events", bytes: sum([steps * event, ...parts, ...changes]) },
    { path: "/api/unlock-schedule", bytes: sum([steps * (FRAME_BYTES.row + symbol + 2 * amount + cells), ...titles]) },
    { path: "/api/allocations", bytes: sum([...terms, holdingBytes(wallets), ...titles]) },
  ];
  return documents.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/**
 * Bytes of one bucket's part of an event in the longest of its formats: JSON, CSV, or a calendar, which escapes and
 * folds.
 */
function partBytes({ id, label }: Bucket, symbol: number, amount: number): number {
  const names = bytesOf(id) + bytesOf(label);
  return Math.max(
    155 + names + 2 * amount,
    75 + names + symbol + 4 * amount,
    40 + 2.1 * (bytesOf(label) + symbol) + amount,
  );
}

/** Returns the URL in each event of the calendar. */
function linkOf({ methodology, sources }: UnlockSchedule): string {
  return methodology ?? sources[0]?.url ?? "";
}

/**
 * Counts a bucket's parts of events: one for each step at which a phase unlocks, and one for what circulates from the
 * start.
 */
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
  return holdings.reduce((all, each) => all + FRAME_BYTES.holding + bytesOf(JSON.stringify(each)), 0);
}

/** Counts the bytes of a text as JSON and CSV write it. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

/** Counts the bytes of the longest amount, with a sign and a point. */
function amountBytes(maximum: BaseUnits, decimals: number): number {
  return Math.max(String(maximum).length, decimals + 1) + 2;
}
