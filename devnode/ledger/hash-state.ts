import { BcsReader } from "../codec/bcs-reader.ts";
import { type Accumulator, EMPTY_ACCUMULATOR } from "./accumulator.ts";
import { NO_CHECKPOINT } from "./digest.ts";
import { bytesIn, integerIn, type Storage } from "./storage.ts";

const HASH_BYTES = 32;

/** The input of the next record's hashes. */
export interface HashState {
  readonly accumulator: Accumulator;
  /** The newest state checkpoint. */
  readonly checkpoint: Uint8Array;
}

export const INITIAL_HASH_STATE: HashState = { accumulator: EMPTY_ACCUMULATOR, checkpoint: NO_CHECKPOINT };

export function loadHashState(storage: Storage): HashState {
  const [row] = storage.run(`SELECT leaves, peaks, checkpoint FROM accumulator`);
  if (row === undefined) return INITIAL_HASH_STATE;
  const reader = new BcsReader(bytesIn(row, "peaks"));
  const peaks: Uint8Array[] = [];
  while (reader.remaining > 0) peaks.push(reader.fixed(HASH_BYTES));
  return { accumulator: { leaves: integerIn(row, "leaves"), peaks }, checkpoint: bytesIn(row, "checkpoint") };
}

export function saveHashState(storage: Storage, { accumulator, checkpoint }: HashState): void {
  const peaks = new Uint8Array(accumulator.peaks.length * HASH_BYTES);
  for (const [index, peak] of accumulator.peaks.entries()) peaks.set(peak, index * HASH_BYTES);
  storage.run(`INSERT OR REPLACE INTO accumulator VALUES (0, ?, ?, ?)`, accumulator.leaves, peaks, checkpoint);
}
