import type { Session } from "../vm/session.ts";
import { newStreams } from "./account.ts";
import { FRAMEWORK, VM } from "./addresses.ts";
import { defineModule, type ModuleDefinition, view } from "./define.ts";
import { emitOn, handlesOf } from "./event.ts";
import { address, bool, bytes, struct, u8, u64, type ValueOf, vector } from "./schema.ts";

export const chainId = struct("0x1::chain_id::ChainId", ["key"], { id: u8 });

const currentTime = struct("0x1::timestamp::CurrentTimeMicroseconds", ["key"], { microseconds: u64 });

const newBlockEvent = struct("0x1::block::NewBlockEvent", ["copy", "drop", "store"], {
  hash: address,
  epoch: u64,
  round: u64,
  height: u64,
  previous_block_votes_bitvec: bytes,
  proposer: address,
  failed_proposer_indices: vector(u64),
  time_microseconds: u64,
});
const updateEpochIntervalEvent = struct("0x1::block::UpdateEpochIntervalEvent", ["drop", "store"], {
  old_epoch_interval: u64,
  new_epoch_interval: u64,
});
const blockStreams = { new_block_events: newBlockEvent, update_epoch_interval_events: updateEpochIntervalEvent };
/** The epoch's interval is in microseconds. */
export const blockResource = struct("0x1::block::BlockResource", ["key"], {
  height: u64,
  epoch_interval: u64,
  ...handlesOf(blockStreams),
});
const newEpochEvent = struct("0x1::reconfiguration::NewEpochEvent", ["drop", "store"], { epoch: u64 });
const epochStreams = { events: newEpochEvent };
export const configuration = struct("0x1::reconfiguration::Configuration", ["key"], {
  epoch: u64,
  last_reconfiguration_time: u64,
  ...handlesOf(epochStreams),
});

/** Ends genesis: a chain that has it operates. */
const genesisEndMarker = struct("0x1::chain_status::GenesisEndMarker", ["key"], { dummy_field: bool });

/** Publishes the chain's own resources, in the public framework's order, so that event streams get its numbers. */
export function initializeChain(session: Session, id: number, epochIntervalMicros: bigint): void {
  session.put(configuration, FRAMEWORK, {
    epoch: 0n,
    last_reconfiguration_time: 0n,
    ...newStreams(session, FRAMEWORK, epochStreams),
  });
  session.put(blockResource, FRAMEWORK, {
    height: 0n,
    epoch_interval: epochIntervalMicros,
    ...newStreams(session, FRAMEWORK, blockStreams),
  });
  session.put(chainId, FRAMEWORK, { id });
  session.put(currentTime, FRAMEWORK, { microseconds: 0n });
  session.put(genesisEndMarker, FRAMEWORK, { dummy_field: false });
  const votes = { previous_block_votes_bitvec: new Uint8Array() };
  emitNewBlock(session, { ...votes, hash: VM, epoch: 0n, round: 0n, proposer: VM, time_microseconds: 0n });
  startEpoch(session, 0n);
}

/** The height is the event's own number, and no proposer fails here. */
type NewBlock = Omit<ValueOf<typeof newBlockEvent>, "height" | "failed_proposer_indices">;

/** Starts a block: advances time and height, and the epoch when its interval has passed. */
export function beginBlock(session: Session, block: Omit<NewBlock, "epoch">): void {
  const { epoch, last_reconfiguration_time } = session.get(configuration, FRAMEWORK);
  const { epoch_interval } = session.get(blockResource, FRAMEWORK);
  emitNewBlock(session, { ...block, epoch });
  const now = block.time_microseconds;
  session.put(currentTime, FRAMEWORK, { microseconds: now });
  if (now - last_reconfiguration_time >= epoch_interval) startEpoch(session, now);
}

/** The block's height is its number in the stream of new blocks. */
function emitNewBlock(session: Session, block: NewBlock): void {
  const resource = session.get(blockResource, FRAMEWORK);
  const height = resource.new_block_events.counter;
  const event = { ...block, height, failed_proposer_indices: [] };
  const emitted = emitOn(session, blockStreams, resource, "new_block_events", event);
  session.put(blockResource, FRAMEWORK, { ...emitted, height });
}

function startEpoch(session: Session, timestampMicros: bigint): void {
  const found = session.get(configuration, FRAMEWORK);
  const next = { ...found, epoch: found.epoch + 1n, last_reconfiguration_time: timestampMicros };
  session.put(configuration, FRAMEWORK, emitOn(session, epochStreams, next, "events", { epoch: next.epoch }));
}

export function nowMicros(session: Session): bigint {
  return session.get(currentTime, FRAMEWORK).microseconds;
}

export function nowSeconds(session: Session): bigint {
  return nowMicros(session) / 1_000_000n;
}

export const chainModules: readonly ModuleDefinition[] = [
  defineModule("0x1::chain_id", {
    friends: ["genesis"],
    structs: [chainId],
    functions: [view("get", [], u8, (session) => session.get(chainId, FRAMEWORK).id)],
  }),
  defineModule("0x1::chain_status", {
    friends: ["genesis"],
    structs: [genesisEndMarker],
    functions: [
      view("is_genesis", [], bool, (session) => !session.has(genesisEndMarker, FRAMEWORK)),
      view("is_operating", [], bool, (session) => session.has(genesisEndMarker, FRAMEWORK)),
    ],
  }),
  defineModule("0x1::timestamp", {
    friends: ["genesis"],
    structs: [currentTime],
    functions: [view("now_microseconds", [], u64, nowMicros), view("now_seconds", [], u64, nowSeconds)],
  }),
  defineModule("0x1::block", {
    friends: ["genesis"],
    structs: [blockResource, newBlockEvent, updateEpochIntervalEvent],
    functions: [
      view("get_current_block_height", [], u64, (session) => session.get(blockResource, FRAMEWORK).height),
      view(
        "get_epoch_interval_secs",
        [],
        u64,
        (session) => session.get(blockResource, FRAMEWORK).epoch_interval / 1_000_000n,
      ),
    ],
  }),
  defineModule("0x1::reconfiguration", {
    friends: ["aptos_governance", "block", "genesis"],
    structs: [configuration, newEpochEvent],
    functions: [
      view("current_epoch", [], u64, (session) => session.get(configuration, FRAMEWORK).epoch),
      view(
        "last_reconfiguration_time",
        [],
        u64,
        (session) => session.get(configuration, FRAMEWORK).last_reconfiguration_time,
      ),
    ],
  }),
];
