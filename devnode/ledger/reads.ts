import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { accountKeyPrefix, parseStateKey, type StateKey, type StatePlace } from "../vm/state-keys.ts";
import type {
  Block,
  BlockLookup,
  CommittedTransaction,
  EventRecord,
  Found,
  HashLookup,
  Ledger,
  TransactionsLookup,
  VersionFailure,
  VersionPruned,
} from "./api.ts";
import type { BlockRow } from "./block-store.ts";
import type { CommittedChain } from "./committed-chain.ts";
import type { RecordRow } from "./record-store.ts";

/** Maximum transactions in a block's response; the rest is read by version. */
const MAX_BLOCK_TRANSACTIONS = 10_000;

type Reads = Pick<
  Ledger,
  "list" | "transactionByVersion" | "transactions" | "blockByHeight" | "blockByVersion" | "stateAt" | "events"
>;

/** Reads of the committed chain; versions in the future and pruned ones are distinct failures. */
export function readsOf(chain: CommittedChain): Reads {
  const { stores } = chain;
  return {
    list: readPage(chain),
    transactionByVersion: (version) => {
      const failure = versionFailure(chain, version);
      if (failure !== null) return failure;
      const record = stores.records.at(Number(version));
      return record === undefined
        ? { kind: "version_not_found", version }
        : { kind: "found", value: assemble(chain, record) };
    },
    transactions: (start, limit) => readTransactions(chain, start, limit),
    blockByHeight: (height, withTransactions) => readBlock(chain, height, withTransactions),
    blockByVersion: (version, withTransactions) => {
      const failure = versionFailure(chain, version);
      if (failure !== null) return failure;
      const block = stores.blocks.holding(Number(version));
      return block === undefined ? { kind: "version_not_found", version } : blockIn(chain, block, withTransactions);
    },
    stateAt: (requested) => {
      const version = requested ?? BigInt(chain.tip.last);
      const failure = versionFailure(chain, version);
      if (failure !== null) return failure;
      const atTip = Number(version) === chain.tip.last;
      const block = atTip ? chain.tip : stores.blocks.holding(Number(version));
      const state = atTip ? stores.state.newest : stores.state.at(Number(version));
      return { kind: "found", version, timestampMicros: BigInt(block?.timestampMicros ?? 0), state };
    },
    events: (address, creationNumber, start, limit) => readEvents(chain, address, creationNumber, start, limit),
  };
}

function versionFailure(chain: CommittedChain, version: bigint): VersionFailure | null {
  if (version > BigInt(chain.tip.last)) return { kind: "version_not_found", version };
  return version < BigInt(chain.oldest.version) ? { kind: "version_pruned", version } : null;
}

/** The newest pruned version: reported for a range that begins before the stored history. */
function prunedBefore(chain: CommittedChain): VersionPruned {
  return { kind: "version_pruned", version: BigInt(chain.oldest.version - 1) };
}

export function committedWithHash(chain: CommittedChain, hash: HashValue): (HashLookup & { kind: "found" }) | null {
  const record = chain.stores.records.withHash(hash);
  return record === undefined ? null : { kind: "found", value: assemble(chain, record) };
}

const readPage =
  (chain: CommittedChain): Ledger["list"] =>
  (kind, address, requested, requestedCursor, limit) => {
    const version = requested ?? BigInt(chain.tip.last);
    const failure = versionFailure(chain, version);
    if (failure !== null) return failure;
    const prefix = accountKeyPrefix(address);
    const cursor = requestedCursor === null ? null : parseStateKey(requestedCursor);
    if (cursor === undefined || (cursor !== null && !cursor.key.startsWith(prefix))) return { kind: "bad_cursor" };
    const found = chain.stores.state.list(kind, prefix, cursor?.key ?? null, Number(version), limit + 1);
    const items = found.slice(0, limit).map(({ key, value }) => ({ place: placeOf(key), value }));
    return { kind: "page", items, nextCursor: found[limit]?.key ?? null };
  };

function placeOf(key: StateKey): StatePlace {
  const parsed = parseStateKey(key);
  if (parsed === undefined) throw new Error(`the ledger contains a malformed key ${key}`);
  return parsed.place;
}

function readTransactions(chain: CommittedChain, requested: bigint | null, limit: number): TransactionsLookup {
  const start = requested ?? BigInt(Math.max(chain.oldest.version, chain.tip.last - limit + 1));
  const failure = versionFailure(chain, start);
  if (failure?.kind === "version_not_found") return { kind: "start_beyond_tip", start };
  if (failure !== null) return failure;
  const records = chain.stores.records.from(Number(start), limit);
  return { kind: "found", value: records.map((record) => assemble(chain, record)) };
}

function readBlock(chain: CommittedChain, height: bigint, withTransactions: boolean): BlockLookup {
  if (height > BigInt(chain.tip.height)) return { kind: "block_not_found", height };
  if (height < BigInt(chain.oldest.height)) return { kind: "block_pruned", height };
  const row = chain.stores.blocks.atHeight(Number(height));
  return row === undefined ? { kind: "block_not_found", height } : blockIn(chain, row, withTransactions);
}

function blockIn(chain: CommittedChain, row: BlockRow, withTransactions: boolean): Found<Block> {
  const count = Math.min(MAX_BLOCK_TRANSACTIONS, row.last - row.first + 1);
  const records = withTransactions ? chain.stores.records.from(row.first, count) : null;
  return { kind: "found", value: { ...row, transactions: records?.map((record) => assemble(chain, record)) ?? null } };
}

/** Combines a stored record with its block, its events and the values it wrote. */
function assemble(
  { stores }: CommittedChain,
  { sender, sequenceNumber, changes, ...record }: RecordRow,
): CommittedTransaction {
  const block = stores.blocks.atHeight(record.height);
  if (block === undefined) throw new Error(`version ${record.version} is in no block`);
  const { version } = record;
  return { ...record, block, events: stores.events.of(version), changes: stores.state.changesAt(version, changes) };
}

/** Sequence numbers are u64 on the wire; every number in use is far below 2^53. */
function toSequenceNumber(number: bigint): number {
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}

function readEvents(
  chain: CommittedChain,
  address: Address,
  creationNumber: bigint,
  requested: bigint | null,
  limit: number,
): Found<readonly EventRecord[]> | VersionPruned {
  const { events } = chain.stores;
  const creation = toSequenceNumber(creationNumber);
  const count = events.count(address, creation);
  const found = events.inStream(address, creation, startOf(requested, count, limit), limit);
  const reached = found[0]?.event.sequenceNumber ?? BigInt(count);
  if (requested !== null && requested < reached) return prunedBefore(chain);
  return { kind: "found", value: found.map(({ version, event }) => ({ version: BigInt(version), event })) };
}

/** Without a request the latest `limit` of `count`. */
function startOf(requested: bigint | null, count: number, limit: number): number {
  return requested === null ? Math.max(0, count - limit) : toSequenceNumber(requested);
}

/** Committed transactions of one sender; `next` is its current sequence number. */
export function readSent(
  chain: CommittedChain,
  sender: Address,
  next: bigint,
  requested: bigint | null,
  limit: number,
): Found<readonly CommittedTransaction[]> | VersionPruned {
  const found = chain.stores.records.sentBy(sender, startOf(requested, Number(next), limit), limit);
  const reached = BigInt(found[0]?.sequenceNumber ?? next);
  if (requested !== null && requested < reached) return prunedBefore(chain);
  return { kind: "found", value: found.map((record) => assemble(chain, record)) };
}
