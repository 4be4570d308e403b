import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { ON_UNREAD_CHAIN } from "../figures.ts";
import { constantSums } from "../supply/constants.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isOnChain, type Wallet, walletsOf } from "../supply/wallets.ts";
import type { Unavailable } from "../swr/cached-value.ts";
import {
  amountDecimals,
  hasCurrentBalance,
  type LastWalletBalance,
  type Reading,
  stateOf,
  sumOfBalances,
} from "./reading.ts";

/** An amount that is computed from a reading. */
export interface WitnessedAmount {
  readonly baseUnits: BaseUnits;
  /** The smallest number of nodes that reported any one of the amounts in it. */
  readonly witnesses: number;
}

/** A figure, or the reason why it is not known. */
export type FigureResult = WitnessedAmount | Unavailable;

/** `Retry-After` of a figure that stays unknown until the operator changes the schedule or a node answers again. */
export const MISSING_RETRY_SECONDS = 60;

const BASIS_POINTS = 10_000n;

/** Whether a difference is more than so many basis points of an amount. */
export function exceeds(difference: bigint, amount: BaseUnits, basisPoints: bigint): boolean {
  return difference * BASIS_POINTS > amount * basisPoints;
}

export function unknownFigure(reason: string): Unavailable {
  return { kind: "unavailable", reason, retryAfterSeconds: MISSING_RETRY_SECONDS };
}

/** Subtracts a figure from another; an unknown one makes the difference unknown. */
export function subtract(from: FigureResult, subtrahend: FigureResult): FigureResult {
  if ("reason" in from) return from;
  if ("reason" in subtrahend) return subtrahend;
  return withFewerWitnesses({ ...from, baseUnits: from.baseUnits - subtrahend.baseUnits }, subtrahend);
}

/** Lowers a figure's witnesses to those of an amount that is part of it. */
export function withFewerWitnesses(
  figure: WitnessedAmount,
  { witnesses }: Pick<WitnessedAmount, "witnesses">,
): WitnessedAmount {
  return { ...figure, witnesses: Math.min(figure.witnesses, witnesses) };
}

/** Adds the balances of wallets. Fails with the first wallet that has no current balance: without it the sum is wrong. */
export function heldByWallets(
  listed: readonly Wallet[],
  schedule: Schedule,
  { wallets, confirmedBy }: Reading,
): FigureResult {
  let sum: WitnessedAmount = { baseUnits: 0n, witnesses: confirmedBy.length };
  for (const wallet of listed) {
    const name = `wallet ${wallet.address} (${wallet.label})`;
    if (!isOnChain(schedule)(wallet)) return unknownFigure(`${name} is on ${wallet.chain}, which ${ON_UNREAD_CHAIN}`);
    const state = stateOf(wallet, wallets);
    if (state?.balance == null || !hasCurrentBalance(state)) return unknownFigure(`${name} ${whyNotCurrent(state)}`);
    sum = withFewerWitnesses(
      { ...sum, baseUnits: sum.baseUnits + state.balance.baseUnits },
      { witnesses: state.confirmedBy.length },
    );
  }
  return sum;
}

function whyNotCurrent({ balance, anomaly }: Partial<LastWalletBalance> = {}): string {
  const history = balance ? `was last read at ${instantText(balance.readAtMs)}` : "was never read";
  return anomaly?.kind === "unreadable" ? `${history}: ${anomaly.reason}` : history;
}

/**
 * Reason why a reading has no sums: the stated constants are more than what no listed wallet holds. undefined: they are
 * not. Readings that lack a chain have another reason.
 */
export function excessConstants(schedule: Schedule, reading: Reading): string | undefined {
  const { burned, held } = constantSums(schedule, reading.readAtMs, reading.extraDecimals);
  if (burned + held === 0n) return undefined;
  const listed = walletsOf(schedule).flatMap((wallet) => stateOf(wallet, reading.wallets) ?? []);
  const rest = reading.minted - sumOfBalances(listed);
  if (burned + held <= rest) return undefined;
  const text = (amount: BaseUnits): string => tokenText(amount, amountDecimals(reading));
  return `the schedule's constants are ${text(burned + held)}, and only ${text(rest)} are in no listed wallet`;
}
