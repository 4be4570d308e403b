import type { BaseUnits } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { Config } from "../config.ts";
import type { StakeParts } from "../families/chain-node.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isBridged } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { shortEscrows } from "./chain-problems.ts";
import {
  type ChainState,
  type LastWalletBalance,
  type Reading,
  type StatedCirculating,
  whyIncomplete,
  withLastComplete,
} from "./reading.ts";
import { percentOf } from "./rules.ts";

/** Result of one round for one chain of the token. */
export interface RoundResult {
  readonly id: string;
  /** The last accepted reading, of any age; null: none was ever accepted. */
  readonly good: Sample<Reading> | null;
  /** Reason why the round has no reading of this chain; null: `good` was read in this round. */
  readonly failure: string | null;
}

/** How long health shows a supply drop. Tokens burned on one chain may be minted on another one within this time. */
const SUPPLY_DROP_SHOWN_MS = 3_600_000;

/**
 * Combines the chains' results of a round that began at `atMs`. A chain that was not read in this round is missing, and
 * every sum over it is unknown. All amounts are converted to the smallest base units of any chain, so that only sums are
 * rounded. `before`: the previous round; null: there was none. Returns null while the first chain was never read.
 */
export function combineChains(
  schedule: Schedule,
  states: readonly RoundResult[],
  before: Sample<Reading> | null,
  stepPercent: Config["supplyStepPercent"],
  atMs: number,
): Sample<Reading> | null {
  const first = states.find(({ id }) => id === NATIVE_CHAIN)?.good?.value;
  if (first === undefined) return null;
  const { decimals } = schedule.token;
  const mostDecimals = Math.max(decimals, ...states.map(({ good }) => good?.value.decimals ?? 0));
  const converted = states.map((state) => inUnitsOf(state, mostDecimals));
  const issued = converted.filter(({ chain }) => chain.missing === null && !isBridged(schedule, chain.id));
  const firstMissing = converted.find(({ chain }) => chain.id === NATIVE_CHAIN)?.chain.missing ?? null;
  const reading = {
    ledgerVersion: first.ledgerVersion,
    readAtMs: atMs,
    ...(first.block === undefined ? {} : { block: first.block }),
    decimals,
    extraDecimals: mostDecimals - decimals,
    minted: issued.reduce((sum, { chain }) => sum + chain.minted, 0n),
    // The sum has the witnesses of the chain that the fewest nodes reported.
    confirmedBy: issued.map(({ chain }) => chain.confirmedBy).sort((one, other) => one.length - other.length)[0] ?? [],
    nodeCount: first.nodeCount,
    wallets: converted.flatMap(({ wallets }) => wallets),
    staking:
      firstMissing === null || first.staking === null
        ? first.staking
        : { ...first.staking, confirmedBy: [], unreadable: firstMissing },
    chains: converted.map(({ chain }) => chain),
  };
  const prices = states.flatMap(({ good, failure }) =>
    (good?.value.prices ?? []).map((state) =>
      failure === null ? state : { ...state, confirmedBy: [], unreadable: failure },
    ),
  );
  const supplyDrop = supplyDropAt(reading, before?.value, { maximum: schedule.maxSupply, percent: stepPercent }, atMs);
  const previouslyShort = before === null ? [] : shortEscrows(schedule, before.value).map(({ key }) => key);
  return {
    kind: "observed",
    value: withLastComplete(
      { ...reading, supplyDrop, previouslyShort, ...(prices.length > 0 && { prices }) },
      before,
      atMs,
    ),
    observedAtMs: atMs,
  };
}

const NEVER_READ: Omit<ChainState, "id" | "missing" | "readAtMs"> = {
  ledgerVersion: null,
  block: null,
  minted: 0n,
  confirmedBy: [],
  nodeCount: 0,
  fullyConfirmedBy: [],
};

/** Converts a chain and its wallets to base units of so many decimals. */
function inUnitsOf({ id, good, failure }: RoundResult, decimals: number) {
  const missing = failure === null ? null : `${id} is not read: ${failure}`;
  const { value, observedAtMs: readAtMs = 0 } = good ?? {};
  const scale = 10n ** BigInt(decimals - (value?.decimals ?? decimals));
  const [last = NEVER_READ] = value?.chains ?? [];
  const { circulating } = last;
  const chain: ChainState = {
    ...{ ...last, id, missing, readAtMs, minted: last.minted * scale },
    ...(circulating === undefined ? {} : { circulating: scaledStatement(circulating, scale, missing) }),
  };
  return { chain, wallets: (value?.wallets ?? []).map((state) => scaledWallet(state, scale, missing)) };
}

function scaledStatement(stated: StatedCirculating, scale: bigint, missing: string | null): StatedCirculating {
  if (missing !== null) return { reason: missing };
  return "reason" in stated ? stated : { baseUnits: stated.baseUnits * scale };
}

/** Converts a wallet's amounts. A wallet on a missing chain gets the chain's reason, because this round did not read it. */
function scaledWallet(state: LastWalletBalance, scale: bigint, missing: string | null): LastWalletBalance {
  const { balance, anomaly } = state;
  const scaled = {
    ...state,
    balance: balance && {
      ...balance,
      baseUnits: balance.baseUnits * scale,
      stake: balance.stake && scaledStake(balance.stake, scale),
    },
    anomaly: anomaly?.kind === "dropped" ? { ...anomaly, from: anomaly.from * scale } : anomaly,
  };
  return missing === null ? scaled : { ...scaled, confirmedBy: [], anomaly: { kind: "unreadable", reason: missing } };
}

function scaledStake({ active, inactive, pendingActive, pendingInactive }: StakeParts, scale: bigint): StakeParts {
  return {
    active: active * scale,
    inactive: inactive * scale,
    pendingActive: pendingActive * scale,
    pendingInactive: pendingInactive * scale,
  };
}

/**
 * Finds a supply drop: a fall of the sum by more than a step, shown for an hour or until the sum has recovered. A step is
 * a share of the maximum, or of the last sum of a token without one.
 */
function supplyDropAt(
  reading: Pick<Reading, "minted" | "extraDecimals" | "chains">,
  before: Reading | undefined,
  step: { readonly maximum: BaseUnits | null; readonly percent: Config["supplyStepPercent"] },
  atMs: number,
): NonNullable<Reading["supplyDrop"]> | null {
  const { minted, extraDecimals } = reading;
  // Rounds whose amounts have different base units cannot be compared.
  if (before === undefined || before.extraDecimals !== extraDecimals) return null;
  const noticed = before.supplyDrop ?? null;
  const last = whyIncomplete(before) === undefined ? before : before.lastComplete?.reading;
  // A round with a missing chain has no sum to compare.
  if (last === undefined || last.extraDecimals !== extraDecimals || whyIncomplete(reading) !== undefined)
    return noticed;
  if (noticed !== null) return minted < noticed.from && atMs - noticed.atMs < SUPPLY_DROP_SHOWN_MS ? noticed : null;
  const whole = step.maximum === null ? last.minted : step.maximum * 10n ** BigInt(extraDecimals ?? 0);
  return last.minted - minted > percentOf(step.percent, whole) ? { from: last.minted, atMs } : null;
}
