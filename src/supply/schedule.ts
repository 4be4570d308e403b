import type { BaseUnits } from "../chain/amount.ts";
import type { Holding } from "../chain/holding.ts";
import type { SharePrice } from "../chain/share-price.ts";
import type { TokenChain } from "../families/token-chain.ts";
import type { Calendar } from "./calendar.ts";

/**
 * Content of a schedule file, parsed and validated: an unlock schedule, or wallets alone. `plan` tells which. Only
 * `parseSchedule` makes one.
 */
export type Schedule = UnlockSchedule | WalletList;

/** Members that every schedule file has. */
interface Published {
  /** Number of the revision, raised with every published change. */
  readonly revision: number;
  readonly publishedAt: string;
  /** Name of the publisher; absent when the file does not name one. */
  readonly publisher?: string;
  readonly sources: readonly Source[];
  /** URL of the definition of circulating supply. */
  readonly methodology: string | null;
  /** Sample data of no real network: never served by a production deployment. */
  readonly sample: boolean;
  readonly token: Token;
  /**
   * Chains of the token that the schedule states; absent: the settings alone state the first chain, and there is no
   * other.
   */
  readonly chains?: readonly TokenChain[];
  /** Present where the whole maximum was minted once and nothing mints again, so that what is missing was burned. */
  readonly mintedOnce?: true;
  /** Holdings of the project without locked tokens of a bucket, and addresses at which tokens are burned. */
  readonly wallets: readonly ProjectWallet[];
  /** Amounts that no balance shows; absent: there are none. */
  readonly constants?: readonly Constant[];
  /** Yield products whose rate is the growth of a share's price; absent: there are none. */
  readonly sharePrices?: readonly SharePrice[];
  /** SHA-256 of the published file's bytes, as hex digits; absent in a schedule that is not built from one. */
  readonly sha256?: string;
}

/** Schedule of tokens that unlock by a published plan. */
export interface UnlockSchedule extends Published {
  readonly maxSupply: BaseUnits;
  readonly calendar: Calendar;
  readonly plan: Plan;
  readonly adjustments: readonly Adjustment[];
  /** Index of the last step; later steps change nothing. */
  readonly lastIndex: number;
}

/** Wallets alone, of a token without an unlock schedule. The circulating supply is the total less these wallets. */
export interface WalletList extends Published {
  /** The maximum; null: the token has none. */
  readonly maxSupply: BaseUnits | null;
  readonly plan: null;
}

/** Whether tokens unlock by a published plan. */
export function hasUnlocks(schedule: Schedule): schedule is UnlockSchedule {
  return schedule.plan !== null;
}

export interface Source {
  readonly title: string;
  readonly url: string;
}

export interface Token {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** Unlock rules of buckets; or, for a network that only publishes figures, the figure of each step: `figures[m]`. */
export type Plan =
  | { readonly kind: "buckets"; readonly buckets: readonly Bucket[] }
  | { readonly kind: "table"; readonly figures: readonly BaseUnits[] };

/** Returns the buckets of a schedule; an empty list where only figures or wallets are published. */
export function bucketsOf({ plan }: Pick<Schedule, "plan">): readonly Bucket[] {
  return plan?.kind === "buckets" ? plan.buckets : [];
}

export const CATEGORIES = [
  "community",
  "team",
  "investors",
  "treasury",
  "foundation",
  "liquidity",
  "staking",
  "public_sale",
  "airdrop",
  "other",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Category of wallets whose tokens are burned: they neither circulate nor exist. */
export const BURN = "burn";
export type WalletCategory = Category | typeof BURN;

/** Basis of a bucket's figures: stated by a source, read on chain, or estimated. */
export type FigureBasis = "stated" | "on_chain" | "estimated";

export interface Bucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: BaseUnits;
  /** Amount that circulates from the start on. */
  readonly genesis: BaseUnits;
  readonly phases: readonly Phase[];
  /** Holdings that have the locked tokens. */
  readonly addresses: readonly Holding[];
  /** URL of the source of the bucket's figures, if it is not one of the schedule's sources. */
  readonly source?: string;
  readonly precision?: FigureBasis;
}

/** Tokens that are lost, or were sent where no balance can be read: an amount that a source states. */
export interface Constant {
  readonly label: string;
  readonly category: WalletCategory;
  readonly amount: BaseUnits;
  readonly source: string;
  /** Begin of the day from which on the amount counts. */
  readonly fromMs: number;
}

export type ProjectWallet = Holding & { readonly category: WalletCategory };

/**
 * Rule by which an amount unlocks. `month` counts steps, `day` counts days from the start. Days take effect at the next
 * step.
 */
export type Phase =
  | { readonly kind: "cliff"; readonly amount: BaseUnits; readonly month: number }
  | {
      readonly kind: "monthly";
      readonly amount: BaseUnits;
      readonly firstMonth: number;
      readonly count: number;
      readonly everyMonths: number;
    }
  | {
      readonly kind: "daily";
      readonly amount: BaseUnits;
      readonly firstDay: number;
      readonly count: number;
      readonly everyDays: number;
    }
  | { readonly kind: "linear"; readonly amount: BaseUnits; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "never"; readonly amount: BaseUnits };

/**
 * Change of one bucket from a step on, with its source: a burn or a correction. It is outside the sums of the
 * allocations.
 */
export interface Adjustment {
  readonly index: number;
  /** Day of the revision that made the change; null: the file does not state it. */
  readonly publishedAt: string | null;
  readonly bucket: string;
  readonly delta: BaseUnits;
  readonly kind: string;
  readonly source: string;
}
