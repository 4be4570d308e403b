import { DAY_MS } from "../../src/base/utc.ts";
import { type Calendar, stepMs } from "../../src/supply/calendar.ts";
import { phaseUnlocked } from "../../src/supply/circulating.ts";
import { stepIndexFrom } from "../../src/supply/file/steps.ts";
import { type Bucket, bucketsOf, type Phase, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { type Length, lengthOf, MIN_WAIT_MS } from "./lengths.ts";

/** Time in which a phase unlocks. */
export interface Period {
  /** Start of the time that is paid for: a part is paid for the time before it. */
  readonly fromMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Returns the time in which a phase unlocks; undefined: it never does. */
export function periodOf(phase: Phase, calendar: Calendar): Period | undefined {
  const { startMs } = calendar;
  switch (phase.kind) {
    case "cliff": {
      const atMs = stepMs(calendar, phase.month);
      return { fromMs: atMs, firstMs: atMs, lastMs: atMs };
    }
    case "monthly": {
      const { firstMonth, everyMonths, count } = phase;
      const [from, last] = [Math.max(0, firstMonth - everyMonths), firstMonth + (count - 1) * everyMonths];
      const firstMs = stepMs(calendar, firstMonth);
      return { fromMs: count === 1 ? firstMs : stepMs(calendar, from), firstMs, lastMs: stepMs(calendar, last) };
    }
    case "daily": {
      const everyMs = phase.everyDays * DAY_MS;
      const firstMs = startMs + phase.firstDay * DAY_MS;
      const lastMs = firstMs + (phase.count - 1) * everyMs;
      return { fromMs: phase.count === 1 ? firstMs : Math.max(startMs, firstMs - everyMs), firstMs, lastMs };
    }
    case "linear":
      return { fromMs: phase.fromMs, firstMs: phase.fromMs + DAY_MS, lastMs: phase.toMs };
    case "never":
      return undefined;
  }
}

/** Whether a phase unlocks all at once: a cliff, also where it is written as a single installment. */
export function isCliff(phase: Phase): boolean {
  return phase.kind === "cliff" || ("count" in phase && phase.count === 1);
}

/** Returns the index of the step at which a cliff takes effect; undefined for a phase that is none. */
export function cliffStep(phase: Phase, calendar: Calendar): number | undefined {
  if (!isCliff(phase)) return undefined;
  if (phase.kind === "daily") return stepIndexFrom(calendar, calendar.startMs + phase.firstDay * DAY_MS);
  return phase.kind === "cliff" ? phase.month : phase.kind === "monthly" ? phase.firstMonth : undefined;
}

/** Time after the start in which a bucket unlocks nothing. Its end is a jump, or the begin of a vesting in steps. */
interface BucketCliff extends Period {
  /** Phase that unlocks all at once; undefined for a vesting in steps. */
  readonly phase: Phase | undefined;
}

/** Finds the cliff of a bucket. Vesting day by day jumps at no step, so it has none, nor has what begins at launch. */
export function cliffOf(
  { genesis, phases }: Pick<Bucket, "genesis" | "phases">,
  calendar: Calendar,
): BucketCliff | undefined {
  const periods = phases.flatMap((phase) => {
    const period = periodOf(phase, calendar);
    return period === undefined ? [] : [{ ...period, phase }];
  });
  const [first] = periods.sort((one, other) => one.firstMs - other.firstMs);
  if (genesis > 0n || first === undefined || first.fromMs - calendar.startMs < MIN_WAIT_MS) return undefined;
  const { phase } = first;
  if (isCliff(phase)) return first;
  const isInSteps = phase.kind === "monthly" || (phase.kind === "daily" && phase.everyDays * DAY_MS >= MIN_WAIT_MS);
  return isInSteps ? { ...first, phase: undefined } : undefined;
}

/** Cliff of allocations, as the drawing notes it. */
export interface Cliff {
  /** Step at which the first part unlocks. */
  readonly index: number;
  readonly length: Length;
  readonly labels: readonly string[];
  /** Amount of these allocations that unlocks at that step. */
  readonly amount: bigint;
}

/** Lists the cliffs of a schedule, the largest first. */
export function cliffsOf(schedule: UnlockSchedule): readonly Cliff[] {
  const { calendar } = schedule;
  const cliffs = new Map<string, Cliff>();
  for (const bucket of bucketsOf(schedule)) {
    const cliff = cliffOf(bucket, calendar);
    if (cliff === undefined) continue;
    const index = stepIndexFrom(calendar, cliff.firstMs);
    const key = `${index} ${cliff.fromMs}`;
    const before = cliffs.get(key);
    cliffs.set(key, {
      index,
      length: lengthOf(calendar.startMs, cliff.fromMs),
      labels: [...(before?.labels ?? []), bucket.label],
      amount: bucket.phases.reduce((sum, phase) => sum + phaseUnlocked(phase, schedule, index), before?.amount ?? 0n),
    });
  }
  return [...cliffs.values()].sort((one, other) => Number(other.amount - one.amount));
}
