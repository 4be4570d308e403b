import type { BaseUnits } from "../chain/amount.ts";
import type { Calendar } from "./calendar.ts";

/** A published unlock schedule, parsed and validated. Built by `parseSchedule` only. */
export interface Schedule {
  /** Raised with every published change. */
  readonly revision: number;
  readonly publishedAt: string;
  readonly sources: readonly Source[];
  /** URL of the definition of circulating supply. */
  readonly methodology: string | null;
  /** Sample data of no real network: never served by a production deployment. */
  readonly sample: boolean;
  readonly token: Token;
  readonly maxSupply: BaseUnits;
  readonly calendar: Calendar;
  readonly plan: Plan;
  readonly adjustments: readonly Adjustment[];
  /** The step from which nothing changes any more. */
  readonly lastIndex: number;
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

export interface Bucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: BaseUnits;
  /** Circulates from the start on. */
  readonly genesis: BaseUnits;
  readonly phases: readonly Phase[];
  /** Where the locked tokens are. */
  readonly addresses: readonly LockedAddress[];
}

/** The `chain` of addresses on this deployment's chain; addresses on other chains cannot be read. */
export const NATIVE_CHAIN = "native";

export const HOLDS = ["account", "stake_pool", "vesting"] as const;
export type Holds = (typeof HOLDS)[number];

export interface LockedAddress {
  readonly chain: string;
  /** Canonical for {@link NATIVE_CHAIN}: 0x and 64 hex digits, leading zeros removed by the parser. */
  readonly address: string;
  readonly label: string;
  readonly holds: Holds;
}

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
  readonly bucket: string;
  readonly delta: BaseUnits;
  readonly kind: string;
  readonly source: string;
}
