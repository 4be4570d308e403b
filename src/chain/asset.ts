import { type Address, parseAddress } from "./address.ts";
import { parseStructTag, printStructTag } from "./type-tag.ts";

/** A token on its chain, in the one form that counts all of it exactly once. Its family's parser makes it. */
export interface Asset {
  /** How nodes are asked for it. */
  readonly kind: string;
  /** The canonical name. */
  readonly text: string;
}

/** An asset of the Move family. */
export type MoveAsset =
  /** A coin, by its type. Its supply includes the paired fungible asset. */
  | { readonly kind: "coin"; readonly text: string }
  /** A fungible asset, by the address of its metadata. */
  | { readonly kind: "fungible_asset"; readonly text: Address };

/** The Move chain's own coin, which is measured unless something names another asset. */
export const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";

/** A type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for anything else. */
export function parseAsset(text: string): MoveAsset | undefined {
  const metadata = parseAddress(text);
  if (metadata !== undefined) return { kind: "fungible_asset", text: metadata };
  const tag = parseStructTag(text);
  return tag === undefined ? undefined : { kind: "coin", text: printStructTag(tag) };
}
