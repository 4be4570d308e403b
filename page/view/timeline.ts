import { allSteps } from "../../src/supply/circulating.ts";
import { bucketsOf, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { type Band, bandsOf, groupsOf } from "./bands.ts";
import { cliffStep } from "./cliffs.ts";

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

/** The schedule as the chart draws it. */
export interface Timeline {
  readonly symbol: string;
  readonly decimals: number;
  readonly maximum: bigint;
  readonly bands: readonly Band[];
  /** Steps in ascending order; at least one. */
  readonly steps: readonly Step[];
}

/** Orders a schedule's steps by time. */
export function timelineOf(schedule: UnlockSchedule): Timeline {
  const { token, maxSupply, plan, calendar } = schedule;
  const groups = plan.kind === "buckets" ? groupsOf(plan.buckets) : [];
  const bands = bandsOf(schedule);
  const cliffs = bucketsOf(schedule).flatMap(({ label, phases }) =>
    phases.map((phase) => ({ index: cliffStep(phase, calendar), text: `${label}: cliff` })),
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

const MONTH_SECONDS = 30.44 * 86_400;

/** Returns the place of an instant among the steps. The last step is drawn a month long. */
export function placeOf({ steps }: Pick<Timeline, "steps">, seconds: number): number {
  const index = Math.max(0, stepAt(steps, seconds));
  const from = steps[index]?.atSeconds ?? 0;
  const to = steps[index + 1]?.atSeconds ?? from + MONTH_SECONDS;
  return index + (seconds - from) / (to - from);
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(steps: readonly Pick<Step, "atSeconds">[], instantSeconds: number): number {
  return steps.findLastIndex(({ atSeconds }) => atSeconds <= instantSeconds);
}
