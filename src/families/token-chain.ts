import type { Asset } from "../chain/asset.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { CirculatingView } from "./chain-node.ts";
import { type ChainFamily, DEFAULT_FAMILY, familyOf } from "./family.ts";

/** A token on one of its chains. */
export interface TokenChain {
  /** Id of the chain, as wallets name it in `chain`. */
  readonly id: string;
  readonly family: ChainFamily;
  /** Chain id; null: it is learned from the nodes. */
  readonly chainId: number | null;
  readonly asset: Asset;
  /**
   * `issued`: the supply is added to that of the other chains. `bridged`: the supply stands for tokens in the escrow.
   */
  readonly supply: "issued" | "bridged";
  /** Escrow on another chain that has the tokens behind a bridged supply; null when the supply is issued. */
  readonly escrow: { readonly chain: string; readonly address: string } | null;
  /** View on this chain that our circulating figure is compared with; absent: there is none. */
  readonly circulatingView?: CirculatingView;
}

/** Names the settings with a chain's node URLs and their keys. */
export function nodeSettings(id: string): readonly [urls: string, keys: string] {
  const name = id === NATIVE_CHAIN ? "" : `_${id.toUpperCase().replaceAll("-", "_")}`;
  return [`NODE_URLS${name}`, `NODE_API_KEY${name}`];
}

/** Beginning of the labels of the first chain's nodes. */
export const FIRST_LABEL = "upstream";

/** Names the settings that list a node. Its label is its chain's name, and its place in the setting. */
export function settingsOfNode(label: string): ReturnType<typeof nodeSettings> {
  const chain = label.slice(0, Math.max(0, label.lastIndexOf("-")));
  return nodeSettings(chain === FIRST_LABEL || chain === "" ? NATIVE_CHAIN : chain);
}

/** Settings of the token's first chain. */
export interface FirstChainSettings {
  /** `CHAIN_FAMILY`; absent when it is not set. */
  readonly family?: ChainFamily | undefined;
  /** `CHAIN_ID`; absent when it is not set. */
  readonly chainId?: number | undefined;
  /** `NATIVE_ASSET`; absent when it is not set or is no asset of the family. */
  readonly asset?: string | undefined;
}

type StatedChain = Pick<TokenChain, "family" | "chainId"> | undefined;

/** Whether the settings name another network than the schedule: their chain ids differ. */
export function isOtherNetwork(stated: StatedChain, { chainId }: FirstChainSettings): boolean {
  return stated !== undefined && chainId !== undefined && chainId !== stated.chainId;
}

/** Returns the family of the first chain: that of the schedule, unless the settings name another network. */
export function firstFamily(stated: StatedChain, settings: FirstChainSettings): ChainFamily {
  const { family = stated?.family ?? DEFAULT_FAMILY } = settings;
  return stated === undefined || isOtherNetwork(stated, settings) ? family : stated.family;
}

/** Placeholder when neither schedule nor settings name an asset. */
const NO_ASSET: Asset = { kind: "", text: "" };

/** Makes the token's first chain from the schedule's statement and the settings. */
export function firstChain(stated: TokenChain | undefined, settings: FirstChainSettings): TokenChain {
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
    ...(base?.circulatingView === undefined ? {} : { circulatingView: base.circulatingView }),
  };
}

/** Returns the settings that would state a first chain. */
export function settingsOfFirstChain({ family, chainId, asset }: TokenChain): FirstChainSettings {
  return { family, chainId: chainId ?? undefined, asset: asset.text === "" ? undefined : asset.text };
}

/** Lists every chain of a token from the schedule's statements and the settings, the first chain first. */
export function chainsOf(
  { chains = [] }: { readonly chains?: readonly TokenChain[] },
  settings: FirstChainSettings,
): readonly [TokenChain, ...TokenChain[]] {
  return [firstChain(statedFirst(chains), settings), ...furtherChains(chains)];
}

/** Returns the first chain that a schedule states; undefined when it states none. */
export function statedFirst<Chain extends Pick<TokenChain, "id">>(chains: readonly Chain[] = []): Chain | undefined {
  return chains.find(isFirst);
}

/** Returns the chains other than the first one. */
export function furtherChains<Chain extends Pick<TokenChain, "id">>(chains: readonly Chain[] = []): readonly Chain[] {
  return chains.filter((chain) => !isFirst(chain));
}

export function isFirst({ id }: Pick<TokenChain, "id">): boolean {
  return id === NATIVE_CHAIN;
}
