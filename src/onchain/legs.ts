import type { BaseUnits } from "../chain/amount.ts";
import type { Config } from "../config.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import { isBridged } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import type { StakeParts } from "./chain-node.ts";
import { confirmedBy } from "./confirmation.ts";
import { type Leg, type Reading, type WalletState, withWhole } from "./reading.ts";
import { percentOf } from "./rules.ts";

/** What is known of one leg: its last reading that counts, and why the newest one does not. */
export interface LegState {
  readonly id: string;
  readonly good: Sample<Reading> | null;
  readonly failed: string | null;
}

/** How far the legs of one reading may be apart. */
const APART_MS = 600_000;
/** How long a fall of the sum is named: what was burned on one chain may be on its way to another one. */
const FELL_NOTICE_MS = 3_600_000;

/**
 * One reading of a token on several chains. A leg that was not read, or long before the others, is missing in it, and
 * every sum with it. Amounts are those of the leg whose units are finest, so that nothing is rounded before its sum.
 * null: the first chain was never read.
 */
export function joinLegs(
  schedule: Schedule,
  states: readonly LegState[],
  before: Sample<Reading> | null,
  stepPercent: Config["supplyStepPercent"],
): Sample<Reading> | null {
  const first = states.find((state) => state.id === NATIVE_CHAIN)?.good?.value;
  if (first === undefined) return null;
  const { decimals } = schedule.token;
  const finest = Math.max(decimals, ...states.map(({ good }) => good?.value.decimals ?? 0));
  const newestMs = Math.max(...states.map(({ good }) => good?.observedAtMs ?? 0));
  const parts = states.map((state) => partOf(state, newestMs, finest));
  const counted = parts.filter(({ leg }) => leg.missing === null);
  const issued = counted.filter(({ leg }) => !isBridged(schedule, leg.id));
  const gone = parts.find(({ leg }) => leg.id === NATIVE_CHAIN)?.leg.missing ?? null;
  const observedAtMs = Math.min(...counted.map(({ readAtMs }) => readAtMs));
  const reading = {
    ledgerVersion: first.ledgerVersion,
    readAtMs: observedAtMs,
    ...(first.block === undefined ? {} : { block: first.block }),
    decimals,
    finer: finest - decimals,
    minted: issued.reduce((sum, { leg }) => sum + leg.minted, 0n),
    // A sum is the word of as many nodes as the leg has that fewest spoke of.
    saidBy: issued.map(({ saidBy }) => saidBy).sort((one, other) => one.length - other.length)[0] ?? [],
    asked: first.asked,
    wallets: parts.flatMap(({ wallets }) => wallets),
    staking:
      gone === null || first.staking === null ? first.staking : { ...first.staking, saidBy: [], unreadable: gone },
    legs: parts.map(({ leg }) => leg),
  };
  const fell = fallOf(reading, before?.value, percentOf(stepPercent, schedule.maxSupply), observedAtMs);
  return { kind: "observed", value: withWhole({ ...reading, fell }, before, observedAtMs), observedAtMs };
}

function partOf({ id, good, failed }: LegState, newestMs: number, finest: number) {
  const reason = failed ?? "it was read more than ten minutes before the others";
  const isCounted = good !== null && newestMs - good.observedAtMs <= APART_MS;
  const missing = isCounted ? null : `${id} is not read: ${reason}`;
  const { value, observedAtMs: readAtMs = 0 } = good ?? {};
  const scale = 10n ** BigInt(finest - (value?.decimals ?? finest));
  const leg: Leg = {
    id,
    missing,
    ledgerVersion: value?.ledgerVersion ?? null,
    block: value?.block ?? null,
    readAtMs,
    minted: (value?.minted ?? 0n) * scale,
    saidBy: value?.saidBy ?? [],
    asked: value?.asked ?? 0,
    confirmedBy: value === undefined ? [] : confirmedBy(value),
  };
  const wallets = (value?.wallets ?? []).map((state) => walletIn(state, scale, missing));
  return { leg, wallets, saidBy: leg.saidBy, readAtMs };
}

/** The state of a wallet in other units; one of a missing leg is not of this reading. */
function walletIn(state: WalletState, scale: bigint, missing: string | null): WalletState {
  const { balance, anomaly } = state;
  const scaled = {
    ...state,
    balance: balance && {
      ...balance,
      baseUnits: balance.baseUnits * scale,
      stake: balance.stake && stakeIn(balance.stake, scale),
    },
    anomaly: anomaly?.kind === "fell" ? { ...anomaly, from: anomaly.from * scale } : anomaly,
  };
  return missing === null ? scaled : { ...scaled, saidBy: [], anomaly: { kind: "unreadable", reason: missing } };
}

function stakeIn({ active, inactive, pendingActive, pendingInactive }: StakeParts, scale: bigint): StakeParts {
  return {
    active: active * scale,
    inactive: inactive * scale,
    pendingActive: pendingActive * scale,
    pendingInactive: pendingInactive * scale,
  };
}

/** A fall of the sum by more than a step, until it has come back, for an hour. */
function fallOf(
  { minted, finer, legs }: Pick<Reading, "minted" | "finer" | "legs">,
  before: Reading | undefined,
  step: BaseUnits,
  atMs: number,
): NonNullable<Reading["fell"]> | null {
  const noticed = before?.fell ?? null;
  const last = before?.legs?.some(({ missing }) => missing !== null) ? before.whole?.reading : before;
  // In other units nothing can be compared, and without a leg there is no sum.
  if (last === undefined || last.finer !== finer || legs?.some(({ missing }) => missing !== null)) return noticed;
  if (noticed !== null) return minted < noticed.from && atMs - noticed.atMs < FELL_NOTICE_MS ? noticed : null;
  return last.minted - minted > step * 10n ** BigInt(finer ?? 0) ? { from: last.minted, atMs } : null;
}
