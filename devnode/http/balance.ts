import { type Address, addressBytes } from "../../src/chain/address.ts";
import { type AssetType, address, assetType, uint64 } from "../../src/chain/parameters.ts";
import type { StructTag } from "../../src/chain/type-tag.ts";
import type { EntryFunction } from "../codec/transaction.ts";
import { FRAMEWORK } from "../framework/addresses.ts";
import { callView } from "../vm/call-view.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { bcs, jsonText, type Outcome, reads } from "./endpoint.ts";
import type { Node } from "./node-context.ts";
import { isError } from "./node-error.ts";
import { stateAt } from "./state-lookup.ts";
import { viewError } from "./view.ts";

/** `GET /v1/accounts/{address}/balance/{asset_type}`: base units; a coin and its paired asset count together. */
export const balance = reads({
  path: { address, asset_type: assetType },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const outcome = callView(balanceCall(path.address, path.asset_type), at.state, GAS_SCHEDULE);
    if (outcome.kind !== "returned") return viewError(outcome);
    const bytes = outcome.values[0]?.bytes ?? new Uint8Array(8);
    const units = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
    return format === "json" ? jsonText(String(units)) : bcs(bytes);
  },
});

function balanceCall(owner: Address, of: AssetType): EntryFunction {
  if (of.kind === "coin") {
    return {
      id: { address: FRAMEWORK, module: "coin", name: "balance" },
      typeArguments: [{ kind: "struct", struct: of.tag }],
      arguments: [addressBytes(owner)],
    };
  }
  const metadata: StructTag = { address: FRAMEWORK, module: "fungible_asset", name: "Metadata", typeArguments: [] };
  return {
    id: { address: FRAMEWORK, module: "primary_fungible_store", name: "balance" },
    typeArguments: [{ kind: "struct", struct: metadata }],
    arguments: [addressBytes(owner), addressBytes(of.address)],
  };
}
