import { type Address, parseAddress } from "../chain/address.ts";
import { parseStructTag, printStructTag } from "../chain/type-tag.ts";

/** What to count, in the one form that counts all of it once. */
export type Asset =
  /** A coin's type. Its supply already counts the fungible asset that it is paired with. */
  | { readonly kind: "coin"; readonly type: string }
  /** The metadata address of a fungible asset. */
  | { readonly kind: "fungible_asset"; readonly metadata: Address };

/** A type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for everything else. */
export function parseAsset(text: string): Asset | undefined {
  if (text.includes("::")) {
    const tag = parseStructTag(text);
    return tag === undefined ? undefined : { kind: "coin", type: printStructTag(tag) };
  }
  const metadata = parseAddress(text);
  return metadata === undefined ? undefined : { kind: "fungible_asset", metadata };
}

/** The canonical spelling. */
export function assetText(asset: Asset): string {
  return asset.kind === "coin" ? asset.type : asset.metadata;
}
