import { type Address, parseAddress } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { VM } from "../framework/addresses.ts";
import { beginBlock } from "../framework/chain.ts";
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

/**
 * Votes on the block before, one bit per validator: a development chain collects none. The record and its event agree.
 */
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
    time_microseconds: timestampMicros,
    previous_block_votes_bitvec: PREVIOUS_BLOCK_VOTES,
  });
  return { status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: session.events() };
}
