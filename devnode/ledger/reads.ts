import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { accountKeyPrefix, parseStateKey, type StatePlace } from "../vm/state-keys.ts";
import type {
  BlockLookup,
  CommittedTransaction,
  EventRecord,
  Found,
  HashLookup,
  Ledger,
  Page,
  TransactionsLookup,
  VersionFailure,
  VersionPruned,
} from "./api.ts";
import { assemble, blockOf } from "./assemble-record.ts";
import type { BlockRow } from "./block-store.ts";
import type { Chain } from "./committed-chain.ts";
import type { Listed } from "./state-store.ts";

/** Most transactions that a block's answer carries; the rest is fetched by version. */
const MOST_IN_BLOCK_ANSWER = 10_000;

type Reads = Pick<
  Ledger,
  "transactionByVersion" | "transactions" | "blockByHeight" | "blockByVersion" | "stateAt" | "events"
>;

/** What can be read of the committed chain, told from what is not there yet and what is there no more. */
export function readsOf(chain: Chain): Reads {
  const { stores } = chain;
  return {
    transactionByVersion: (version) => {
      const failure = versionFault(chain, version);
      if (failure !== null) return failure;
      const record = stores.records.at(Number(version));
      return record === undefined
        ? { kind: "version_not_found", version }
        : { kind: "found", value: assemble(stores, record) };
    },
    transactions: (start, limit) => readTransactions(chain, start, limit),
    blockByHeight: (height, withTransactions) => readBlock(chain, height, withTransactions),
    blockByVersion: (version, withTransactions) =>
      versionFault(chain, version) ?? shown(chain, stores.blocks.holding(Number(version)), version, withTransactions),
    stateAt: (asked) => {
      const version = asked ?? BigInt(chain.tip.last);
      const failure = versionFault(chain, version);
      if (failure !== null) return failure;
      const atTip = Number(version) === chain.tip.last;
      const block = atTip ? chain.tip : stores.blocks.holding(Number(version));
      const state = atTip ? stores.state.newest : stores.state.at(Number(version));
      return { kind: "found", version, timestampMicros: BigInt(block?.timestampMicros ?? 0), state };
    },
    events: (address, creationNumber, start, limit) => readEvents(chain, address, creationNumber, start, limit),
  };
}

function versionFault(chain: Chain, version: bigint): VersionFailure | null {
  if (version > BigInt(chain.tip.last)) return { kind: "version_not_found", version };
  return version < BigInt(chain.oldest.version) ? { kind: "version_pruned", version } : null;
}

/** The newest version that is gone: what a range that begins before the stored history is said to want. */
function prunedBefore(chain: Chain): VersionPruned {
  return { kind: "version_pruned", version: BigInt(chain.oldest.version - 1) };
}

export function committedWithHash(chain: Chain, hash: HashValue): (HashLookup & { kind: "found" }) | null {
  const record = chain.stores.records.withHash(hash);
  return record === undefined ? null : { kind: "found", value: assemble(chain.stores, record) };
}

export function readPage<Item>(
  chain: Chain,
  kind: "module" | "resource",
  scope: { readonly address: Address; readonly version: bigint | null; readonly cursor: string | null },
  limit: number,
  itemOf: (place: StatePlace, listed: Listed) => Item,
): Page<Item> | VersionFailure | { readonly kind: "bad_cursor" } {
  const version = scope.version ?? BigInt(chain.tip.last);
  const failure = versionFault(chain, version);
  if (failure !== null) return failure;
  const prefix = accountKeyPrefix(scope.address);
  const cursor = scope.cursor === null ? null : parseStateKey(scope.cursor);
  if (cursor === undefined || (cursor !== null && !cursor.key.startsWith(prefix))) return { kind: "bad_cursor" };
  const found = chain.stores.state.list(kind, prefix, cursor?.key ?? null, Number(version), limit + 1);
  return {
    kind: "page",
    items: found.slice(0, limit).map((listed) => itemOf(placeOf(listed), listed)),
    nextCursor: found[limit]?.key ?? null,
  };
}

function placeOf({ key }: Listed): StatePlace {
  const parsed = parseStateKey(key);
  if (parsed === undefined) throw new Error(`the ledger holds an unreadable key ${key}`);
  return parsed.place;
}

function readTransactions(chain: Chain, asked: bigint | null, limit: number): TransactionsLookup {
  const start = asked ?? BigInt(Math.max(chain.oldest.version, chain.tip.last - limit + 1));
  const failure = versionFault(chain, start);
  if (failure?.kind === "version_not_found") return { kind: "start_beyond_tip", start };
  if (failure !== null) return failure;
  const records = chain.stores.records.from(Number(start), limit);
  return { kind: "found", value: records.map((record) => assemble(chain.stores, record)) };
}

function readBlock(chain: Chain, height: bigint, withTransactions: boolean): BlockLookup {
  if (height > BigInt(chain.tip.height)) return { kind: "block_not_found", height };
  if (height < BigInt(chain.oldest.height)) return { kind: "block_pruned", height };
  const row = chain.stores.blocks.atHeight(Number(height));
  if (row === undefined) return { kind: "block_not_found", height };
  return { kind: "found", value: blockOf(chain.stores, row, withTransactions ? MOST_IN_BLOCK_ANSWER : 0) };
}

function shown(chain: Chain, row: BlockRow | undefined, version: bigint, withTransactions: boolean): BlockLookup {
  if (row === undefined) return { kind: "version_not_found", version };
  return { kind: "found", value: blockOf(chain.stores, row, withTransactions ? MOST_IN_BLOCK_ANSWER : 0) };
}

/** Sequence numbers are u64 on the wire; what was ever reached is far below 2^53. */
function reachable(number: bigint): number {
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}

function readEvents(
  chain: Chain,
  address: Address,
  creationNumber: bigint,
  asked: bigint | null,
  limit: number,
): Found<readonly EventRecord[]> | VersionPruned {
  const { events } = chain.stores;
  const creation = reachable(creationNumber);
  const count = events.count(address, creation);
  const start = asked === null ? Math.max(0, count - limit) : reachable(asked);
  const found = events.inStream(address, creation, start, limit);
  const reached = found[0]?.event.sequenceNumber ?? BigInt(count);
  if (asked !== null && asked < reached) return prunedBefore(chain);
  return { kind: "found", value: found.map(({ version, event }) => ({ version: BigInt(version), event })) };
}

/** Committed transactions of one sender; `next` is its sequence number now. */
export function readSent(
  chain: Chain,
  sender: Address,
  next: bigint,
  asked: bigint | null,
  limit: number,
): Found<readonly CommittedTransaction[]> | VersionPruned {
  const start = asked === null ? Math.max(0, Number(next) - limit) : reachable(asked);
  const found = chain.stores.records.sentBy(sender, start, limit);
  const reached = BigInt(found[0]?.sequenceNumber ?? next);
  if (asked !== null && asked < reached) return prunedBefore(chain);
  return { kind: "found", value: found.map((record) => assemble(chain.stores, record)) };
}
