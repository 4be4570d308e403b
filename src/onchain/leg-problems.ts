import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import { digitsOf, escrowsIn, type Leg, less, type Reading, type WalletState } from "./reading.ts";

/** A leg and its escrow that were read further apart may have seen a transfer between them in two states. */
const ESCROW_APART_MS = 60_000;

/** What a reading of several legs shows besides what one of them does. */
export function legProblems(schedule: Schedule, reading: Reading) {
  const { fell = null, legs = [] } = reading;
  const { symbol } = schedule.token;
  const text = (amount: BaseUnits) => `${tokenText(amount, digitsOf(reading))} ${symbol}`;
  const found = escrowsIn(schedule, reading).flatMap(({ wallet, chains, minted, held }) => {
    const short = less(minted, held);
    if ("reason" in short || "reason" in minted || "reason" in held || short.baseUnits <= 0n) return [];
    const readMs = legs.flatMap(({ id, readAtMs }) => (id === wallet.chain || chains.includes(id) ? [readAtMs] : []));
    if (Math.max(...readMs) - Math.min(...readMs) > ESCROW_APART_MS) return [];
    const where = chains.join(" and ");
    const message = `${text(minted.baseUnits)} exist on ${where}, and their escrow ${wallet.address} on ${wallet.chain} holds ${text(held.baseUnits)}: ${text(short.baseUnits)} are backed by nothing.`;
    return [{ code: "escrow_short", subject: where, message } as const];
  });
  if (fell === null) return found;
  const message = `What exists on all chains fell from ${text(fell.from)} to ${text(reading.minted)} at ${instantText(fell.atMs)}: tokens that were burned on one chain may be on their way to another one.`;
  return [...found, { code: "supply_fell", subject: "total_supply", message } as const];
}

export function isOfMissingLeg({ holding }: WalletState, { legs = [] }: Pick<Reading, "legs">): boolean {
  return legs.some(({ id, missing }) => missing !== null && isOn(id, holding));
}

/** What was said of one leg. */
export function saidOfLeg(leg: Leg, { wallets, staking }: Reading) {
  return {
    asked: leg.missing === null ? leg.asked : 0,
    saidBy: leg.saidBy,
    wallets: wallets.filter(({ holding }) => isOn(leg.id, holding)),
    staking: leg.id === NATIVE_CHAIN ? staking : null,
  };
}

function isOn(chain: string, holding: string): boolean {
  return holding.startsWith(`${chain} `);
}
