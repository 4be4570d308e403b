import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import { LAST_GOOD_SECONDS } from "../figures.ts";
import type { Problem } from "../problems.ts";
import type { Schedule } from "../supply/schedule.ts";
import {
  type ChainReading,
  digitsOf,
  type Escrow,
  escrowsIn,
  less,
  type Reading,
  type WalletState,
  whyIncomplete,
} from "./reading.ts";

/** An escrow that holds less than exists for it, in one round. */
interface ShortEscrow extends Pick<Escrow, "key" | "wallet" | "chains"> {
  readonly minted: BaseUnits;
  readonly held: BaseUnits;
  /** Whether the round before showed it too: a transfer between two chains is under way for one round at most. */
  readonly isRepeated: boolean;
}

/** The escrows that a round can compare, because it has every chain of them, and that hold too little. */
export function shortEscrows(schedule: Schedule, reading: Reading): readonly ShortEscrow[] {
  return escrowsIn(schedule, reading).flatMap(({ key, wallet, chains, minted, held }) => {
    if ("reason" in minted || "reason" in held || minted.baseUnits <= held.baseUnits) return [];
    const isRepeated = reading.shortBefore?.includes(key) ?? false;
    return [{ key, wallet, chains, minted: minted.baseUnits, held: held.baseUnits, isRepeated }];
  });
}

/** What the chains of a reading show together. */
export function chainProblems(schedule: Schedule, reading: Reading, nowMs: number): Problem[] {
  const { fell = null } = reading;
  const textIn = (of: Reading) => (amount: BaseUnits) => `${tokenText(amount, digitsOf(of))} ${schedule.token.symbol}`;
  const found = comparisonsAt(schedule, reading, nowMs).flatMap(({ of, short }): Problem[] => {
    if (!short.isRepeated) return [];
    const text = textIn(of);
    const { wallet, chains, minted, held } = short;
    const where = chains.join(" and ");
    const message = `${text(minted)} exist on ${where}, and their escrow ${wallet.address} on ${wallet.chain} holds ${text(held)}: ${text(minted - held)} are backed by nothing.`;
    return [{ code: "escrow_short", subject: where, message }];
  });
  if (fell === null) return found;
  // A round with a missing chain has no sum.
  const complete = whyIncomplete(reading) === undefined ? reading : (reading.whole?.reading ?? reading);
  const text = textIn(complete);
  const message = `What exists on all chains fell from ${text(fell.from)} to ${text(complete.minted)} at ${instantText(fell.atMs)}: tokens that were burned on one chain may be on their way to another one.`;
  return [...found, { code: "supply_fell", subject: "total_supply", message }];
}

/** The escrows that hold too little: by this round, or, where it lacks a chain of one, by the last complete round. */
function comparisonsAt(schedule: Schedule, reading: Reading, nowMs: number) {
  const last = reading.whole;
  const comparable = (of: Reading) =>
    new Set(escrowsIn(schedule, of).flatMap(({ key, minted, held }) => ("reason" in less(minted, held) ? [] : [key])));
  const newest = comparable(reading);
  const shortIn = (of: Reading) => shortEscrows(schedule, of).map((short) => ({ of, short }));
  // A comparison stands as long as the figure that is made of it.
  const stands = last !== null && nowMs - last.observedAtMs <= LAST_GOOD_SECONDS * 1_000;
  return [...shortIn(reading), ...(stands ? shortIn(last.reading).filter(({ short }) => !newest.has(short.key)) : [])];
}

export function isOnMissingChain({ holding }: WalletState, { chains }: Pick<Reading, "chains">): boolean {
  return chains.some(({ id, missing }) => missing !== null && isOn(id, holding));
}

/** What was reported of one chain. */
export function reportsOfChain({ id, missing, asked, saidBy }: ChainReading, { wallets, staking }: Reading) {
  return {
    asked: missing === null ? asked : 0,
    saidBy,
    wallets: wallets.filter(({ holding }) => isOn(id, holding)),
    staking: id === NATIVE_CHAIN ? staking : null,
  };
}

function isOn(chain: string, holding: string): boolean {
  return holding.startsWith(`${chain} `);
}
