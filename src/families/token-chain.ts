import type { Asset } from "../chain/asset.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import { type ChainFamily, DEFAULT_FAMILY, familyOf } from "./family.ts";

/** A token on one of its chains. */
export interface TokenChain {
  /** The `chain` of addresses on it. */
  readonly id: string;
  readonly family: ChainFamily;
  /** null: learned from its nodes. */
  readonly chainId: number | null;
  readonly asset: Asset;
  /** `issued`: what exists there adds up with the other chains'. `bridged`: it stands for what the escrow holds. */
  readonly supply: "issued" | "bridged";
  /** Where the tokens behind a bridged supply are locked, on another chain; null when it is issued. */
  readonly escrow: { readonly chain: string; readonly address: string } | null;
}

/** The settings of a chain's nodes, and of their keys. */
export function nodeSettings(id: string): readonly [urls: string, keys: string] {
  const name = id === NATIVE_CHAIN ? "" : `_${id.toUpperCase().replaceAll("-", "_")}`;
  return [`NODE_URLS${name}`, `NODE_API_KEY${name}`];
}

/** Settings of the token's first chain. */
export interface FirstSettings {
  /** `CHAIN_FAMILY`; absent when it is not given. */
  readonly family?: ChainFamily | undefined;
  /** `CHAIN_ID`; likewise. */
  readonly chainId?: number | undefined;
  /** `NATIVE_ASSET`; likewise, and when it is none of the family. */
  readonly asset?: string | undefined;
}

type Stated = Pick<TokenChain, "family" | "chainId"> | undefined;

/** Whether settings are about another network than the first chain that a schedule states: its chain id is another one. */
export function isOtherNetwork(stated: Stated, { chainId }: FirstSettings): boolean {
  return stated !== undefined && chainId !== undefined && chainId !== stated.chainId;
}

/** The family of the first chain: the schedule's, unless the settings are about another network. */
export function firstFamily(stated: Stated, settings: FirstSettings): ChainFamily {
  const { family = stated?.family ?? DEFAULT_FAMILY } = settings;
  return stated === undefined || isOtherNetwork(stated, settings) ? family : stated.family;
}

/** No asset: nothing names one. */
const NO_ASSET: Asset = { kind: "", text: "" };

/** The token's first chain, by the statement of its schedule and by settings. */
export function firstChain(stated: TokenChain | undefined, settings: FirstSettings): TokenChain {
  const family = firstFamily(stated, settings);
  const { defaultAsset, asset } = familyOf(family);
  const base = isOtherNetwork(stated, settings) ? undefined : stated;
  return {
    id: NATIVE_CHAIN,
    family,
    chainId: settings.chainId ?? base?.chainId ?? null,
    asset: asset.parse(settings.asset ?? base?.asset.text ?? defaultAsset ?? "") ?? NO_ASSET,
    supply: "issued",
    escrow: null,
  };
}

/** The settings that name a first chain. */
export function settingsOfFirst({ family, chainId, asset }: TokenChain): FirstSettings {
  return { family, chainId: chainId ?? undefined, asset: asset.text === "" ? undefined : asset.text };
}

/** Every chain of a token, by the statements of its schedule and by settings, the first one first. */
export function chainsOf(
  { chains = [] }: { readonly chains?: readonly TokenChain[] },
  settings: FirstSettings,
): readonly [TokenChain, ...TokenChain[]] {
  return [firstChain(statedFirst(chains), settings), ...furtherChains(chains)];
}

/** The first chain that a schedule states, where it states one. */
export function statedFirst<Chain extends Pick<TokenChain, "id">>(chains: readonly Chain[] = []): Chain | undefined {
  return chains.find(isFirst);
}

/** The chains beside the first one. */
export function furtherChains<Chain extends Pick<TokenChain, "id">>(chains: readonly Chain[] = []): readonly Chain[] {
  return chains.filter((chain) => !isFirst(chain));
}

export function isFirst({ id }: Pick<TokenChain, "id">): boolean {
  return id === NATIVE_CHAIN;
}
