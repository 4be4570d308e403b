import { rows } from "../../src/supply/circulating.ts";
import type { Bucket, Schedule } from "../../src/supply/schedule.ts";

/** One step of the schedule: the circulating amounts from it on, and the change. Amounts are base units. */
export interface Step {
  readonly atSeconds: number;
  readonly total: bigint;
  readonly change: bigint;
  /** In the order of the timeline's bands. */
  readonly amounts: readonly bigint[];
  readonly changes: readonly bigint[];
  /** The cliffs that take effect here: `Investors: cliff`. */
  readonly cliffs: readonly string[];
}

export interface Band {
  readonly id: string;
  readonly label: string;
  /** Custom property of the page or of the embed. */
  readonly color: string;
}

/** The schedule as the chart draws it. */
export interface Timeline {
  readonly symbol: string;
  readonly decimals: number;
  readonly maximum: bigint;
  readonly bands: readonly Band[];
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
  const bands = (groups.length > 0 ? groups : [{ id: "circulating", label: "Circulating supply" }]).map(
    ({ id, label }, band) => ({ id, label, color: id === OTHERS ? "var(--muted)" : `var(--series-${band})` }),
  );
  const cliffs = (plan.kind === "buckets" ? plan.buckets : []).flatMap(({ label, phases }) =>
    phases.flatMap((phase) => (phase.kind === "cliff" ? [{ index: phase.month, text: `${label}: cliff` }] : [])),
  );
  const steps: Step[] = [];
  for (const { index, effectiveFromMs, circulating, buckets } of rows(schedule)) {
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
  const own = buckets.length <= MAX_BANDS ? buckets : bySize.slice(0, MAX_BANDS - 1);
  const named = buckets
    .filter((bucket) => own.includes(bucket))
    .map(({ id, label }) => ({ id, label, members: new Set([id]) }));
  const rest = buckets.filter((bucket) => !own.includes(bucket));
  if (rest.length === 0) return named;
  return [
    ...named,
    { id: OTHERS, label: `${rest.length} other allocations`, members: new Set(rest.map(({ id }) => id)) },
  ];
}

/** The colour that shows a bucket: its own band's, or that of the others. */
export function colorOf({ bands }: Timeline, bucketId: string): string {
  return (bands.find(({ id }) => id === bucketId) ?? bands.at(-1))?.color ?? "";
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(steps: readonly Pick<Step, "atSeconds">[], instantSeconds: number): number {
  return steps.findLastIndex(({ atSeconds }) => atSeconds <= instantSeconds);
}
