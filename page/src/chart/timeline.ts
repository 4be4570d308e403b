import { phasePeriod } from "../../../src/supply/allocations.ts";
import { rows } from "../../../src/supply/circulating.ts";
import type { Bucket, Schedule } from "../../../src/supply/schedule.ts";

/** One step of the schedule: the circulating amounts from it on, and the change. Amounts are base units. */
export interface Step {
  readonly atSeconds: number;
  readonly total: bigint;
  readonly change: bigint;
  /** In the order of the timeline's bands. */
  readonly amounts: readonly bigint[];
  readonly changes: readonly bigint[];
  /** What the schedule's phases begin or complete here: `Investors: cliff`. */
  readonly marks: readonly string[];
}

/** The schedule as the chart draws it. */
export interface Timeline {
  readonly symbol: string;
  readonly decimals: number;
  readonly maximum: bigint;
  readonly bands: readonly { readonly id: string; readonly label: string }[];
  /** Ascending; at least one. */
  readonly steps: readonly Step[];
}

/** The number of colours. Of more buckets the smallest share the last band. */
export const MAX_BANDS = 8;
const OTHERS = "others";

/** The schedule in the order of time. A network that publishes only totals has one band, `circulating`. */
export function timelineOf(schedule: Schedule): Timeline {
  const { token, maxSupply, plan } = schedule;
  const groups = plan.kind === "buckets" ? bandsOf(plan.buckets) : [];
  const bands =
    groups.length > 0
      ? groups.map(({ id, label }) => ({ id, label }))
      : [{ id: "circulating", label: "Circulating supply" }];
  const marks = marksOf(schedule);
  const steps: Step[] = [];
  for (const { effectiveFromMs, circulating, buckets } of rows(schedule)) {
    const before = steps.at(-1);
    const amounts =
      groups.length === 0
        ? [circulating]
        : groups.map(({ members }) =>
            buckets.reduce((sum, one) => (members.has(one.id) ? sum + one.circulating : sum), 0n),
          );
    steps.push({
      atSeconds: effectiveFromMs / 1_000,
      total: circulating,
      change: circulating - (before?.total ?? 0n),
      amounts,
      changes: amounts.map((amount, band) => amount - (before?.amounts[band] ?? 0n)),
      // What begins or ends between two steps takes effect at the second.
      marks: marks
        .filter(({ atMs }) => atMs <= effectiveFromMs && (before === undefined || atMs > before.atSeconds * 1_000))
        .map(({ text }) => text),
    });
  }
  return { symbol: token.symbol, decimals: token.decimals, maximum: maxSupply, bands, steps };
}

function bandsOf(buckets: readonly Bucket[]) {
  const bySize = [...buckets].sort((one, other) => Number(other.allocation - one.allocation));
  const own = buckets.length <= MAX_BANDS ? buckets : bySize.slice(0, MAX_BANDS - 1);
  const named = buckets
    .filter((bucket) => own.includes(bucket))
    .map(({ id, label }) => ({ id, label, members: new Set([id]) }));
  const rest = buckets.filter((bucket) => !own.includes(bucket));
  if (rest.length === 0) return named;
  return [...named, { id: OTHERS, label: `${rest.length} other buckets`, members: new Set(rest.map(({ id }) => id)) }];
}

/** Cliffs, and where a bucket's unlocks begin, change their pace and end, as the schedule's phases state it. */
function marksOf({ plan, calendar }: Schedule): { readonly atMs: number; readonly text: string }[] {
  if (plan.kind === "table") return [];
  return plan.buckets.flatMap(({ label, genesis, phases }) => {
    const dated = phases
      .flatMap((phase) => {
        const period = phasePeriod(phase, calendar);
        return period === undefined ? [] : [{ kind: phase.kind, fromMs: period[0], toMs: period[1] }];
      })
      .sort((one, other) => one.fromMs - other.fromMs);
    const starts = dated.flatMap(({ kind, fromMs }, index) => {
      if (kind === "cliff") return [{ atMs: fromMs, text: `${label}: cliff` }];
      if (index > 0) return [{ atMs: fromMs, text: `${label}: the pace changes` }];
      return genesis === 0n ? [{ atMs: fromMs, text: `${label}: unlocks begin` }] : [];
    });
    const end = { atMs: Math.max(...dated.map(({ toMs }) => toMs)), text: `${label}: last unlock` };
    return dated.length === 0 ? [] : [...starts, end];
  });
}

/** The band that shows a bucket: its own, or the last one. */
export function bandOf({ bands }: Timeline, bucketId: string): number {
  const own = bands.findIndex(({ id }) => id === bucketId);
  return own === -1 ? bands.length - 1 : own;
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(steps: readonly Pick<Step, "atSeconds">[], instantSeconds: number): number {
  return steps.findLastIndex(({ atSeconds }) => atSeconds <= instantSeconds);
}
