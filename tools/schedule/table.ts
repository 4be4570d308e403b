import { tokenText } from "../../src/chain/amount.ts";
import type { FileBucket } from "../../src/supply/file/schedule-file.ts";
import { phasesOf } from "./plan/phases.ts";

/** Names for the buckets of a converted table. */
export interface ConvertedBucketNames {
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  /** Id of the bucket for tokens that never unlock. */
  readonly rest?: string | undefined;
}

/**
 * Makes buckets of a table's figures, exact to the base unit: one whose rules unlock them, and one for the rest of the
 * maximum.
 */
export function tableBuckets(
  figures: readonly bigint[],
  maxSupply: bigint,
  decimals: number,
  { id = "unlocking", label = "Unlocking supply", rest = "reserve" }: ConvertedBucketNames,
): readonly FileBucket[] {
  const text = (units: bigint): string => tokenText(units, decimals);
  const last = figures.at(-1) ?? 0n;
  const allocation = text(last);
  const phases = phasesOf(figures, text);
  const unlocking = { id, label, category: "other", allocation, genesis: text(figures[0] ?? 0n), phases } as const;
  return [unlocking, ...neverBucket(maxSupply - last, decimals, rest)];
}

/** Makes a bucket that never unlocks for the tokens that remain; none when nothing remains. */
export function neverBucket(units: bigint, decimals: number, id: string): readonly FileBucket[] {
  if (units <= 0n) return [];
  const allocation = tokenText(units, decimals);
  const phases = [{ kind: "never", amount: allocation }] as const;
  return [{ id, label: id, category: "treasury", allocation, genesis: "0", phases }];
}
