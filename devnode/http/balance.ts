import type { Address } from "../../src/chain/address.ts";
import type { MoveAsset } from "../../src/chain/asset.ts";
import { address, assetType } from "../../src/chain/parameters.ts";
import { encode, u64 } from "../codec/bcs.ts";
import { coinBalance } from "../framework/coin-state.ts";
import { balanceOf } from "../framework/primary-fungible-store.ts";
import { Session } from "../vm/session.ts";
import { bcs, jsonText } from "./endpoint.ts";
import { readsState } from "./state-lookup.ts";

/**
 * `GET /v1/accounts/{address}/balance/{asset_type}`: base units. A missing account, store or asset has balance 0: the
 * state is read, no function is run (aptos-core, api/src/accounts.rs).
 */
export const balance = readsState({ address, asset_type: assetType }, ({ path, format }, at) => {
  const units = unitsOf(new Session(at.state, null), path.address, path.asset_type);
  return format === "json" ? jsonText(String(units)) : bcs(encode(u64, units));
});

function unitsOf(session: Session, owner: Address, of: MoveAsset): bigint {
  return of.kind === "coin" ? coinBalance(session, of.text, owner) : balanceOf(session, owner, of.text);
}
