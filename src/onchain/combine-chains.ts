import type { BaseUnits } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { Config } from "../config.ts";
import type { StakeParts } from "../families/chain-node.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isBridged } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { shortEscrows } from "./chain-problems.ts";
import { type ChainReading, type Reading, type WalletState, whyIncomplete, withWhole } from "./reading.ts";
import { percentOf } from "./rules.ts";

/** A chain of the token at the end of a round. */
export interface ChainState {
  readonly id: string;
  /** The last accepted reading, of any age; null: never read. */
  readonly good: Sample<Reading> | null;
  /** Why the round has no reading of this chain; null: `good` was read in this round. */
  readonly failed: string | null;
}

/** How long a supply drop is named: what was burned on one chain may be on its way to another one. */
const FELL_NOTICE_MS = 3_600_000;

/**
 * The reading of a token on several chains, of one round that began at `atMs`. A chain that was not read in this round
 * is missing in it, and every sum with it. Amounts have the finest base units of all chains, so that nothing is rounded
 * before its sum. `before`: the round before; null: there was none. Returns null while the first chain was never read.
 */
export function combineChains(
  schedule: Schedule,
  states: readonly ChainState[],
  before: Sample<Reading> | null,
  stepPercent: Config["supplyStepPercent"],
  atMs: number,
): Sample<Reading> | null {
  const first = states.find(({ id }) => id === NATIVE_CHAIN)?.good?.value;
  if (first === undefined) return null;
  const { decimals } = schedule.token;
  const finest = Math.max(decimals, ...states.map(({ good }) => good?.value.decimals ?? 0));
  const parts = states.map((state) => partOf(state, finest));
  const issued = parts.filter(({ chain }) => chain.missing === null && !isBridged(schedule, chain.id));
  const missing = parts.find(({ chain }) => chain.id === NATIVE_CHAIN)?.chain.missing ?? null;
  const reading = {
    ledgerVersion: first.ledgerVersion,
    readAtMs: atMs,
    ...(first.block === undefined ? {} : { block: first.block }),
    decimals,
    finer: finest - decimals,
    minted: issued.reduce((sum, { chain }) => sum + chain.minted, 0n),
    // A sum is confirmed by as few nodes as the chain that fewest nodes reported.
    saidBy: issued.map(({ chain }) => chain.saidBy).sort((one, other) => one.length - other.length)[0] ?? [],
    asked: first.asked,
    wallets: parts.flatMap(({ wallets }) => wallets),
    staking:
      missing === null || first.staking === null
        ? first.staking
        : { ...first.staking, saidBy: [], unreadable: missing },
    chains: parts.map(({ chain }) => chain),
  };
  const fell = fallOf(reading, before?.value, percentOf(stepPercent, schedule.maxSupply), atMs);
  const shortBefore = before === null ? [] : shortEscrows(schedule, before.value).map(({ key }) => key);
  return {
    kind: "observed",
    value: withWhole({ ...reading, fell, shortBefore }, before, atMs),
    observedAtMs: atMs,
  };
}

const NEVER_READ: Omit<ChainReading, "id" | "missing" | "readAtMs"> = {
  ledgerVersion: null,
  block: null,
  minted: 0n,
  saidBy: [],
  asked: 0,
  confirmedBy: [],
};

function partOf({ id, good, failed }: ChainState, finest: number) {
  const missing = failed === null ? null : `${id} is not read: ${failed}`;
  const { value, observedAtMs: readAtMs = 0 } = good ?? {};
  const scale = 10n ** BigInt(finest - (value?.decimals ?? finest));
  const [last = NEVER_READ] = value?.chains ?? [];
  const chain: ChainReading = { ...last, id, missing, readAtMs, minted: last.minted * scale };
  return { chain, wallets: (value?.wallets ?? []).map((state) => walletIn(state, scale, missing)) };
}

/** The state of a wallet in other units; a wallet of a missing chain was not read in this round. */
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

/** A supply drop: a fall of the sum by more than a step, until it has come back, for an hour. */
function fallOf(
  reading: Pick<Reading, "minted" | "finer" | "chains">,
  before: Reading | undefined,
  step: BaseUnits,
  atMs: number,
): NonNullable<Reading["fell"]> | null {
  const { minted, finer } = reading;
  // Amounts in other units cannot be compared.
  if (before === undefined || before.finer !== finer) return null;
  const noticed = before.fell ?? null;
  const last = whyIncomplete(before) === undefined ? before : before.whole?.reading;
  // A round with a missing chain has no sum.
  if (last === undefined || last.finer !== finer || whyIncomplete(reading) !== undefined) return noticed;
  if (noticed !== null) return minted < noticed.from && atMs - noticed.atMs < FELL_NOTICE_MS ? noticed : null;
  return last.minted - minted > step * 10n ** BigInt(finer ?? 0) ? { from: last.minted, atMs } : null;
}
