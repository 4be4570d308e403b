import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { parseAmount } from "../../../src/supply/file/amount.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { integerFlag } from "../flags.ts";
import { type ReviseFlags, requiredAmount, requiredFlag, scheduleMonth } from "./flags.ts";
import { type BucketFile, type Target, withBucketAt, withMorePhases, withPhases } from "./plan.ts";
import { splitPhase } from "./split.ts";

/** Removes an amount that a bucket has not unlocked yet, from its last unlocks first. */
export function withoutLocked(
  file: BucketFile,
  schedule: UnlockSchedule,
  target: Target,
  amount: BaseUnits,
): BucketFile {
  const { bucket, last } = target;
  const locked = bucket.phases.reduce((sum, phase) => sum + (splitPhase(phase, schedule, last).rest?.amount ?? 0n), 0n);
  if (locked < amount) {
    const { decimals } = schedule.token;
    throw new Refusal([
      `${bucket.id} has ${tokenText(locked, decimals)} still to unlock, less than ${tokenText(amount, decimals)}`,
    ]);
  }
  let left = amount;
  return withPhases(file, schedule, target, (rest) => {
    const taken = rest.amount < left ? rest.amount : left;
    left -= taken;
    if (taken === 0n) return null;
    return taken === rest.amount ? [] : [{ ...rest, amount: rest.amount - taken }];
  });
}

/** Burns tokens before they unlock: they are removed from the plan's last unlocks and never unlock. */
export function withLockedBurn(
  file: BucketFile,
  schedule: UnlockSchedule,
  target: Target,
  amount: BaseUnits,
  url: string,
): BucketFile {
  const { bucket, bucketIndex } = target;
  const { decimals, symbol } = schedule.token;
  const title = `Burn of ${tokenText(amount, decimals)} ${symbol} of ${bucket.label}`;
  const sources = [...file.sources, { title, url }];
  const locked = bucket.phases.reduce((sum, phase) => sum + (phase.kind === "never" ? phase.amount : 0n), 0n);
  // Tokens that never unlock need no change of the plan; only its sources name the burn.
  if (bucket.phases.every(({ kind }) => kind === "never")) {
    if (locked >= amount) return { ...file, sources };
    throw new Refusal([
      `${bucket.id} has ${tokenText(locked, decimals)} that never unlock, less than ${tokenText(amount, decimals)}`,
    ]);
  }
  const without = withoutLocked(file, schedule, target, amount);
  const burned = withMorePhases(without, schedule, bucketIndex, [{ kind: "never", amount }]);
  return { ...burned, sources };
}

/** Makes a bucket smaller: by tokens that never unlock if they suffice, otherwise by its last unlocks. */
export function withoutTokens(
  file: BucketFile,
  schedule: UnlockSchedule,
  target: Target,
  amount: BaseUnits,
): BucketFile {
  const { decimals } = schedule.token;
  const { bucket, bucketIndex } = target;
  const unlocking = bucket.phases.filter(({ kind }) => kind !== "never");
  const never = bucket.phases.reduce((sum, phase) => sum + (phase.kind === "never" ? phase.amount : 0n), 0n);
  if (never < amount && unlocking.length === 0)
    throw new Refusal([
      `${bucket.id} has ${tokenText(never, decimals)} that never unlock, less than ${tokenText(amount, decimals)}`,
    ]);
  const smaller =
    never < amount ? withoutLocked(file, schedule, target, amount) : withoutNever(file, bucketIndex, amount, decimals);
  return withBucketAt(smaller, bucketIndex, { allocation: tokenText(bucket.allocation - amount, decimals) });
}

/** Adds a bucket, with tokens taken from another. */
export function withBucket(
  file: BucketFile,
  schedule: UnlockSchedule,
  target: Target,
  id: string,
  flags: ReviseFlags,
): object {
  const amount = requiredAmount(schedule, flags, "amount");
  const { decimals } = schedule.token;
  if (file.buckets.some((each) => each.id === id)) {
    const month = flags.from ?? "YYYY-MM";
    throw new Refusal([
      `${id} is a bucket already; to add tokens to it: revise move --from ${target.bucket.id} --to ${id} --amount ${tokenText(amount, decimals)} --month ${month} --source URL`,
    ]);
  }
  const month = stepIndexOfMonth(schedule.calendar, scheduleMonth(schedule, flags, "from"));
  const count = integerFlag("--count", flags.count ?? "1", 1, 2400);
  const allocation = tokenText(amount, decimals);
  const phase =
    count === 1
      ? { kind: "cliff", amount: allocation, month }
      : { kind: "installments", amount: allocation, first_month: month, count, every_months: 1 };
  const [label, category] = [requiredFlag(flags, "label"), requiredFlag(flags, "category")];
  const newBucket = { id, label, category, allocation, genesis: "0", phases: [phase] };
  const smaller = withoutTokens(file, schedule, target, amount);
  return { ...smaller, buckets: [...smaller.buckets, newBucket] };
}

/** Removes an amount from a bucket's phases that never unlock; an empty phase is removed. */
function withoutNever(file: BucketFile, bucketIndex: number, amount: BaseUnits, decimals: number): BucketFile {
  let left = amount;
  const phases = (file.buckets[bucketIndex]?.phases ?? []).flatMap((phase) => {
    const has = phase.kind === "never" ? (parseAmount(phase.amount, decimals) ?? 0n) : 0n;
    const taken = has < left ? has : left;
    left -= taken;
    if (taken === 0n) return [phase];
    return taken === has ? [] : [{ ...phase, amount: tokenText(has - taken, decimals) }];
  });
  return withBucketAt(file, bucketIndex, { phases });
}
