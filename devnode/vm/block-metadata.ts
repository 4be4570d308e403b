import { type Address, parseAddress } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { FRAMEWORK, VM } from "../framework/addresses.ts";
import { beginBlock, blockResource, chainId, configuration, nowMicros } from "../framework/chain.ts";
import type { Effects } from "./effects.ts";
import { Session } from "./session.ts";
import type { StateReader } from "./state-keys.ts";

/** The header of a block, known before its transactions run. */
export interface BlockHead {
  readonly hash: HashValue;
  readonly round: bigint;
  readonly proposer: Address;
  /** Microseconds since 1970; later than the block before. */
  readonly timestampMicros: bigint;
}

/** Position of the chain, read from the state. */
export interface ChainHead {
  readonly chainId: number;
  readonly epoch: bigint;
  readonly blockHeight: bigint;
  readonly timestampMicros: bigint;
}

/** Votes on the block before, one bit per validator: a development chain collects none. The record and its event agree. */
export const PREVIOUS_BLOCK_VOTES = Uint8Array.of(0);

/** The block's first transaction: advances time and height, and the epoch when its interval has passed. */
export function executeBlockMetadata(
  { hash, round, proposer, timestampMicros }: BlockHead,
  state: StateReader,
): Effects {
  const session = new Session(state, null);
  // The event contains the hash as an address, as the public framework emits it.
  beginBlock(session, {
    hash: parseAddress(hash) ?? VM,
    round,
    proposer,
    timestampMicros,
    votes: PREVIOUS_BLOCK_VOTES,
  });
  return { status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: session.events() };
}

export function readChainHead(state: StateReader): ChainHead {
  const session = new Session(state, null);
  return {
    chainId: session.get(chainId, FRAMEWORK).id,
    epoch: session.get(configuration, FRAMEWORK).epoch,
    blockHeight: session.get(blockResource, FRAMEWORK).height,
    timestampMicros: nowMicros(session),
  };
}
