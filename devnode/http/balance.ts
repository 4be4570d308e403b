import { type Address, addressBytes, parseAddress } from "../../src/chain/address.ts";
import { parseStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import type { EntryFunction } from "../codec/transaction.ts";
import { FRAMEWORK } from "../framework/addresses.ts";
import { callView } from "../vm/call-view.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { address } from "./chain-parameters.ts";
import { bcs, jsonText, type Outcome, reads } from "./endpoint.ts";
import type { Node } from "./node-context.ts";
import { isError } from "./node-error.ts";
import { type Parameter, uint64 } from "./parameters.ts";
import { stateAt } from "./state-lookup.ts";
import { viewError } from "./view.ts";

/** A coin's type, or the address of a fungible asset. */
type Asset =
  | { readonly kind: "coin"; readonly tag: StructTag }
  | { readonly kind: "object"; readonly address: Address };

const asset: Parameter<Asset> = {
  type: "string(AssetType)",
  parse: (text) => {
    const at = parseAddress(text);
    if (at !== undefined) return { ok: true, value: { kind: "object", address: at } };
    const tag = parseStructTag(text);
    return tag === undefined
      ? { ok: false, why: `invalid asset type: ${text}` }
      : { ok: true, value: { kind: "coin", tag } };
  },
};

/** `GET /v1/accounts/{address}/balance/{asset_type}`: base units; a coin and its paired asset count together. */
export const balance = reads({
  path: { address, asset_type: asset },
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

function balanceCall(owner: Address, of: Asset): EntryFunction {
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
