import type { TokenChain } from "../../src/families/token-chain.ts";
import type { Token } from "../../src/supply/schedule.ts";

export interface Theme {
  readonly background: string;
  readonly panel: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  readonly warning: string;
}

/** Brand of the operator: name, logo, colours, links and texts, as `page/brand.schema.json` describes them. */
export interface Brand {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly logo: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Address of a wallet in a block explorer, with `{address}` in it; on an EVM chain it ends as EIP-3091 requires. */
  readonly explorer?: string;
  /** Instructions for a yield product, by its `id` in `/api/rates`. */
  readonly yields?: Readonly<Record<string, { readonly url?: string; readonly steps?: readonly string[] }>>;
  /** Chain nodes that any browser can call, offered on `/verify`. */
  readonly nodes?: readonly { readonly label: string; readonly url: string }[];
  /** Addresses of the operator's terms, contact and status page. */
  readonly terms?: string;
  readonly contact?: string;
  readonly status?: string;
  readonly footer: string;
  /** Address of the page, for link previews. */
  readonly url?: string;
  readonly colors: { readonly light: Theme; readonly dark: Theme; readonly series: readonly string[] };
}

interface SiteChain extends Pick<TokenChain, "id" | "family" | "chainId"> {
  /** Term for a version of the chain, such as "block". */
  readonly versionWord: string;
}

/** Facts about the deployment that the page and the manual use besides the schedule. */
export interface Site {
  readonly brand: Omit<Brand, "colors" | "yields" | "nodes">;
  readonly yields: NonNullable<Brand["yields"]>;
  readonly nodes: NonNullable<Brand["nodes"]>;
  readonly token: Token;
  /** Chains of the token, the first one first. */
  readonly chains: readonly [SiteChain, ...SiteChain[]];
  /** Whether explorers of the first chain have pages of its blocks, at an address that follows from a wallet's. */
  readonly hasBlockPages: boolean;
  /** Colours of the chart's bands. */
  readonly series: readonly string[];
  /** Whether tokens unlock by a published plan; otherwise the schedule file is wallets alone. */
  readonly hasUnlocks: boolean;
  /** Maximum in tokens; null when the token has none. */
  readonly maximum: string | null;
  /** Whether the breakdown of the chain is served. */
  readonly hasChain: boolean;
  readonly hasYields: boolean;
}
