import { type Address, parseAddress } from "./address.ts";
import { parseStructTag, printStructTag } from "./type-tag.ts";

/** An asset in the one form that counts all of it exactly once. */
export type Asset =
  /** A coin's type. Its supply includes the paired fungible asset. */
  | { readonly kind: "coin"; readonly type: string }
  /** The metadata address of a fungible asset. */
  | { readonly kind: "fungible_asset"; readonly metadata: Address };

/** A type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for anything else. */
export function parseAsset(text: string): Asset | undefined {
  const metadata = parseAddress(text);
  if (metadata !== undefined) return { kind: "fungible_asset", metadata };
  const tag = parseStructTag(text);
  return tag === undefined ? undefined : { kind: "coin", type: printStructTag(tag) };
}

/** The canonical form. */
export function assetText(asset: Asset): string {
  return asset.kind === "coin" ? asset.type : asset.metadata;
}
