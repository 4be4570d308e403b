import { tokenText } from "../../src/chain/amount.ts";
import type { FileBucket } from "../../src/supply/file/schedule-file.ts";
import { phasesOf } from "./plan/phases.ts";

/** How the buckets of a table are named. */
export interface TableNames {
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  /** The bucket of what never unlocks. */
  readonly rest?: string | undefined;
}

/** The figures of a table as rules of one bucket, to the base unit, and what they leave of the maximum as another. */
export function tableBuckets(
  figures: readonly bigint[],
  maxSupply: bigint,
  decimals: number,
  { id = "unlocking", label = "Unlocking supply", rest = "reserve" }: TableNames,
): readonly FileBucket[] {
  const text = (units: bigint): string => tokenText(units, decimals);
  const last = figures.at(-1) ?? 0n;
  const allocation = text(last);
  const phases = phasesOf(figures, text);
  const unlocking = { id, label, category: "other", allocation, genesis: text(figures[0] ?? 0n), phases } as const;
  return [unlocking, ...reserve(maxSupply - last, decimals, rest)];
}

/** Makes a bucket that never unlocks of what the others leave; none where nothing is left. */
export function reserve(units: bigint, decimals: number, id: string): readonly FileBucket[] {
  if (units <= 0n) return [];
  const allocation = tokenText(units, decimals);
  const phases = [{ kind: "never", amount: allocation }] as const;
  return [{ id, label: id, category: "treasury", allocation, genesis: "0", phases }];
}
