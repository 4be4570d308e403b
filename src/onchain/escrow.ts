import type { Schedule } from "../supply/schedule.ts";
import { escrowWallet, holdingKey, type Wallet } from "../supply/wallets.ts";
import {
  type FigureResult,
  heldByWallets,
  subtract,
  unknownFigure,
  type WitnessedAmount,
  withFewerWitnesses,
} from "./figure-sums.ts";
import { type Reading, whyIncomplete } from "./reading.ts";

/** An escrow, and the bridged supply that its tokens stand behind. Several chains may share one escrow. */
export interface Escrow {
  /** {@link holdingKey} of the wallet. */
  readonly key: string;
  readonly wallet: Wallet;
  /** Ids of the chains whose supply the escrow backs. */
  readonly chains: readonly string[];
  /** Supply on these chains together. */
  readonly minted: FigureResult;
  readonly held: FigureResult;
}

/** The escrows of a token with their amounts in a reading. */
export function escrowsIn(schedule: Schedule, reading: Reading): readonly Escrow[] {
  const bridged = (schedule.chains ?? []).flatMap(({ id, escrow }) =>
    escrow === null ? [] : [{ id, key: holdingKey(escrowWallet(escrow)), wallet: escrowWallet(escrow) }],
  );
  const wallets = new Map(bridged.map(({ key, wallet }) => [key, wallet]));
  return [...wallets].map(([key, wallet]) => {
    const chains = bridged.flatMap((chain) => (chain.key === key ? [chain.id] : []));
    const backed = reading.chains.filter(({ id }) => chains.includes(id));
    const reason = whyIncomplete({ chains: backed });
    const baseUnits = backed.reduce((sum, { minted }) => sum + minted, 0n);
    const witnesses = Math.min(...backed.map(({ confirmedBy }) => confirmedBy.length));
    const minted = reason === undefined ? { baseUnits, witnesses } : unknownFigure(reason);
    return { key, wallet, chains, minted, held: heldByWallets([wallet], schedule, reading) };
  });
}

/** Sum of what each escrow lacks. The surplus of one escrow covers no shortfall of another. */
export function escrowShortfall(schedule: Schedule, reading: Reading): FigureResult {
  let sum: WitnessedAmount = { baseUnits: 0n, witnesses: reading.confirmedBy.length };
  for (const { minted, held } of escrowsIn(schedule, reading)) {
    const difference = subtract(minted, held);
    if ("reason" in difference) return difference;
    const short = difference.baseUnits > 0n ? difference.baseUnits : 0n;
    sum = withFewerWitnesses({ ...sum, baseUnits: sum.baseUnits + short }, difference);
  }
  return sum;
}
