import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import type { Bucket, Phase, Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { wholeFlag } from "../flags.ts";
import { withAdjustment } from "./adjustment.ts";
import { needed, positive, type ReviseFlags, scheduleMonth } from "./flags.ts";
import { type BucketFile, type Target, targetOf, withBucketAt, withMorePhases } from "./plan.ts";
import { withoutLocked, withoutTokens } from "./taken.ts";

/** As a destination: the tokens stay with their bucket and unlock no more. */
const NEVER = "never";

/** When a revision is made, and the day that it names. */
export interface Time {
  readonly nowMs: number;
  readonly day: string;
}

/** The file with tokens of one bucket moved to another one, or to none. */
export function withMove(file: BucketFile, schedule: Schedule, flags: ReviseFlags, { nowMs, day }: Time): BucketFile {
  const amount = positive(schedule, flags, "amount");
  const from = scheduleMonth(schedule, flags, "month");
  const giver = targetOf(schedule, needed(flags, "from"), { from }, nowMs);
  const taker = needed(flags, "to") === NEVER ? null : targetOf(schedule, flags.to ?? "", { from }, nowMs);
  if (giver.bucket === taker?.bucket) throw new Refusal([`--to: ${flags.to} is the bucket that the tokens are in`]);
  if (flags.unlocked === true) {
    const kind = "transfer";
    const taken = withAdjustment(file, schedule, { bucket: giver.bucket.id, delta: -amount, kind }, flags, day);
    if (taker === null) return taken;
    return withAdjustment(taken, schedule, { bucket: taker.bucket.id, delta: amount, kind }, flags, day);
  }
  const source = { title: titleOf(schedule, giver, taker, amount), url: needed(flags, "source") };
  const named = { ...file, sources: [...file.sources, source] };
  if (taker === null) {
    if (flags.count !== undefined) throw new Refusal(["--count: tokens that move to never have no installments"]);
    return withNever(withoutLocked(named, schedule, giver, amount), schedule, giver, amount);
  }
  const isLocked = staysLocked(taker.bucket, flags);
  // Tokens that unlock again in a month may be those that the giver would have unlocked before it.
  const open = isLocked ? giver : targetOf(schedule, giver.bucket.id, {}, nowMs);
  const allocation = tokenText(taker.bucket.allocation + amount, schedule.token.decimals);
  const taken = withoutTokens(named, schedule, open, amount);
  const given = withBucketAt(taken, taker.bucketIndex, { allocation });
  return isLocked
    ? withNever(given, schedule, taker, amount)
    : withMorePhases(given, schedule, taker.bucketIndex, [arrival(schedule, flags, amount)]);
}

function titleOf({ token }: Schedule, giver: Target, taker: Target | null, amount: BaseUnits): string {
  const tokens = `${tokenText(amount, token.decimals)} ${token.symbol} of ${giver.bucket.label}`;
  return taker === null ? `Cancellation of ${tokens}` : `Transfer of ${tokens} to ${taker.bucket.label}`;
}

/** Tokens that unlock in `--month`, or in installments from then on. */
function arrival({ calendar }: Schedule, flags: ReviseFlags, amount: BaseUnits): Phase {
  const month = stepIndexOfMonth(calendar, flags.month ?? "");
  const count = wholeFlag("--count", flags.count ?? "1", 1, 2400);
  if (count === 1) return { kind: "cliff", amount, month };
  return { kind: "monthly", amount, firstMonth: month, count, everyMonths: 1 };
}

/** Whether tokens that come to a bucket never unlock: by its only rule, or else by what the flags say. */
function staysLocked({ id, genesis, phases }: Bucket, { locked, count }: ReviseFlags): boolean {
  if (locked === true && count !== undefined)
    throw new Refusal(["--locked: tokens that never unlock have no --count of installments"]);
  const never = phases.filter(({ kind }) => kind === NEVER).length;
  if (locked === true || count !== undefined || never === 0) return locked === true;
  if (never === phases.length && genesis === 0n) return true;
  throw new Refusal([
    `--to: ${id} has tokens that unlock and tokens that never do: say --count 1 if these unlock in --month, or --locked if they never do`,
  ]);
}

/** The file with more of a bucket's tokens that never unlock. */
function withNever(file: BucketFile, schedule: Schedule, { bucketIndex }: Target, amount: BaseUnits): BucketFile {
  return withMorePhases(file, schedule, bucketIndex, [{ kind: NEVER, amount }]);
}
