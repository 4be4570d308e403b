import type { BaseUnits } from "../chain/amount.ts";
import { circulatingAt, dayStartMs, lockedOf, stepAt } from "./circulating.ts";
import { type Bucket, bucketsOf, hasUnlocks, type Schedule } from "./schedule.ts";

/** Amounts that the circulating supply on chain is compared with at one instant. */
export interface Allowance {
  /** Circulating supply by the schedule. */
  readonly plan: BaseUnits;
  /** Locked tokens of allocations that list no wallet: it cannot be seen whether they circulate. */
  readonly unseen: BaseUnits;
}

/**
 * Returns the allocations that list no wallet. An allocation that lists one wallet is expected to list all of its
 * wallets.
 */
export function unwatchedBuckets(schedule: Pick<Schedule, "plan">): readonly Bucket[] {
  return bucketsOf(schedule).filter(({ addresses }) => addresses.length === 0);
}

/** Whether an allocation with locked tokens lists a wallet. Without one, circulation above the plan cannot be seen. */
export function isPlanWatched(schedule: Schedule): boolean {
  if (!hasUnlocks(schedule)) return false;
  return bucketsOf(schedule).some((bucket) => bucket.addresses.length > 0 && lockedOf(bucket, schedule, 0) > 0n);
}

/**
 * Whether an allocation that lists no wallet has locked tokens, beside an allocation that lists one. Where no allocation
 * lists a wallet, it is not known whether the locked tokens are in the other listed wallets.
 */
export function hasUnwatchedLocks(schedule: Schedule): boolean {
  if (!hasUnlocks(schedule)) return false;
  const unwatched = unwatchedBuckets(schedule);
  return (
    unwatched.length < bucketsOf(schedule).length && unwatched.some((bucket) => lockedOf(bucket, schedule, 0) > 0n)
  );
}

/** Returns the amount that allocations without a wallet must keep locked on an instant's UTC day. */
export function unwatchedLocksOnDay(schedule: Schedule, instantMs: number): BaseUnits {
  if (!hasUnlocks(schedule)) return 0n;
  const index = stepAt(schedule, instantMs)?.index ?? -1;
  const dayMs = dayStartMs(instantMs);
  return unwatchedBuckets(schedule).reduce((sum, bucket) => sum + lockedOf(bucket, schedule, index, dayMs), 0n);
}

/** Returns the amount that must be locked in an allocation at an instant; 0 for an unknown id. */
export function lockedAt(schedule: Schedule, bucketId: string | null, instantMs: number): BaseUnits {
  const bucket = bucketsOf(schedule).find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedInBucket(bucket, schedule, instantMs);
}

/** Returns the amount that an allocation must keep locked at an instant. */
export function lockedInBucket(bucket: Bucket, schedule: Schedule, instantMs: number): BaseUnits {
  return hasUnlocks(schedule) ? lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1) : 0n;
}

/** Returns the allowance of a schedule at an instant. */
export function allowanceAt(schedule: Schedule, instantMs: number): Allowance {
  return {
    plan: circulatingAt(schedule, instantMs),
    unseen: unwatchedBuckets(schedule).reduce((sum, bucket) => sum + lockedInBucket(bucket, schedule, instantMs), 0n),
  };
}

/** Returns the amount that circulates on chain beyond an allowance; 0 when nothing does. */
export function abovePlan(circulating: BaseUnits, { plan, unseen }: Allowance): BaseUnits {
  const above = circulating - plan - unseen;
  return above > 0n ? above : 0n;
}
