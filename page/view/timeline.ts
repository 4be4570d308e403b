import { allSteps } from "../../src/supply/circulating.ts";
import type { Bucket, UnlockSchedule } from "../../src/supply/schedule.ts";

/** Step of the schedule: the circulating amounts from then on, and their changes. Amounts are base units. */
export interface Step {
  readonly atSeconds: number;
  readonly total: bigint;
  readonly change: bigint;
  /** Amounts in the order of the timeline's bands. */
  readonly amounts: readonly bigint[];
  readonly changes: readonly bigint[];
  /** Cliffs that take effect here, such as `Investors: cliff`. */
  readonly cliffs: readonly string[];
}

export interface Band {
  readonly id: string;
  readonly label: string;
  /** Colour as a custom property of the page or the embed. */
  readonly color: string;
}

/** UnlockSchedule as the chart draws it. */
export interface Timeline {
  readonly symbol: string;
  readonly decimals: number;
  readonly maximum: bigint;
  readonly bands: readonly Band[];
  /** Steps in ascending order; at least one. */
  readonly steps: readonly Step[];
}

/** Most bands, one per colour. With more buckets, the smallest share the last band. */
export const MAX_BANDS = 8;
const OTHERS = "others";

/** Makes the chart's timeline of a schedule. A network that publishes only totals has one band, `circulating`. */
export function timelineOf(schedule: UnlockSchedule): Timeline {
  const { token, maxSupply, plan } = schedule;
  const groups = plan.kind === "buckets" ? bandsOf(plan.buckets) : [];
  const bands = (groups.length > 0 ? groups : [{ id: "circulating", label: "Circulating supply" }]).map(
    ({ id, label }, band) => ({ id, label, color: id === OTHERS ? "var(--muted)" : `var(--series-${band})` }),
  );
  const cliffs = (plan.kind === "buckets" ? plan.buckets : []).flatMap(({ label, phases }) =>
    phases.flatMap((phase) => (phase.kind === "cliff" ? [{ index: phase.month, text: `${label}: cliff` }] : [])),
  );
  const steps: Step[] = [];
  for (const { index, effectiveFromMs, circulating, buckets } of allSteps(schedule)) {
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
      cliffs: cliffs.flatMap((cliff) => (cliff.index === index ? [cliff.text] : [])),
    });
  }
  return { symbol: token.symbol, decimals: token.decimals, maximum: maxSupply, bands, steps };
}

function bandsOf(buckets: readonly Bucket[]) {
  const bySize = [...buckets].sort((one, other) => Number(other.allocation - one.allocation));
  const largest = buckets.length <= MAX_BANDS ? buckets : bySize.slice(0, MAX_BANDS - 1);
  const named = buckets
    .filter((bucket) => largest.includes(bucket))
    .map(({ id, label }) => ({ id, label, members: new Set([id]) }));
  const rest = buckets.filter((bucket) => !largest.includes(bucket));
  if (rest.length === 0) return named;
  return [
    ...named,
    { id: OTHERS, label: `${rest.length} other allocations`, members: new Set(rest.map(({ id }) => id)) },
  ];
}

/** Colour of a bucket: that of its own band, or of the band that the smallest share. */
export function colorOf({ bands }: Timeline, bucketId: string): string {
  return (bands.find(({ id }) => id === bucketId) ?? bands.at(-1))?.color ?? "";
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(steps: readonly Pick<Step, "atSeconds">[], instantSeconds: number): number {
  return steps.findLastIndex(({ atSeconds }) => atSeconds <= instantSeconds);
}
