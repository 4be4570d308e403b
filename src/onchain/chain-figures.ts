import { memoByObject } from "../base/memo.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { stakedShare, yearlyEmission } from "../chain/staking.ts";
import type { ChainFigureRow } from "../figures.ts";
import { abovePlan, allowanceAt, unwatchedLocksOnDay } from "../supply/above-plan.ts";
import { constantSums } from "../supply/constants.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isBurnedForGood, type Wallet, walletsOf } from "../supply/wallets.ts";
import { type CachedValue, type Unavailable, withOlderPart } from "../swr/cached-value.ts";
import { escrowShortfall } from "./escrow.ts";
import {
  excessConstants,
  type FigureResult,
  heldByWallets,
  subtract,
  unknownFigure,
  type WitnessedAmount,
  withFewerWitnesses,
} from "./figure-sums.ts";
import { type Reading, type StakingState, toTokenUnits, whyIncomplete } from "./reading.ts";

/** Figures that depend on the instant too, because they follow from a reading and from the schedule of then. */
const BY_INSTANT = {
  circulating_supply_above_plan: abovePlanIn,
  circulating_supply_hybrid: hybridIn,
} as const;

const isByInstant = (name: string): name is keyof typeof BY_INSTANT => Object.hasOwn(BY_INSTANT, name);

/**
 * Figures of a reading of the native token. Circulating, non-circulating and burned supply add up to `minted_supply`.
 * `circulatingOrZero`: the circulating supply, which may be 0 in responses that have the other sums too.
 */
export type ChainFigures = Readonly<
  Record<
    Exclude<ChainFigureRow<"native">["name"], keyof typeof BY_INSTANT> | "minted_supply" | "circulatingOrZero",
    FigureResult
  >
>;

/** Computes one figure of a reading. `instantMs`: the instant of the schedule that it is compared with. */
export function figureIn(reading: Reading, row: ChainFigureRow, schedule: Schedule, instantMs: number): FigureResult {
  const { name } = row;
  if (isByInstant(name)) return BY_INSTANT[name](reading, schedule, instantMs);
  if (name !== "stable_supply") return chainFigures(schedule)(reading)[name];
  return { baseUnits: reading.minted, witnesses: reading.confirmedBy.length };
}

/**
 * Chooses the reading from which figures are served together: the newest, or else the last complete one. The newest
 * stays when the complete one lacks a figure too, or is older than its bound.
 */
export function readingForFigures(
  current: CachedValue<Reading>,
  figuresIn: (reading: Reading) => readonly FigureResult[],
): CachedValue<Reading> {
  const { value } = current;
  const isLacking = figuresIn(value).some((figure) => "reason" in figure);
  if (!isLacking || value.lastComplete === null) return current;
  const { reading, observedAtMs } = value.lastComplete;
  if (figuresIn(reading).some((figure) => "reason" in figure)) return current;
  const dated = withOlderPart({ ...current, value: reading }, observedAtMs);
  return dated.ageSeconds > dated.policy.maxStaleSeconds ? current : dated;
}

/** Gives a figure the age of its reading. */
export function servedFigure(
  current: CachedValue<Reading>,
  figure: FigureResult,
): CachedValue<BaseUnits> | Unavailable {
  return "reason" in figure ? figure : { ...current, value: figure.baseUnits };
}

/** Computes the figures of a reading of the native token. A sum that lacks a wallet or a chain is not known. */
export const chainFigures = memoByObject((schedule: Schedule): ((reading: Reading) => ChainFigures) =>
  memoByObject((reading: Reading): ChainFigures => {
    const { minted: baseUnits, confirmedBy, staking } = reading;
    const reason = whyNoSum(schedule, reading);
    const minted: FigureResult =
      reason !== undefined ? unknownFigure(reason) : { baseUnits, witnesses: confirmedBy.length };
    const listed = walletsOf(schedule);
    const isBurned = isBurnedForGood(schedule);
    const heldBy = (wallets: readonly Wallet[]) =>
      "reason" in minted ? minted : heldByWallets(wallets, schedule, reading);
    // Each figure is rounded once, after its sum.
    const round = (figure: FigureResult): FigureResult =>
      "reason" in figure ? figure : { ...figure, baseUnits: toTokenUnits(figure.baseUnits, reading) };
    const constants = constantSums(schedule, reading.readAtMs, reading.extraDecimals);
    const burned = increased(heldBy(listed.filter(isBurned)), constants.burned);
    const heldByProject = increased(heldBy(listed.filter((wallet) => !isBurned(wallet))), constants.held);
    const unroundedTotal = subtract(minted, burned);
    const total = refuseZero(round(unroundedTotal), schedule, "burn wallets");
    const circulatingOrZero = !("reason" in total)
      ? round(subtract(unroundedTotal, heldByProject))
      : subtract(total, heldByProject);
    return {
      total_supply: total,
      burned_supply: round(burned),
      non_circulating_supply: round(heldByProject),
      circulating_supply_on_chain: refuseZero(circulatingOrZero, schedule, "wallets"),
      circulatingOrZero,
      minted_supply: round(minted),
      burned_by_contract: round(burnedByContract(schedule, minted, reading)),
      escrow_shortfall: round(escrowShortfall(schedule, reading)),
      ...stakingFigures(staking, total),
    };
  }),
);

