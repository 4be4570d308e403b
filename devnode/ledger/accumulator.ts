import { sha3_256 } from "@noble/hashes/sha3.js";

/**
 * An append-only Merkle mountain range. Peaks are the roots of perfect trees, one for each set bit of `leaves`, largest
 * first:
 *
 *     inner node = SHA3-256(SHA3-256("LEDGER::Node") | left | right)
 *     root       = SHA3-256(SHA3-256("LEDGER::Root") | leaves, u64 little-endian | peaks, largest tree first)
 *
 * Appending costs one hash on average and the root one more, whatever the length.
 */
export interface Accumulator {
  readonly leaves: number;
  readonly peaks: readonly Uint8Array[];
}

export const EMPTY_ACCUMULATOR: Accumulator = { leaves: 0, peaks: [] };

const TEXT = new TextEncoder();

/** SHA3-256 of the domain's own hash and `parts`: hashes of different domains can never collide. */
export function domainHash(domain: string): (...parts: readonly Uint8Array[]) => Uint8Array {
  const seeded = sha3_256.create().update(sha3_256(TEXT.encode(domain)));
  return (...parts) => {
    const hash = seeded.clone();
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
}

const nodeHash = domainHash("LEDGER::Node");
const rootHash = domainHash("LEDGER::Root");

export function append({ leaves, peaks }: Accumulator, leaf: Uint8Array): Accumulator {
  const next = [...peaks];
  let carried = leaf;
  for (let rest = leaves; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = next.pop();
    if (left === undefined) throw new RangeError("an accumulator has a peak for every set bit of its length");
    carried = nodeHash(left, carried);
  }
  next.push(carried);
  return { leaves: leaves + 1, peaks: next };
}

export function rootOf({ leaves, peaks }: Accumulator): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(leaves), true);
  return rootHash(length, ...peaks);
}

/** Root over all of `leaves` at once. */
export function rootOver(leaves: readonly Uint8Array[]): Uint8Array {
  return rootOf(leaves.reduce(append, EMPTY_ACCUMULATOR));
}
