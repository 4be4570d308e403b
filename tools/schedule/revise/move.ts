import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import type { Bucket, Phase, UnlockSchedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { integerFlag } from "../flags.ts";
import { withAdjustment } from "./adjustment.ts";
import { type ReviseFlags, requiredAmount, requiredFlag, scheduleMonth } from "./flags.ts";
import { type BucketFile, revisionScope, type Target, withBucketAt, withMorePhases } from "./plan.ts";
import { withoutLocked, withoutTokens } from "./taken.ts";

/** Destination of tokens that stay in their bucket and never unlock. */
const NEVER = "never";

/** Time of a revision, and the publication day that it states. */
export interface RevisionTime {
  readonly nowMs: number;
  readonly day: string;
}

/** Moves tokens of one bucket to another, or lets them never unlock. */
export function withMove(
  file: BucketFile,
  schedule: UnlockSchedule,
  flags: ReviseFlags,
  { nowMs, day }: RevisionTime,
): BucketFile {
  const amount = requiredAmount(schedule, flags, "amount");
  const from = scheduleMonth(schedule, flags, "month");
  const giver = revisionScope(schedule, requiredFlag(flags, "from"), { from }, nowMs);
  const taker = requiredFlag(flags, "to") === NEVER ? null : revisionScope(schedule, flags.to ?? "", { from }, nowMs);
  if (giver.bucket === taker?.bucket)
    throw new Refusal([`--to: ${flags.to} is the bucket that has the tokens already`]);
  if (flags.unlocked === true) {
    const kind = "transfer";
    const taken = withAdjustment(file, schedule, { bucket: giver.bucket.id, delta: -amount, kind }, flags, day);
    if (taker === null) return taken;
    return withAdjustment(taken, schedule, { bucket: taker.bucket.id, delta: amount, kind }, flags, day);
  }
  const source = { title: titleOf(schedule, giver, taker, amount), url: requiredFlag(flags, "source") };
  const named = { ...file, sources: [...file.sources, source] };
  if (taker === null) {
    if (flags.count !== undefined) throw new Refusal(["--count: tokens that move to never have no installments"]);
    return withNever(withoutLocked(named, schedule, giver, amount), schedule, giver, amount);
  }
  const isLocked = staysLocked(taker.bucket, flags);
  // The moved tokens unlock from `--month` on, so they may be taken from unlocks before that month too.
  const open = isLocked ? giver : revisionScope(schedule, giver.bucket.id, {}, nowMs);
  const allocation = tokenText(taker.bucket.allocation + amount, schedule.token.decimals);
  const taken = withoutTokens(named, schedule, open, amount);
  const given = withBucketAt(taken, taker.bucketIndex, { allocation });
  return isLocked
    ? withNever(given, schedule, taker, amount)
    : withMorePhases(given, schedule, taker.bucketIndex, [arrival(schedule, flags, amount)]);
}

function titleOf({ token }: UnlockSchedule, giver: Target, taker: Target | null, amount: BaseUnits): string {
  const tokens = `${tokenText(amount, token.decimals)} ${token.symbol} of ${giver.bucket.label}`;
  return taker === null ? `Cancellation of ${tokens}` : `Transfer of ${tokens} to ${taker.bucket.label}`;
}

/** Makes the rule for moved tokens: they unlock in `--month`, or in installments from then on. */
function arrival({ calendar }: UnlockSchedule, flags: ReviseFlags, amount: BaseUnits): Phase {
  const month = stepIndexOfMonth(calendar, flags.month ?? "");
  const count = integerFlag("--count", flags.count ?? "1", 1, 2400);
  if (count === 1) return { kind: "cliff", amount, month };
  return { kind: "monthly", amount, firstMonth: month, count, everyMonths: 1 };
}

/** Whether tokens that move to a bucket never unlock: as its only rule says, otherwise as the flags say. */
function staysLocked({ id, genesis, phases }: Bucket, { locked, count }: ReviseFlags): boolean {
  if (locked === true && count !== undefined)
    throw new Refusal(["--locked: tokens that never unlock have no --count of installments"]);
  const never = phases.filter(({ kind }) => kind === NEVER).length;
  if (locked === true || count !== undefined || never === 0) return locked === true;
  if (never === phases.length && genesis === 0n) return true;
  throw new Refusal([
    `--to: ${id} has tokens that unlock and tokens that never do: give --count 1 if the moved tokens unlock in --month, or --locked if they never unlock`,
  ]);
}

/** Adds tokens that never unlock to a bucket. */
function withNever(file: BucketFile, schedule: UnlockSchedule, { bucketIndex }: Target, amount: BaseUnits): BucketFile {
  return withMorePhases(file, schedule, bucketIndex, [{ kind: NEVER, amount }]);
}
