import { type Calendar, stepIndexAt } from "../../src/supply/calendar.ts";
import type { Token } from "../../src/supply/schedule.ts";
import type { UnlockEvent } from "../../src/supply/unlock-events.ts";
import { cliffStep } from "./cliffs.ts";
import { compactOf, dayOf, longMonthOf, ordinal } from "./format.ts";

/** Fewest equal months that are summarized. */
const MIN_RUN = 3;
const MAX_RUNS = 3;

/** Bucket with its part of an unlock. */
export interface Recipient {
  readonly id: string;
  readonly label: string;
  readonly amount: bigint;
  readonly isCliff: boolean;
}

/**
 * Lists the recipients of an unlock, the largest amount first. Tokens that circulate from the start are a launch, not a
 * cliff.
 */
export function recipientsOf(event: UnlockEvent, calendar: Calendar): readonly Recipient[] {
  const { atMs, parts, amount, cumulative } = event;
  const index = stepIndexAt(calendar, atMs);
  const recipients = new Map<string, Recipient>();
  for (const { bucket, amount: part } of parts) {
    const before = recipients.get(bucket.id);
    recipients.set(bucket.id, {
      id: bucket.id,
      label: bucket.label,
      amount: (before?.amount ?? 0n) + part,
      isCliff: cumulative !== amount && bucket.phases.some((phase) => cliffStep(phase, calendar) === index),
    });
  }
  return [...recipients.values()].sort((one, other) =>
    one.amount === other.amount ? 0 : one.amount > other.amount ? -1 : 1,
  );
}

/**
 * Summarizes equal consecutive months, as in `4.54M on the 12th of each month until October 2032.`. Amounts are equal
 * if they read the same. The first month is named unless it is the next one.
 */
export function repeatedUnlocksText(
  next: readonly UnlockEvent[],
  { decimals, symbol }: Pick<Token, "decimals" | "symbol">,
  nowMs: number,
): string {
  const runs: UnlockEvent[][] = [];
  for (const event of next) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (
      last !== undefined &&
      monthNumber(event.atMs) === monthNumber(last.atMs) + 1 &&
      compactOf(last.amount, decimals) === compactOf(event.amount, decimals)
    )
      run?.push(event);
    else runs.push([event]);
  }
  if (!runs.slice(0, MAX_RUNS).some(({ length }) => length >= MIN_RUN)) return "";
  const parts = runs.slice(0, MAX_RUNS).flatMap((run, index) => {
    const [from, to] = [run[0], run.at(-1)];
    if (from === undefined || to === undefined) return [];
    const amount = compactOf(from.amount, decimals);
    if (run.length < MIN_RUN) return run.map(({ atMs }) => `${amount} on ${dayOf(atMs)}`);
    const isNext = monthNumber(from.atMs) <= monthNumber(runs[index - 1]?.at(-1)?.atMs ?? nowMs) + 1;
    const since = isNext ? "" : ` from ${longMonthOf(from.atMs)}`;
    const day = ordinal(new Date(from.atMs).getUTCDate());
    return [`${amount} on the ${day} of each month${since} until ${longMonthOf(to.atMs)}`];
  });
  const [first = "", ...others] = parts;
  return `${[first.replace(" on", ` ${symbol} on`), ...others].join(", then ")}${runs.length > MAX_RUNS ? ", then other amounts" : ""}.`;
}

/** Number of a month, counted through the years. */
function monthNumber(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
