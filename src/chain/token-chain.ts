import type { Asset, ChainFamily } from "./asset.ts";

/** A token on a further chain, as its schedule says. */
export interface TokenChain {
  /** The `chain` of addresses on it. */
  readonly id: string;
  readonly family: ChainFamily;
  readonly chainId: number;
  readonly asset: Asset;
  /** `issued`: what exists there adds up with the first chain's. `bridged`: it stands for what the escrow holds. */
  readonly supply: "issued" | "bridged";
  /** Where the tokens behind a bridged supply are locked, on another chain; null: it is issued. */
  readonly escrow: { readonly chain: string; readonly address: string } | null;
}

/** The settings of a further chain's nodes, and of their keys. */
export function nodeSettings(id: string): readonly [urls: string, keys: string] {
  const name = id.toUpperCase().replaceAll("-", "_");
  return [`NODE_URLS_${name}`, `NODE_API_KEY_${name}`];
}
