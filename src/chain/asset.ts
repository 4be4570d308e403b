import { type Address, parseAddress } from "./address.ts";
import { parseStructTag, printStructTag } from "./type-tag.ts";

/** A token on its chain, named so that every unit of it is counted exactly once. The family's parser makes it. */
export interface Asset {
  /** Kind of the asset, which decides how nodes are asked for its supply. */
  readonly kind: string;
  /** Canonical name of the asset, such as its type or address. */
  readonly text: string;
}

/** An asset of the Move family. */
export type MoveAsset =
  /** A coin, by its type. Its supply includes the paired fungible asset. */
  | { readonly kind: "coin"; readonly text: string }
  /** A fungible asset, by the address of its metadata. */
  | { readonly kind: "fungible_asset"; readonly text: Address };

/** Native coin of a Move chain, which is read unless settings or schedule name another asset. */
export const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";

/** Parses a type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for anything else. */
export function parseMoveAsset(text: string): MoveAsset | undefined {
  const metadata = parseAddress(text);
  if (metadata !== undefined) return { kind: "fungible_asset", text: metadata };
  const tag = parseStructTag(text);
  return tag === undefined ? undefined : { kind: "coin", text: printStructTag(tag) };
}
