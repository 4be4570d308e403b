import type { CachedValue, FreshnessPolicy, Unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { type Breakdown, chainAmounts, missingWallet } from "./breakdown.ts";
import type { Supply } from "./onchain.ts";
import type { ChainFigure } from "./onchain-handlers.ts";
import type { Schedule } from "./schedule.ts";
import { isBurned, type Wallet, walletsOf } from "./wallets.ts";

/** For bare numbers from the breakdown: a tracker that polls every minute starts a reading, and gets the last one. */
const FRESHNESS: FreshnessPolicy = {
  freshSeconds: 60,
  revalidateSeconds: 300,
  maxStaleSeconds: 3_600,
  sharedSeconds: 60,
};

/** The figures that depend on wallets; null: the schedule lists none of that kind. */
export interface WalletFigures {
  readonly burned: ChainFigure | null;
  /** Total less all wallets of the project. */
  readonly circulating: ChainFigure | null;
}

/** Figures of one reading of all wallets, each served only while no wallet that it needs is missing. */
export function walletFigures(schedule: Schedule, breakdown: SwrValue<Breakdown>): WalletFigures {
  const listed = walletsOf(schedule);
  const burning = listed.filter(isBurned);
  const figure = (name: string, amount: "burned" | "circulating", needed: readonly Wallet[]): ChainFigure => {
    const supplyOf = (current: CachedValue<Breakdown> | Unavailable) =>
      current.kind === "unavailable" ? current : supplyIn(schedule, current, amount, needed);
    return {
      name,
      policy: FRESHNESS,
      read: async (when) => supplyOf(await breakdown.read(when, FRESHNESS)),
      readWithin: async (when, patience) => supplyOf(await breakdown.readWithin(when, patience, FRESHNESS)),
    };
  };
  return {
    burned: burning.length === 0 ? null : figure("burned_supply", "burned", burning),
    circulating: burning.length === listed.length ? null : figure("circulating_supply_on_chain", "circulating", listed),
  };
}

/** The operator has to change the schedule, or a node to answer again. */
const MISSING_RETRY_SECONDS = 60;

function supplyIn(
  schedule: Schedule,
  current: CachedValue<Breakdown>,
  amount: "burned" | "circulating",
  needed: readonly Wallet[],
): CachedValue<Supply> | Unavailable {
  const { decimals } = schedule.token;
  const baseUnits = chainAmounts(schedule, current.value)[amount];
  const missing = missingWallet(needed, current.value);
  const reason =
    missing ?? (amount === "circulating" && baseUnits < 10n ** BigInt(decimals) ? NOTHING_LEFT : undefined);
  return reason === undefined
    ? { ...current, value: { baseUnits, decimals, ledgerVersion: current.value.ledgerVersion } }
    : { kind: "unavailable", reason, retryAfterSeconds: MISSING_RETRY_SECONDS };
}

/** No tracker is ever given a zero. */
const NOTHING_LEFT = "the listed wallets hold all that exists";
