import type { Stores } from "./stores.ts";

/** Where stored history begins. */
export interface Pruned {
  readonly version: number;
  readonly height: number;
}

/** How many versions one block drops, rounded up to whole blocks. A narrowed window is reached over several blocks. */
const MAX_VERSIONS_PER_BLOCK = 1_000;

/**
 * Drops whole blocks from `from` on, none with `firstNeeded` or a later version. State at the oldest remaining version
 * stays readable: each key keeps its newest value at or before it. Used inside a storage transaction only.
 */
export function pruneTo(stores: Stores, from: Pruned, firstNeeded: number): Pruned {
  let oldest = from;
  for (;;) {
    const block = stores.blocks.atHeight(oldest.height);
    if (block === undefined || block.last >= firstNeeded || oldest.version >= from.version + MAX_VERSIONS_PER_BLOCK)
      return oldest;
    const next = { version: block.last + 1, height: block.height + 1 };
    for (let version = oldest.version; version < next.version; version += 1) dropVersion(stores, version, next.version);
    const remaining = stores.records.at(next.version);
    stores.state.prune(next.version, remaining?.changes ?? [], next.version);
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
