import type { UnlockSchedule } from "../api.ts";

/** One step of the schedule: the circulating amounts from it on, and the change. Amounts are base units. */
export interface Step {
  readonly atSeconds: number;
  readonly month: string;
  readonly total: bigint;
  readonly change: bigint;
  /** In the order of the timeline's buckets. */
  readonly amounts: readonly bigint[];
  readonly changes: readonly bigint[];
}

export interface Timeline {
  readonly symbol: string;
  readonly decimals: number;
  readonly maximum: bigint;
  readonly buckets: readonly { readonly id: string; readonly label: string }[];
  /** Ascending; at least one. */
  readonly steps: readonly Step[];
}

/** The schedule in the order of time. A network that publishes only totals has one bucket, `circulating`. */
export function timelineOf(schedule: UnlockSchedule, labels: ReadonlyMap<string, string>): Timeline {
  const ids = Object.keys(schedule.rows[0]?.buckets ?? {});
  const buckets =
    ids.length > 0
      ? ids.map((id) => ({ id, label: labels.get(id) ?? id }))
      : [{ id: "circulating", label: "Circulating" }];
  const zero = buckets.map(() => 0n);
  let previous: { readonly total: bigint; readonly amounts: readonly bigint[] } = { total: 0n, amounts: zero };
  const steps = schedule.rows.map((row) => {
    const total = BigInt(row.circulating.base_units);
    const amounts = ids.length > 0 ? ids.map((id) => BigInt(row.buckets[id] ?? "0")) : [total];
    const before = previous;
    previous = { total, amounts };
    return {
      atSeconds: Date.parse(row.effective_from) / 1000,
      month: row.month,
      total,
      change: total - before.total,
      amounts,
      changes: amounts.map((amount, index) => amount - (before.amounts[index] ?? 0n)),
    };
  });
  const { symbol, decimals } = schedule.token;
  return { symbol, decimals, maximum: BigInt(schedule.max_supply.base_units), buckets, steps };
}

/** Index of the step in force at an instant; -1 before the first. */
export function stepAt(steps: readonly Pick<Step, "atSeconds">[], instantSeconds: number): number {
  let index = -1;
  while (index + 1 < steps.length && (steps[index + 1]?.atSeconds ?? Number.POSITIVE_INFINITY) <= instantSeconds)
    index += 1;
  return index;
}

/** A notable step. */
export interface Milestone {
  readonly index: number;
  readonly kind: "launch" | "cliff" | "start" | "faster" | "complete";
  /** Indexes of the buckets concerned. */
  readonly buckets: readonly number[];
  readonly amount: bigint;
}

/** A step this many times the bucket's usual one is a cliff. */
const CLIFF_FACTOR = 3n;

/**
 * Launch, cliffs, the first unlock of a bucket that starts later, the first of several large ones, and each bucket's
 * last one. Found in the figures alone: a cliff is a single step of a bucket at least three times its median step, or
 * its only one.
 */
export function milestonesOf({ steps, buckets }: Timeline): Milestone[] {
  const found: Milestone[] = [];
  const add = (index: number, kind: Milestone["kind"], bucket: number, amount: bigint): void => {
    const at = found.findIndex((one) => one.index === index && one.kind === kind);
    const same = found[at];
    if (same === undefined) found.push({ index, kind, buckets: [bucket], amount });
    else found[at] = { ...same, buckets: [...same.buckets, bucket], amount: same.amount + amount };
  };
  for (const [bucket] of buckets.entries()) {
    const changes = steps.map(({ changes: all }) => all[bucket] ?? 0n);
    const unlocks = changes.flatMap((change, index) => (index > 0 && change > 0n ? [index] : []));
    const usual = medianOf(unlocks.map((index) => changes[index] ?? 0n));
    if ((changes[0] ?? 0n) > 0n) add(0, "launch", bucket, changes[0] ?? 0n);
    const isLarge = (index: number): boolean => unlocks.length === 1 || (changes[index] ?? 0n) >= usual * CLIFF_FACTOR;
    for (const [order, index] of unlocks.entries()) {
      const change = changes[index] ?? 0n;
      const continues = isLarge(index) && order > 0 && isLarge(unlocks[order - 1] ?? 0);
      const isRun = isLarge(index) && order + 1 < unlocks.length && isLarge(unlocks[order + 1] ?? 0);
      if (isLarge(index) && !continues && !isRun) add(index, "cliff", bucket, change);
      else if (order === 0 && index > 1) add(index, "start", bucket, change);
      else if (isRun && !continues) add(index, "faster", bucket, change);
      else if (order === unlocks.length - 1) add(index, "complete", bucket, change);
    }
  }
  return found.sort((one, other) => one.index - other.index);
}

function medianOf(values: readonly bigint[]): bigint {
  const ordered = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? 0n;
}
