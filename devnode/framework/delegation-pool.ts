import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { simpleMap } from "./containers.ts";
import { defineModule, tupleView, view } from "./define.ts";
import { address, bool, structsOf, u64 } from "./schema.ts";
import { addStake, createPool, type Stake } from "./stake-state.ts";

const declare = structsOf("0x1::delegation_pool");

const delegatedStake = declare("DelegatedStake", ["store"], { active: u64, inactive: u64, pending_inactive: u64 });
/** A pool with the stake of each delegator, in base units instead of shares, because there are no rewards. */
const delegationPool = declare("DelegationPool", ["key"], {
  delegators: simpleMap(address, delegatedStake),
  operator_commission_percentage: u64,
});

/** As published: the commission in hundredths of a percent, 8 %. */
const COMMISSION = 800n;

const abort = aborts("0x1::delegation_pool", {
  EDELEGATION_POOL_DOES_NOT_EXIST: [3, "Delegation pool does not exist at the provided pool address."],
});

/** Adds a delegator's stake to a pool, which the first one opens. The caller must count it in the coin's supply. */
export function delegate(session: Session, pool: Address, delegator: Address, stake: Stake, until: bigint): void {
  const { active, inactive, pendingInactive } = stake;
  if (!session.has(delegationPool, pool)) {
    createPool(session, pool, { operator: pool, voter: pool, stake: EMPTY, lockedUntilSeconds: until });
    session.put(delegationPool, pool, { delegators: { data: [] }, operator_commission_percentage: COMMISSION });
  }
  addStake(session, pool, { active, inactive, pendingInactive, pendingActive: 0n });
  const { delegators, ...rest } = session.get(delegationPool, pool);
  const entry = { key: delegator, value: { active, inactive, pending_inactive: pendingInactive } };
  session.put(delegationPool, pool, { ...rest, delegators: { data: [...delegators.data, entry] } });
}

const EMPTY: Stake = { active: 0n, inactive: 0n, pendingActive: 0n, pendingInactive: 0n };

function poolAt(session: Session, pool: Address) {
  return session.get(delegationPool, pool, () => abort("invalid_argument", "EDELEGATION_POOL_DOES_NOT_EXIST"));
}

/** Delegation pools opened by genesis: their state can be read; nothing is added, unlocked or withdrawn. */
export const delegationPoolModule = defineModule("0x1::delegation_pool", {
  friends: ["genesis"],
  structs: [delegatedStake, delegationPool],
  functions: [
    view("delegation_pool_exists", [address], bool, (session, pool) => session.has(delegationPool, pool)),
    /** (active and pending active, inactive, pending inactive) */
    tupleView("get_stake", [address, address], [u64, u64, u64], (session, pool, delegator) => {
      const stake = poolAt(session, pool).delegators.data.find(({ key }) => key === delegator)?.value;
      return stake === undefined ? [0n, 0n, 0n] : [stake.active, stake.inactive, stake.pending_inactive];
    }),
    view(
      "operator_commission_percentage",
      [address],
      u64,
      (session, pool) => poolAt(session, pool).operator_commission_percentage,
    ),
  ],
});
