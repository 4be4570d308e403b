import type { Stores } from "./stores.ts";

/** Where stored history begins. */
export interface Pruned {
  readonly version: number;
  readonly height: number;
}

/** About how many versions are dropped with one block: after a window was narrowed, the rest follows with later blocks. */
const MOST_AT_ONCE = 1_000;

/**
 * Drops whole blocks from `from` on while `wanted` and later versions stay. State as of the oldest kept version stays
 * readable: of each key the newest value at or before it is kept. Used inside a storage transaction only.
 */
export function pruneTo(stores: Stores, from: Pruned, wanted: number): Pruned {
  let oldest = from;
  for (;;) {
    const block = stores.blocks.atHeight(oldest.height);
    if (block === undefined || block.last >= wanted || oldest.version >= from.version + MOST_AT_ONCE) return oldest;
    const next = { version: block.last + 1, height: block.height + 1 };
    for (let version = oldest.version; version < next.version; version += 1) dropVersion(stores, version, next.version);
    const kept = stores.records.at(next.version);
    stores.state.prune(next.version, kept?.changes ?? [], next.version);
    stores.blocks.drop(block.height);
    oldest = next;
  }
}

function dropVersion(stores: Stores, version: number, oldest: number): void {
  const record = stores.records.at(version);
  if (record !== undefined) stores.state.prune(version, record.changes, oldest);
  stores.events.drop(version);
  stores.records.drop(version);
}
