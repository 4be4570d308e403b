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

/** The operator's name, logo, colours, links and texts, as `page/brand.schema.json` describes them. */
export interface Brand {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly logo: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Address of a wallet in a block explorer, with `{address}` in it; of an EVM chain it ends as EIP-3091 has it. */
  readonly explorer?: string;
  /** How a reader gets a yield product, by its `id` in `/api/rates`. */
  readonly yields?: Readonly<Record<string, { readonly url?: string; readonly steps?: readonly string[] }>>;
  /** Chain nodes that answer any browser, offered on `/verify`. */
  readonly nodes?: readonly { readonly label: string; readonly url: string }[];
  readonly footer: string;
  /** The page's own address, for link previews. */
  readonly url?: string;
  readonly colors: { readonly light: Theme; readonly dark: Theme; readonly series: readonly string[] };
}

type SiteChain = Pick<TokenChain, "id" | "family" | "chainId">;

/** What the page and the manual know of the deployment besides the schedule. */
export interface Site {
  readonly brand: Omit<Brand, "colors" | "yields" | "nodes">;
  readonly yields: NonNullable<Brand["yields"]>;
  readonly nodes: NonNullable<Brand["nodes"]>;
  readonly token: Token;
  /** Every chain of the token, the first one first. */
  readonly chains: readonly [SiteChain, ...SiteChain[]];
  /** What readings of the first chain are from. */
  readonly versionWord: string;
  /** Whether explorers of the first chain have pages of its blocks, at an address that follows from a wallet's. */
  readonly hasBlockPages: boolean;
  /** Of the chart's bands. */
  readonly series: readonly string[];
  /** The breakdown of the chain is served, and the listing of yields. */
  readonly hasChain: boolean;
  readonly hasYields: boolean;
}
