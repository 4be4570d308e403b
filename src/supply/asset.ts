import { type Address, parseAddress } from "../chain/address.ts";
import { parseStructTag, printStructTag } from "../chain/type-tag.ts";
import type { Config } from "../config.ts";

/** The embedded node's stable token. */
export const EMBEDDED_STABLE_ASSET = "0x739e8e65915e27e4288fe548a5aa33ebfe29e313cc921f81f65b50923eaeb451";

/** An asset to count, in the one form that counts all of it exactly once. */
export type Asset =
  /** A coin's type. Its supply includes the paired fungible asset. */
  | { readonly kind: "coin"; readonly type: string }
  /** The metadata address of a fungible asset. */
  | { readonly kind: "fungible_asset"; readonly metadata: Address };

/** A type tag such as `0x1::aptos_coin::AptosCoin`, or an address; undefined for anything else. */
export function parseAsset(text: string): Asset | undefined {
  if (text.includes("::")) {
    const tag = parseStructTag(text);
    return tag === undefined ? undefined : { kind: "coin", type: printStructTag(tag) };
  }
  const metadata = parseAddress(text);
  return metadata === undefined ? undefined : { kind: "fungible_asset", metadata };
}

/** The canonical form. */
export function assetText(asset: Asset): string {
  return asset.kind === "coin" ? asset.type : asset.metadata;
}

/** The assets to count; null: this deployment has no stable token. */
export interface Assets {
  readonly native: Asset;
  readonly stable: Asset | null;
}

/** The configured assets, or the problems with them. */
export function assetsOf({ nativeAsset, stableAsset, nodeUrls }: Config): Assets | { readonly problems: string[] } {
  const stableText = stableAsset ?? (nodeUrls.length === 0 ? EMBEDDED_STABLE_ASSET : null);
  const native = parseAsset(nativeAsset);
  const stable = stableText === null ? null : parseAsset(stableText);
  if (native !== undefined && stable !== undefined) return { native, stable };
  const wrong = { NATIVE_ASSET: native, STABLE_ASSET: stable };
  const names = Object.entries(wrong).filter(([, asset]) => asset === undefined);
  return { problems: names.map(([name]) => `${name} is neither a type tag nor an address`) };
}
