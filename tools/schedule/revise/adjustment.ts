import { tokenText } from "../../../src/chain/amount.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { needed, type ReviseFlags, scheduleMonth } from "./flags.ts";
import type { BucketFile } from "./plan.ts";

/** A change of what circulates of a bucket, from the month of `--month` on. */
export interface Change {
  /** The bucket's id. */
  readonly bucket: string;
  readonly delta: bigint;
  readonly kind: "burn" | "buyback" | "transfer" | "correction";
}

/** The file with a change, announced at `--source`, in the revision of a day. */
export function withAdjustment(
  file: BucketFile,
  schedule: Schedule,
  { bucket, delta, kind }: Change,
  flags: ReviseFlags,
  day: string,
): BucketFile {
  const [month, source] = [scheduleMonth(schedule, flags, "month"), needed(flags, "source")];
  const entry = { month, bucket, delta: tokenText(delta, schedule.token.decimals), kind, source, published_at: day };
  return { ...file, adjustments: [...(file.adjustments ?? []), entry] };
}
