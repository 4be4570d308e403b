import { decode, encode, fixedBytes, vector } from "../codec/bcs.ts";
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

const peaksCodec = vector(fixedBytes(HASH_BYTES));

export function loadHashState(storage: Storage): HashState {
  const [row] = storage.run(`SELECT leaves, peaks, checkpoint FROM accumulator`);
  if (row === undefined) return INITIAL_HASH_STATE;
  const peaks = decode(peaksCodec, bytesIn(row, "peaks"));
  if (peaks.kind === "malformed") throw new Error(`the accumulator's peaks are malformed: ${peaks.message}`);
  const accumulator = { leaves: integerIn(row, "leaves"), peaks: peaks.value };
  return { accumulator, checkpoint: bytesIn(row, "checkpoint") };
}

export function saveHashState(storage: Storage, { accumulator: { leaves, peaks }, checkpoint }: HashState): void {
  storage.run(`INSERT OR REPLACE INTO accumulator VALUES (0, ?, ?, ?)`, leaves, encode(peaksCodec, peaks), checkpoint);
}
