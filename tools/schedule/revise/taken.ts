import { stepIndexOfMonth } from "../../../schedule-format/calendar.ts";
import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { wholeFlag } from "../flags.ts";
import { needed, positive, type ReviseFlags, scheduleMonth } from "./flags.ts";
import { type BucketFile, type Target, withBucketAt, withMorePhases, withPhases } from "./plan.ts";
import { splitPhase } from "./split.ts";

/** The file without an amount that a bucket has not unlocked yet: its last unlocks first. */
function withoutLocked(file: BucketFile, schedule: Schedule, target: Target, amount: BaseUnits): BucketFile {
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
  if (bucket.phases.every(({ kind }) => kind === "never"))
    throw new Refusal([
      `${bucket.id} never unlocks, so that its burn changes no figure of the plan: list the address that the tokens went to, with revise wallet add ADDRESS --category burn`,
    ]);
  const { decimals, symbol } = schedule.token;
  const title = `Burn of ${tokenText(amount, decimals)} ${symbol} of ${bucket.label}`;
  const without = withoutLocked(file, schedule, target, amount);
  const burned = withMorePhases(without, schedule, bucketIndex, [{ kind: "never", amount }]);
  return { ...burned, sources: [...file.sources, { title, url }] };
}

/** A new bucket, out of what another never unlocks, or else of its last unlocks. */
export function withBucket(
  file: BucketFile,
  schedule: Schedule,
  target: Target,
  id: string,
  flags: ReviseFlags,
): object {
  const amount = positive(schedule, flags, "amount");
  const { decimals } = schedule.token;
  const { bucket, bucketIndex } = target;
  if (file.buckets.some((each) => each.id === id)) throw new Refusal([`${id} is a bucket already`]);
  const month = stepIndexOfMonth(schedule.calendar, scheduleMonth(schedule, flags, "from"));
  const count = wholeFlag("--count", flags.count ?? "1", 1, 2400);
  const never = bucket.phases.findIndex((phase) => phase.kind === "never" && phase.amount >= amount);
  const smaller =
    never === -1
      ? withoutLocked(file, schedule, target, amount)
      : withoutNever(file, bucketIndex, never, tokenText((bucket.phases[never]?.amount ?? 0n) - amount, decimals));
  const allocation = tokenText(amount, decimals);
  const phase =
    count === 1
      ? { kind: "cliff", amount: allocation, month }
      : { kind: "installments", amount: allocation, first_month: month, count, every_months: 1 };
  const [label, category] = [needed(flags, "label"), needed(flags, "category")];
  const made = { id, label, category, allocation, genesis: "0", phases: [phase] };
  const left = tokenText(bucket.allocation - amount, decimals);
  return { ...smaller, buckets: [...withBucketAt(smaller, bucketIndex, { allocation: left }).buckets, made] };
}

/** The file with less in a phase that never unlocks, or without it. */
function withoutNever(file: BucketFile, bucketIndex: number, index: number, left: string): BucketFile {
  const phases = (file.buckets[bucketIndex]?.phases ?? []).flatMap((phase, at) =>
    at !== index ? [phase] : left === "0" ? [] : [{ ...phase, amount: left }],
  );
  return withBucketAt(file, bucketIndex, { phases });
}
