import { LAST_GOOD_SECONDS } from "../base/last-good.ts";
import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { Problem } from "../problems.ts";
import type { Schedule } from "../supply/schedule.ts";
import { type Escrow, escrowsIn } from "./escrow.ts";
import { subtract } from "./figure-sums.ts";
import { amountDecimals, type ChainState, type LastWalletBalance, type Reading, whyIncomplete } from "./reading.ts";

/** An escrow that holds less in one round than the supply that it backs. */
interface ShortEscrow extends Pick<Escrow, "key" | "wallet" | "chains"> {
  readonly minted: BaseUnits;
  readonly held: BaseUnits;
  /** Whether the previous round showed the shortfall too. A transfer between two chains explains one round at most. */
  readonly isRepeated: boolean;
}

/** Finds the escrows that hold too little, among those whose every chain was read in the round. */
export function shortEscrows(schedule: Schedule, reading: Reading): readonly ShortEscrow[] {
  return escrowsIn(schedule, reading).flatMap(({ key, wallet, chains, minted, held }) => {
    if ("reason" in minted || "reason" in held || minted.baseUnits <= held.baseUnits) return [];
    const isRepeated = reading.previouslyShort?.includes(key) ?? false;
    return [{ key, wallet, chains, minted: minted.baseUnits, held: held.baseUnits, isRepeated }];
  });
}

/** Finds problems that only the chains of a reading together show: short escrows and a supply drop. */
export function crossChainProblems(schedule: Schedule, reading: Reading, nowMs: number): Problem[] {
  const { supplyDrop = null } = reading;
  const textIn = (compared: Reading) => (amount: BaseUnits) =>
    `${tokenText(amount, amountDecimals(compared))} ${schedule.token.symbol}`;
  const problems = escrowComparisons(schedule, reading, nowMs).flatMap(({ compared, short }): Problem[] => {
    if (!short.isRepeated) return [];
    const text = textIn(compared);
    const { wallet, chains, minted, held } = short;
    const where = chains.join(" and ");
    const message = `${text(minted)} exist on ${where}, and their escrow ${wallet.address} on ${wallet.chain} holds ${text(held)}: ${text(minted - held)} are backed by nothing.`;
    return [{ code: "escrow_short", subject: where, message }];
  });
  if (supplyDrop === null) return problems;
  // A round with a missing chain has no sum, so the last complete round is shown.
  const complete = whyIncomplete(reading) === undefined ? reading : (reading.lastComplete?.reading ?? reading);
  const text = textIn(complete);
  const message = `What exists on all chains fell from ${text(supplyDrop.from)} to ${text(complete.minted)} at ${instantText(supplyDrop.atMs)}: tokens that were burned on one chain may be on their way to another one.`;
  return [...problems, { code: "supply_fell", subject: "total_supply", message }];
}

/** Finds short escrows: by this round, or by the last complete round for an escrow with a chain missing in this one. */
function escrowComparisons(schedule: Schedule, reading: Reading, nowMs: number) {
  const last = reading.lastComplete;
  const comparable = (compared: Reading) =>
    new Set(
      escrowsIn(schedule, compared).flatMap(({ key, minted, held }) =>
        "reason" in subtract(minted, held) ? [] : [key],
      ),
    );
  const newest = comparable(reading);
  const shortIn = (compared: Reading) => shortEscrows(schedule, compared).map((short) => ({ compared, short }));
  // A comparison with an old round is valid as long as that round's figures are served.
  const isLastServed = last !== null && nowMs - last.observedAtMs <= LAST_GOOD_SECONDS * 1_000;
  return [
    ...shortIn(reading),
    ...(isLastServed ? shortIn(last.reading).filter(({ short }) => !newest.has(short.key)) : []),
  ];
}

export function isOnMissingChain({ holding }: LastWalletBalance, { chains }: Pick<Reading, "chains">): boolean {
  return chains.some(({ id, missing }) => missing !== null && isHoldingOn(id, holding));
}

/** Selects the members of a reading that were read on one chain. */
export function membersReadOnChain(
  { id, missing, nodeCount, confirmedBy }: ChainState,
  { wallets, staking, prices = [] }: Reading,
) {
  return {
    nodeCount: missing === null ? nodeCount : 0,
    confirmedBy,
    wallets: wallets.filter(({ holding }) => isHoldingOn(id, holding)),
    staking: id === NATIVE_CHAIN ? staking : null,
    prices: prices.filter(({ series }) => isHoldingOn(id, series)),
  };
}

/** Whether a holding or a series of prices is on a chain: its name begins with the chain's. */
function isHoldingOn(chain: string, holding: string): boolean {
  return holding.startsWith(`${chain} `);
}
