import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { parseAmount } from "../../../src/supply/file/amount.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { wholeFlag } from "../flags.ts";
import { needed, positive, type ReviseFlags, scheduleMonth } from "./flags.ts";
import { type BucketFile, type Target, withBucketAt, withMorePhases, withPhases } from "./plan.ts";
import { splitPhase } from "./split.ts";

/** The file without an amount that a bucket has not unlocked yet: its last unlocks first. */
export function withoutLocked(file: BucketFile, schedule: Schedule, target: Target, amount: BaseUnits): BucketFile {
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

/** Tokens that are burned before they unlock: the plan's later unlocks are less by them, and they never unlock. */
export function withLockedBurn(
  file: BucketFile,
  schedule: Schedule,
  target: Target,
  amount: BaseUnits,
  url: string,
): BucketFile {
  const { bucket, bucketIndex } = target;
  const { decimals, symbol } = schedule.token;
  const title = `Burn of ${tokenText(amount, decimals)} ${symbol} of ${bucket.label}`;
  const sources = [...file.sources, { title, url }];
  const locked = bucket.phases.reduce((sum, phase) => sum + (phase.kind === "never" ? phase.amount : 0n), 0n);
  // What never unlocks stays so: the plan has the same figures, and its sources name the burn.
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

/** The file with a smaller bucket: less of what it never unlocks where that suffices, or else of its last unlocks. */
export function withoutTokens(file: BucketFile, schedule: Schedule, target: Target, amount: BaseUnits): BucketFile {
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

/** A new bucket, out of another. */
export function withBucket(
  file: BucketFile,
  schedule: Schedule,
  target: Target,
  id: string,
  flags: ReviseFlags,
): object {
  const amount = positive(schedule, flags, "amount");
  const { decimals } = schedule.token;
  if (file.buckets.some((each) => each.id === id)) {
    const month = flags.from ?? "YYYY-MM";
    throw new Refusal([
      `${id} is a bucket already; tokens for it: revise move --from ${target.bucket.id} --to ${id} --amount ${tokenText(amount, decimals)} --month ${month} --source URL`,
    ]);
  }
  const month = stepIndexOfMonth(schedule.calendar, scheduleMonth(schedule, flags, "from"));
  const count = wholeFlag("--count", flags.count ?? "1", 1, 2400);
  const allocation = tokenText(amount, decimals);
  const phase =
    count === 1
      ? { kind: "cliff", amount: allocation, month }
      : { kind: "installments", amount: allocation, first_month: month, count, every_months: 1 };
  const [label, category] = [needed(flags, "label"), needed(flags, "category")];
  const made = { id, label, category, allocation, genesis: "0", phases: [phase] };
  const smaller = withoutTokens(file, schedule, target, amount);
  return { ...smaller, buckets: [...smaller.buckets, made] };
}

/** The file with less in a bucket's phases that never unlock; an empty one goes. */
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