/** Adds a stated amount to a figure, whose witnesses stay. */
function increased(figure: FigureResult, amount: bigint): FigureResult {
  return "reason" in figure ? figure : { ...figure, baseUnits: figure.baseUnits + amount };
}

/** Computes what the contract burned of a maximum that was minted once: the maximum less what exists. */
function burnedByContract(
  { maxSupply, mintedOnce }: Schedule,
  minted: FigureResult,
  { extraDecimals = 0 }: Reading,
): FigureResult {
  if (maxSupply === null || !mintedOnce) return unknownFigure("it is not known what was minted");
  if ("reason" in minted) return minted;
  const baseUnits = maxSupply * 10n ** BigInt(extraDecimals) - minted.baseUnits;
  if (baseUnits < 0n) return unknownFigure("more exists on chain than the maximum, of which all was minted once");
  return { ...minted, baseUnits };
}

/**
 * Reason why a reading has no total; undefined when it has one. Every chain of the token must be in it. A stored reading
 * may be older than the schedule, so the constants are compared with it too.
 */
function whyNoSum(schedule: Schedule, reading: Reading): string | undefined {
  const { chains = [] } = schedule;
  const isPart = chains.some(({ id }) => reading.chains.every((chain) => chain.id !== id));
  return isPart
    ? "the token's other chains are not read"
    : (whyIncomplete(reading) ?? excessConstants(schedule, reading));
}

/** Computes how much more circulates on chain than the schedule allows at an instant. */
export function abovePlanIn(reading: Reading, schedule: Schedule, instantMs: number): FigureResult {
  const { circulatingOrZero } = chainFigures(schedule)(reading);
  if ("reason" in circulatingOrZero) return circulatingOrZero;
  const baseUnits = abovePlan(circulatingOrZero.baseUnits, allowanceAt(schedule, instantMs));
  return { ...circulatingOrZero, baseUnits };
}

/**
 * Computes what circulates on chain less what allocations without a wallet must keep locked on an instant's day: what
 * they hold cannot be read.
 */
function hybridIn(reading: Reading, schedule: Schedule, instantMs: number): FigureResult {
  const { circulatingOrZero } = chainFigures(schedule)(reading);
  if ("reason" in circulatingOrZero) return circulatingOrZero;
  const baseUnits = circulatingOrZero.baseUnits - unwatchedLocksOnDay(schedule, instantMs);
  if (schedule.maxSupply !== null && baseUnits > schedule.maxSupply)
    return unknownFigure("more circulates than the maximum supply");
  return refuseZero({ ...circulatingOrZero, baseUnits }, schedule, "wallets and the allocations without a wallet");
}

/** Computes the staking figures. Terms of an earlier reading are not used. */
function stakingFigures(staking: StakingState | null, total: FigureResult) {
  const { good = null, confirmedBy = [] } = staking?.unreadable === null ? staking : {};
  if (good === null) {
    const none = unknownFigure(`native staking cannot be read: ${staking?.unreadable ?? "it is not read"}`);
    return { staked_supply: none, staked_percent: none, yearly_emission: none };
  }
  const { staked } = good.terms;
  const figureOf = (baseUnits: BaseUnits): WitnessedAmount => ({ baseUnits, witnesses: confirmedBy.length });
  return {
    staked_supply: figureOf(staked),
    staked_percent:
      "reason" in total ? total : withFewerWitnesses(figureOf(stakedShare(staked, total.baseUnits)), total),
    yearly_emission: figureOf(yearlyEmission(good.terms)),
  };
}

/** Makes a figure below one token unknown: no tracker is ever given a 0. */
function refuseZero(figure: FigureResult, { token }: Schedule, holders: string): FigureResult {
  if ("reason" in figure || figure.baseUnits >= 10n ** BigInt(token.decimals)) return figure;
  return unknownFigure(`the listed ${holders} hold all that exists`);
}
