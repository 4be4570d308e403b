import { tokenText } from "../../../src/chain/amount.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import { type ReviseFlags, requiredFlag, scheduleMonth } from "./flags.ts";
import type { BucketFile } from "./plan.ts";

/** Change of a bucket's circulating amount, from the month of `--month` on. */
export interface BucketChange {
  /** The bucket's id. */
  readonly bucket: string;
  readonly delta: bigint;
  readonly kind: "burn" | "buyback" | "transfer" | "correction";
}

/** Appends an adjustment with its `--source`, published on `day`. */
export function withAdjustment(
  file: BucketFile,
  schedule: UnlockSchedule,
  { bucket, delta, kind }: BucketChange,
  flags: ReviseFlags,
  day: string,
): BucketFile {
  const [month, source] = [scheduleMonth(schedule, flags, "month"), requiredFlag(flags, "source")];
  const entry = { month, bucket, delta: tokenText(delta, schedule.token.decimals), kind, source, published_at: day };
  return { ...file, adjustments: [...(file.adjustments ?? []), entry] };
}
