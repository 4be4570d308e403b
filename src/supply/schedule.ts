import type { BaseUnits } from "../chain/amount.ts";
import type { Holding } from "../chain/holding.ts";
import type { TokenChain } from "../families/token-chain.ts";
import type { Calendar } from "./calendar.ts";

/**
 * Content of a schedule file, parsed and validated: an unlock schedule, or wallets alone. `plan` tells which. Built by
 * `parseSchedule` only.
 */
export type Schedule = UnlockSchedule | WalletList;

/** Members that every schedule file has. */
interface Published {
  /** Raised with every published change. */
  readonly revision: number;
  readonly publishedAt: string;
  /** Who publishes it. Members that a file leaves out are absent. */
  readonly publisher?: string;
  readonly sources: readonly Source[];
  /** URL of the definition of circulating supply. */
  readonly methodology: string | null;
  /** Sample data of no real network: never served by a production deployment. */
  readonly sample: boolean;
  readonly token: Token;
  /** Where the token is besides its first chain; absent: nowhere. */
  readonly chains?: readonly TokenChain[];
  /** The project's holdings that contain no locked tokens of a bucket, and where tokens are burned. */
  readonly wallets: readonly ProjectWallet[];
  /** SHA-256 of the published file's bytes, as hex digits; absent in a schedule that is not built from one. */
  readonly sha256?: string;
}

/** Tokens that unlock by a published plan. */
export interface UnlockSchedule extends Published {
  readonly maxSupply: BaseUnits;
  readonly calendar: Calendar;
  readonly plan: Plan;
  readonly adjustments: readonly Adjustment[];
  /** The step from which nothing changes any more. */
  readonly lastIndex: number;
}

/** Wallets alone: a token without an unlock schedule. What circulates is the total less these wallets. */
export interface WalletList extends Published {
  /** null: the token has no maximum. */
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

/** Rules by bucket, or the figure of each step for networks that only publish figures: `figures[m]`. */
export type Plan =
  | { readonly kind: "buckets"; readonly buckets: readonly Bucket[] }
  | { readonly kind: "table"; readonly figures: readonly BaseUnits[] };

/** The buckets of a schedule; none where only figures or wallets are published. */
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

/** The category of wallets whose tokens are burned: they count neither as circulating nor as existing. */
export const BURN = "burn";
export type WalletCategory = Category | typeof BURN;

/** How the figures of a bucket are known: published as they are, read on chain, or estimated. */
export type Precision = "stated" | "on_chain" | "estimated";

export interface Bucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: BaseUnits;
  /** Circulates from the start on. */
  readonly genesis: BaseUnits;
  readonly phases: readonly Phase[];
  /** Where the locked tokens are. */
  readonly addresses: readonly Holding[];
  /** URL of what says so, where it is not one of the schedule's sources. */
  readonly source?: string;
  readonly precision?: Precision;
}

export type ProjectWallet = Holding & { readonly category: WalletCategory };

/** How an amount unlocks. `month` counts steps, `day` counts days from the start; both take effect at steps only. */
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

/** A sourced change of one bucket from a step on, outside the sums of the allocations: a burn or a correction. */
export interface Adjustment {
  readonly index: number;
  /** The day of the revision that made it; null: the file does not say. */
  readonly publishedAt: string | null;
  readonly bucket: string;
  readonly delta: BaseUnits;
  readonly kind: string;
  readonly source: string;
}
