import type { ChainFamily } from "../../src/chain/asset.ts";
import type { TokenChain } from "../../src/chain/token-chain.ts";
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

/** Facts of the deployment, besides the schedule, that the page and the manual use. */
export interface Site {
  readonly brand: Omit<Brand, "colors" | "yields" | "nodes">;
  readonly yields: NonNullable<Brand["yields"]>;
  readonly nodes: NonNullable<Brand["nodes"]>;
  readonly token: Token;
  /** Family of the chain that is read. */
  readonly family: ChainFamily;
  /** Word for a version of that chain. */
  readonly versionWord: string;
  /** The token's further chains. */
  readonly legs: readonly Pick<TokenChain, "id" | "family" | "chainId">[];
  /** Whether one of its chains is of that family: what reads no chain is left out of the build. */
  readonly hasMove: boolean;
  readonly hasEvm: boolean;
  /** Names of the chart's bands. */
  readonly series: readonly string[];
  /** The breakdown of the chain is served, and the listing of yields. */
  readonly hasChain: boolean;
  readonly hasYields: boolean;
}
