import type { HoldingKind } from "../../chain/holding.ts";
import type { SharePrice } from "../../chain/share-price.ts";
import type { ChainFamily } from "../../families/family.ts";
import type { Category, FigureBasis, WalletCategory } from "../schedule.ts";

/** Content of a schedule file, as `schedule/schema.json` describes it. Amounts are decimal strings. */
export type ScheduleFile = {
  readonly revision: number;
  readonly published_at: string;
  readonly publisher?: string;
  readonly methodology?: string;
  readonly sample?: boolean;
  readonly sources: readonly { readonly title: string; readonly url: string }[];
  readonly token: { readonly symbol: string; readonly name: string; readonly decimals: number };
  readonly chains?: readonly FileChain[];
  readonly minted_once?: boolean;
  readonly constants?: readonly FileConstant[];
  readonly share_prices?: readonly FileSharePrice[];
} & (FileOfUnlocks | FileOfWallets);

/** Members of a file with an unlock schedule: the figure of each month, or the rules of buckets. */
type FileOfUnlocks = {
  readonly max_supply: string;
  readonly start: string;
  readonly step_day: number;
  readonly wallets?: readonly FileWallet[];
} & (
  | { readonly table: readonly { readonly month: string; readonly circulating: string }[]; readonly buckets?: never }
  | {
      readonly table?: never;
      readonly buckets: readonly FileBucket[];
      readonly adjustments?: readonly FileAdjustment[];
    }
);

/** Members of a file of wallets alone. An empty list says that nothing is held back. */
interface FileOfWallets {
  readonly table?: never;
  readonly buckets?: never;
  /** null: the token has no maximum. */
  readonly max_supply: string | null;
  readonly wallets: readonly FileWallet[];
}

export type FileWallet = FileHolding & { readonly category: WalletCategory };

export interface FileConstant {
  readonly label: string;
  readonly category: WalletCategory;
  readonly amount: string;
  readonly source: string;
  readonly date: string;
}

/** Yield product whose rate is the growth of a share's price. */
export interface FileSharePrice {
  readonly id: string;
  readonly name: string;
  readonly kind: SharePrice["kind"];
  readonly provider: string;
  readonly url?: string;
  readonly asset: { readonly symbol: string; readonly address?: string; readonly decimals?: number };
  readonly chain: string;
  readonly contract: string;
  readonly view: string;
  readonly decimals: number;
}

export interface FileChain {
  readonly id: string;
  readonly family: ChainFamily;
  readonly chain_id: number;
  readonly asset: string;
  /** Kind of the chain's supply; absent for the first chain, which is issued. */
  readonly supply?: "issued" | "bridged";
  /** Escrow of a bridged supply; otherwise absent. */
  readonly escrow?: { readonly chain: string; readonly address: string };
  /** View of a contract that the circulating figure is compared with; absent: there is none. */
  readonly circulating_view?: { readonly contract: string; readonly view: string };
}

export interface FileBucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: string;
  readonly genesis: string;
  readonly phases: readonly FilePhase[];
  readonly addresses?: readonly FileHolding[];
  readonly source?: string;
  readonly precision?: FigureBasis;
}

export interface FileHolding {
  readonly chain: string;
  readonly address: string;
  readonly label: string;
  readonly holds: HoldingKind;
  /** Delegation pool; only in a delegation. */
  readonly pool?: string;
  /** Operator; only in a staking contract. */
  readonly operator?: string;
  /** Signature of the view that reports the locked tokens; only in a lock. */
  readonly view?: string;
  /** Contract with the view; only in a lock whose view is about the address. */
  readonly contract?: string;
}

export interface FileAdjustment {
  readonly month: string;
  readonly bucket: string;
  readonly delta: string;
  readonly kind: string;
  readonly source: string;
  readonly published_at?: string;
}

export type FilePhase = { readonly amount: string } & (
  | { readonly kind: "never" }
  | { readonly kind: "cliff"; readonly month: number }
  | ({ readonly kind: "installments"; readonly count: number } & (
      | { readonly first_month: number; readonly every_months: number }
      | { readonly first_day: number; readonly every_days: number }
    ))
  | { readonly kind: "linear"; readonly from: string; readonly to: string }
);
