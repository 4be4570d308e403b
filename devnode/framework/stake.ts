import type { Session } from "../vm/session.ts";
import { nowSeconds } from "./chain.ts";
import { defineModule, tupleView, view } from "./define.ts";
import { address, bool, type Schema, u64 } from "./schema.ts";
import {
  ownerCapability,
  poolAt,
  type StakePool,
  stakePool,
  streams,
  validatorStructs,
  votingPower,
} from "./stake-state.ts";

const VALIDATOR_STATUS_ACTIVE = 2n;
const VALIDATOR_STATUS_INACTIVE = 4n;

/** Reads one value of a pool. */
const reads = <T>(name: string, result: Schema<T>, read: (pool: StakePool, session: Session) => T) =>
  view(name, [address], result, (session, pool) => read(poolAt(session, pool), session));

/**
 * Stake pools as in the public framework, to be read: genesis opens them. The validator set says whose stake
 * would earn rewards; nobody validates here, so no function operates a pool, and no rewards are paid.
 */
export const stakeModule = defineModule("0x1::stake", {
  friends: ["block", "genesis", "reconfiguration", "transaction_fee"],
  structs: [ownerCapability, stakePool, ...validatorStructs, ...Object.values(streams)],
  functions: [
    view("get_current_epoch_voting_power", [address], u64, (session, at) => {
      poolAt(session, at);
      return votingPower(session, at);
    }),
    reads("get_delegated_voter", address, ({ delegated_voter }) => delegated_voter),
    reads("get_lockup_secs", u64, ({ locked_until_secs }) => locked_until_secs),
    reads("get_operator", address, ({ operator_address }) => operator_address),
    reads("get_remaining_lockup_secs", u64, ({ locked_until_secs }, session) => {
      const left = locked_until_secs - nowSeconds(session);
      return left > 0n ? left : 0n;
    }),
    /** (active, inactive, pending_active, pending_inactive) */
    tupleView("get_stake", [address], [u64, u64, u64, u64], (session, at) => {
      const pool = poolAt(session, at);
      return [pool.active.value, pool.inactive.value, pool.pending_active.value, pool.pending_inactive.value];
    }),
    view("get_validator_state", [address], u64, (session, at) =>
      votingPower(session, at) > 0n ? VALIDATOR_STATUS_ACTIVE : VALIDATOR_STATUS_INACTIVE,
    ),
    view("stake_pool_exists", [address], bool, (session, pool) => session.has(stakePool, pool)),
  ],
});
