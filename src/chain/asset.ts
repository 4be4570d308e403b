import { type Address, parseAddress } from "./address.ts";
import { type EvmAddress, parseEvmAddress } from "./evm-address.ts";
import { parseStructTag, printStructTag } from "./type-tag.ts";

/** Of chains: what their addresses, nodes and assets are like. */
export type ChainFamily = "move" | "evm";

/** What a reading is of, in the words of a chain's family. */
export const VERSION_WORDS: Readonly<Record<ChainFamily, string>> = { move: "ledger version", evm: "block" };

/** The Move chain's own coin, which is measured unless a setting names another asset. */
export const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";

/** An asset in the one form that counts all of it exactly once. */
export type Asset = MoveAsset | EvmAsset;

/** An asset of the Move family. */
export type MoveAsset =
  /** A coin's type. Its supply includes the paired fungible asset. */
  | { readonly kind: "coin"; readonly type: string }
  /** The metadata address of a fungible asset. */
  | { readonly kind: "fungible_asset"; readonly metadata: Address };

/** An ERC-20 contract. */
interface EvmAsset {
  readonly kind: "contract";
  readonly address: EvmAddress;
}

/** A type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for anything else. */
export function parseAsset(text: string): MoveAsset | undefined {
  const metadata = parseAddress(text);
  if (metadata !== undefined) return { kind: "fungible_asset", metadata };
  const tag = parseStructTag(text);
  return tag === undefined ? undefined : { kind: "coin", type: printStructTag(tag) };
}

/** The address of a contract on an EVM chain; undefined for anything else. */
export function parseContract(text: string): EvmAsset | undefined {
  const address = parseEvmAddress(text);
  return address === undefined ? undefined : { kind: "contract", address };
}

export function familyOf({ kind }: Asset): ChainFamily {
  return kind === "contract" ? "evm" : "move";
}

/** The canonical form. */
export function assetText(asset: Asset): string {
  if (asset.kind === "contract") return asset.address;
  return asset.kind === "coin" ? asset.type : asset.metadata;
}
