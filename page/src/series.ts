import type { UnlockSchedule } from "./api.ts";

/** The schedule as a chart draws it: one column per step, buckets stacked from the bottom up. Display only: floats. */
export interface StackedSeries {
  /** Seconds since the epoch, ascending. */
  readonly atSeconds: readonly number[];
  readonly buckets: readonly {
    readonly id: string;
    readonly tops: readonly number[];
    readonly tokens: readonly number[];
  }[];
}

/** Whole tokens of each bucket at each step, and the running tops of the stack. */
export function stackedSeries(schedule: UnlockSchedule): StackedSeries {
  const unit = 10 ** schedule.token.decimals;
  const ids = Object.keys(schedule.rows[0]?.buckets ?? {});
  const tops = schedule.rows.map(() => 0);
  const buckets = ids.map((id) => {
    const tokens = schedule.rows.map(({ buckets: row }) => Number(row[id] ?? "0") / unit);
    for (const [index, amount] of tokens.entries()) tops[index] = (tops[index] ?? 0) + amount;
    return { id, tokens, tops: [...tops] };
  });
  const atSeconds = schedule.rows.map(({ effective_from }) => Date.parse(effective_from) / 1000);
  return { atSeconds, buckets: buckets.length > 0 ? buckets : [circulatingOnly(schedule)] };
}

/** A network that publishes only figures has one layer. */
function circulatingOnly({ rows }: UnlockSchedule): StackedSeries["buckets"][number] {
  const tokens = rows.map(({ circulating }) => Number(circulating.tokens));
  return { id: "circulating", tokens, tops: tokens };
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(atSeconds: readonly number[], instantSeconds: number): number {
  let index = -1;
  while (index + 1 < atSeconds.length && (atSeconds[index + 1] ?? Number.POSITIVE_INFINITY) <= instantSeconds)
    index += 1;
  return index;
}

export type RangeName = "year" | "three_years" | "all";
const YEAR_SECONDS = 365.25 * 86_400;

/** What part of the time line a range button shows, around now and inside the schedule. */
export function rangeOf(name: RangeName, atSeconds: readonly number[], nowSeconds: number): readonly [number, number] {
  const first = atSeconds[0] ?? nowSeconds;
  const last = Math.max(atSeconds.at(-1) ?? nowSeconds, first + YEAR_SECONDS / 12);
  if (name === "all") return [first, last];
  const half = (name === "year" ? 1 : 3) * (YEAR_SECONDS / 2);
  const middle = Math.min(Math.max(nowSeconds, first + half), Math.max(last - half, first + half));
  return [Math.max(first, middle - half), Math.min(last, middle + half)];
}
