import type { Asset } from "../../chain/asset.ts";
import { type EvmAddress, parseEvmAddress } from "./address.ts";

/** ERC-20 contract, identified by its address. */
export interface EvmAsset extends Asset {
  readonly kind: "contract";
  readonly text: EvmAddress;
}

/** Parses the address of a contract; undefined for anything else. */
export function parseContract(text: string): EvmAsset | undefined {
  const address = parseEvmAddress(text);
  return address === undefined ? undefined : { kind: "contract", text: address };
}
