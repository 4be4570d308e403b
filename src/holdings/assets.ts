import { type Asset, parseAsset } from "../chain/asset.ts";
import type { Config } from "../config.ts";

/** The embedded node's stable token. */
export const EMBEDDED_STABLE_ASSET = "0x739e8e65915e27e4288fe548a5aa33ebfe29e313cc921f81f65b50923eaeb451";

/** The assets to count; null: this deployment has no stable token. */
export interface Assets {
  readonly native: Asset;
  readonly stable: Asset | null;
}

/** The configured assets, or the problems with them. */
export function assetsOf({ nativeAsset, stableAsset, chain }: Config): Assets | { readonly problems: string[] } {
  const stableText = stableAsset ?? (chain === "embedded" ? EMBEDDED_STABLE_ASSET : null);
  const native = parseAsset(nativeAsset);
  const stable = stableText === null ? null : parseAsset(stableText);
  if (native !== undefined && stable !== undefined) return { native, stable };
  const wrong = { NATIVE_ASSET: native, STABLE_ASSET: stable };
  const names = Object.entries(wrong).filter(([, asset]) => asset === undefined);
  return { problems: names.map(([name]) => `${name} is neither a type tag nor an address`) };
}
