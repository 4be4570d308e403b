import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { newEventHandle } from "./account.ts";
import { FRAMEWORK, VM } from "./addresses.ts";
import { type ModuleDefinition, view } from "./define.ts";
import { type EventHandle, emitEvent, eventHandle } from "./event.ts";
import { address, bytes, struct, u8, u64, vector } from "./schema.ts";

export const chainId = struct<{ readonly id: number }>("0x1::chain_id::ChainId", { abilities: ["key"] }, { id: u8 });

const currentTime = struct<{ readonly microseconds: bigint }>(
  "0x1::timestamp::CurrentTimeMicroseconds",
  { abilities: ["key"] },
  { microseconds: u64 },
);

interface BlockResource {
  readonly height: bigint;
  /** Microseconds. */
  readonly epoch_interval: bigint;
  readonly new_block_events: EventHandle;
  readonly update_epoch_interval_events: EventHandle;
}

interface NewBlockEvent {
  readonly hash: Address;
  readonly epoch: bigint;
  readonly round: bigint;
  readonly height: bigint;
  readonly previous_block_votes_bitvec: Uint8Array;
  readonly proposer: Address;
  readonly failed_proposer_indices: readonly bigint[];
  readonly time_microseconds: bigint;
}

interface Configuration {
  readonly epoch: bigint;
  readonly last_reconfiguration_time: bigint;
  readonly events: EventHandle;
}

const newBlockEvent = struct<NewBlockEvent>(
  "0x1::block::NewBlockEvent",
  { abilities: ["copy", "drop", "store"] },
  {
    hash: address,
    epoch: u64,
    round: u64,
    height: u64,
    previous_block_votes_bitvec: bytes,
    proposer: address,
    failed_proposer_indices: vector(u64),
    time_microseconds: u64,
  },
);
const updateEpochIntervalEvent = struct<{ readonly old_epoch_interval: bigint; readonly new_epoch_interval: bigint }>(
  "0x1::block::UpdateEpochIntervalEvent",
  { abilities: ["drop", "store"] },
  { old_epoch_interval: u64, new_epoch_interval: u64 },
);
export const blockResource = struct<BlockResource>(
  "0x1::block::BlockResource",
  { abilities: ["key"] },
  {
    height: u64,
    epoch_interval: u64,
    new_block_events: eventHandle.of(newBlockEvent.type),
    update_epoch_interval_events: eventHandle.of(updateEpochIntervalEvent.type),
  },
);
const newEpochEvent = struct<{ readonly epoch: bigint }>(
  "0x1::reconfiguration::NewEpochEvent",
  { abilities: ["drop", "store"] },
  { epoch: u64 },
);
export const configuration = struct<Configuration>(
  "0x1::reconfiguration::Configuration",
  { abilities: ["key"] },
  { epoch: u64, last_reconfiguration_time: u64, events: eventHandle.of(newEpochEvent.type) },
);

/** Publishes the chain's own resources, in the public framework's order, so that event streams get its numbers. */
export function initializeChain(session: Session, id: number, epochIntervalMicros: bigint): void {
  session.put(configuration, FRAMEWORK, {
    epoch: 0n,
    last_reconfiguration_time: 0n,
    events: newEventHandle(session, FRAMEWORK),
  });
  session.put(blockResource, FRAMEWORK, {
    height: 0n,
    epoch_interval: epochIntervalMicros,
    new_block_events: newEventHandle(session, FRAMEWORK),
    update_epoch_interval_events: newEventHandle(session, FRAMEWORK),
  });
  session.put(chainId, FRAMEWORK, { id });
  session.put(currentTime, FRAMEWORK, { microseconds: 0n });
  emitNewBlock(session, { hash: VM, epoch: 0n, round: 0n, proposer: VM, timestampMicros: 0n, votes: new Uint8Array() });
  startEpoch(session, 0n);
}

interface NewBlock {
  readonly hash: Address;
  readonly epoch: bigint;
  readonly round: bigint;
  readonly proposer: Address;
  readonly timestampMicros: bigint;
  readonly votes: Uint8Array;
}

/** Starts a block: advances time and height, and the epoch when its interval has passed. */
export function beginBlock(session: Session, block: Omit<NewBlock, "epoch">): void {
  const { epoch, last_reconfiguration_time } = session.get(configuration, FRAMEWORK);
  const { epoch_interval } = session.get(blockResource, FRAMEWORK);
  emitNewBlock(session, { ...block, epoch });
  session.put(currentTime, FRAMEWORK, { microseconds: block.timestampMicros });
  if (block.timestampMicros - last_reconfiguration_time >= epoch_interval) startEpoch(session, block.timestampMicros);
}

/** The block's height is its number in the stream of new blocks. */
function emitNewBlock(session: Session, { hash, epoch, round, proposer, timestampMicros, votes }: NewBlock): void {
  const resource = session.get(blockResource, FRAMEWORK);
  const height = resource.new_block_events.counter;
  const handle = emitEvent(session, resource.new_block_events, newBlockEvent, {
    hash,
    epoch,
    round,
    height,
    previous_block_votes_bitvec: votes,
    proposer,
    failed_proposer_indices: [],
    time_microseconds: timestampMicros,
  });
  session.put(blockResource, FRAMEWORK, { ...resource, height, new_block_events: handle });
}

function startEpoch(session: Session, timestampMicros: bigint): void {
  const found = session.get(configuration, FRAMEWORK);
  const epoch = found.epoch + 1n;
  const events = emitEvent(session, found.events, newEpochEvent, { epoch });
  session.put(configuration, FRAMEWORK, { epoch, last_reconfiguration_time: timestampMicros, events });
}

export function nowMicros(session: Session): bigint {
  return session.get(currentTime, FRAMEWORK).microseconds;
}

export const chainModules: readonly ModuleDefinition[] = [
  {
    address: FRAMEWORK,
    name: "chain_id",
    friends: ["0x1::genesis"],
    structs: [chainId],
    functions: [view("get", {}, [], [u8], ({ session }) => [session.get(chainId, FRAMEWORK).id])],
  },
  {
    address: FRAMEWORK,
    name: "timestamp",
    friends: ["0x1::genesis"],
    structs: [currentTime],
    functions: [
      view("now_microseconds", {}, [], [u64], ({ session }) => [nowMicros(session)]),
      view("now_seconds", {}, [], [u64], ({ session }) => [nowMicros(session) / 1_000_000n]),
    ],
  },
  {
    address: FRAMEWORK,
    name: "block",
    friends: ["0x1::genesis"],
    structs: [blockResource, newBlockEvent, updateEpochIntervalEvent],
    functions: [
      view("get_current_block_height", {}, [], [u64], ({ session }) => [session.get(blockResource, FRAMEWORK).height]),
      view("get_epoch_interval_secs", {}, [], [u64], ({ session }) => [
        session.get(blockResource, FRAMEWORK).epoch_interval / 1_000_000n,
      ]),
    ],
  },
  {
    address: FRAMEWORK,
    name: "reconfiguration",
    friends: ["0x1::aptos_governance", "0x1::block", "0x1::genesis"],
    structs: [configuration, newEpochEvent],
    functions: [
      view("current_epoch", {}, [], [u64], ({ session }) => [session.get(configuration, FRAMEWORK).epoch]),
      view("last_reconfiguration_time", {}, [], [u64], ({ session }) => [
        session.get(configuration, FRAMEWORK).last_reconfiguration_time,
      ]),
    ],
  },
];
