import { stepIndexOfMonth } from "../../../schedule-format/calendar.ts";
import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { wholeFlag } from "../flags.ts";
import { phaseJson, withAppended, withElements, withValue } from "./edit.ts";
import { needed, positive, type ReviseFlags, scheduleMonth } from "./flags.ts";
import { revisableBuckets, type Target, withPhases } from "./plan.ts";
import { splitPhase } from "./split.ts";

/** The file's text without an amount that a bucket has not unlocked yet: its last unlocks first. */
function withoutLocked(text: string, schedule: Schedule, target: Target, amount: BaseUnits): string {
  const { bucket, last } = target;
  const locked = bucket.phases.reduce((sum, phase) => sum + (splitPhase(phase, schedule, last).rest?.amount ?? 0n), 0n);
  if (locked < amount) {
    const { decimals } = schedule.token;
    throw new Refusal([
      `${bucket.id} has ${tokenText(locked, decimals)} still to unlock, less than ${tokenText(amount, decimals)}`,
    ]);
  }
  let left = amount;
  return withPhases(text, schedule, target, (rest) => {
    const taken = rest.amount < left ? rest.amount : left;
    left -= taken;
    if (taken === 0n) return null;
    return taken === rest.amount ? [] : [{ ...rest, amount: rest.amount - taken }];
  });
}

/** Tokens that are burned before they unlock: the plan's later unlocks are less by them, and they never unlock. */
export function withLockedBurn(
  text: string,
  schedule: Schedule,
  target: Target,
  amount: BaseUnits,
  source: string,
): string {
  const { bucket, bucketIndex } = target;
  if (bucket.phases.every(({ kind }) => kind === "never"))
    throw new Refusal([
      `${bucket.id} never unlocks, so that its burn changes no figure of the plan: list the address that the tokens went to, with revise wallet add ADDRESS --category burn`,
    ]);
  const { decimals, symbol } = schedule.token;
  const never = phaseJson({ kind: "never", amount }, decimals);
  const without = withoutLocked(text, schedule, target, amount);
  const title = `Burn of ${tokenText(amount, decimals)} ${symbol} of ${bucket.label}`;
  return withAppended(withAppended(without, ["buckets", bucketIndex, "phases"], never), ["sources"], {
    title,
    url: source,
  });
}

/** A new bucket, out of what another never unlocks, or else of its last unlocks. */
export function withBucket(text: string, schedule: Schedule, target: Target, id: string, flags: ReviseFlags): string {
  const amount = positive(schedule, flags, "amount");
  const { decimals } = schedule.token;
  const { bucket, bucketIndex } = target;
  if (revisableBuckets(schedule).some((each) => each.id === id)) throw new Refusal([`${id} is a bucket already`]);
  const month = stepIndexOfMonth(schedule.calendar, scheduleMonth(schedule, flags, "from"));
  const count = wholeFlag("--count", flags.count ?? "1", 1, 2400);
  const never = bucket.phases.findIndex((phase) => phase.kind === "never" && phase.amount >= amount);
  const kept = bucket.phases[never];
  const path = ["buckets", bucketIndex];
  const smaller =
    kept === undefined
      ? withoutLocked(text, schedule, target, amount)
      : withElements(
          text,
          [...path, "phases", never],
          kept.amount === amount ? [] : [phaseJson({ ...kept, amount: kept.amount - amount }, decimals)],
        );
  const allocation = tokenText(amount, decimals);
  const phase =
    count === 1
      ? { kind: "cliff", amount: allocation, month }
      : { kind: "installments", amount: allocation, first_month: month, count, every_months: 1 };
  const made = {
    id,
    label: needed(flags, "label"),
    category: needed(flags, "category"),
    allocation,
    genesis: "0",
    phases: [phase],
  };
  const before = revisableBuckets(schedule)[bucketIndex]?.allocation ?? 0n;
  return withValue(
    withValue(smaller, [...path, "allocation"], tokenText(before - amount, decimals)),
    ["buckets", revisableBuckets(schedule).length],
    made,
  );
}
