import type { BaseUnits } from "../chain/amount.ts";
import { parseUnsigned } from "../chain/integer.ts";
import { isRecord, parseJson } from "../json.ts";
import { lockedOf, stepAt } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";
import type { BalanceResult, StakeParts, Wallet } from "./wallets.ts";

/** The balance that counts for one wallet, and what is unusual about it. */
export interface WalletState {
  readonly chain: string;
  readonly address: string;
  /** The last good balance; null: never read. */
  readonly balance: Balance | null;
  readonly anomaly: WalletAnomaly | null;
}

export interface Balance {
  readonly baseUnits: BaseUnits;
  readonly stake: StakeParts | null;
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
}

export type WalletAnomaly =
  | { readonly kind: "unreadable"; readonly reason: string }
  /** The balance fell by more than half; `observed` is the new balance. */
  | { readonly kind: "fell"; readonly observed: BaseUnits };

/** Total and wallets, all read at one ledger version. */
export interface Breakdown {
  readonly ledgerVersion: bigint;
  readonly total: BaseUnits;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
}

/**
 * CoinGecko's rule: a wallet whose balance fell by more than half, or that cannot be read, keeps its last good balance
 * and is flagged. A fall is not flagged when the schedule has unlocked at least as much since. The flag is cleared when
 * the balance returns, or when the operator publishes the next revision of the schedule.
 */
export function nextWalletState(
  wallet: Pick<Wallet, "chain" | "address">,
  before: WalletState | undefined,
  result: BalanceResult,
  read: {
    readonly ledgerVersion: bigint;
    readonly atMs: number;
    readonly unlockedSince: (sinceMs: number) => BaseUnits;
  },
): WalletState {
  const { chain, address } = wallet;
  const last = before?.balance ?? null;
  if (result.kind === "unreadable")
    return { chain, address, balance: last, anomaly: { kind: "unreadable", reason: result.reason } };
  const { baseUnits, stake } = result;
  const fell = last !== null && baseUnits * 2n < last.baseUnits;
  if (fell && last.baseUnits - baseUnits > read.unlockedSince(last.readAtMs))
    return { chain, address, balance: last, anomaly: { kind: "fell", observed: baseUnits } };
  const balance = { baseUnits, stake, ledgerVersion: read.ledgerVersion, readAtMs: read.atMs };
  return { chain, address, balance, anomaly: null };
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string, instantMs: number): BaseUnits {
  const buckets = schedule.plan.kind === "buckets" ? schedule.plan.buckets : [];
  const bucket = buckets.find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1);
}

/** Serializes a breakdown for the store, and parses it again. */
export const breakdownText = {
  write: (breakdown: Breakdown): string =>
    JSON.stringify(breakdown, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  read: (stored: string): Breakdown | undefined => {
    const parsed = parseJson(stored);
    if (!isRecord(parsed) || !Array.isArray(parsed["wallets"])) return undefined;
    const [ledgerVersion, total] = [amount(parsed["ledgerVersion"]), amount(parsed["total"])];
    const wallets = parsed["wallets"].flatMap((wallet) => readWallet(wallet) ?? []);
    if (ledgerVersion === undefined || total === undefined || wallets.length !== parsed["wallets"].length)
      return undefined;
    return { ledgerVersion, total, wallets };
  },
} as const;

function readWallet(value: unknown): WalletState | undefined {
  if (!isRecord(value)) return undefined;
  const { chain, address } = value;
  const [balance, anomaly] = [readStoredBalance(value["balance"]), readAnomaly(value["anomaly"])];
  if (typeof chain !== "string" || typeof address !== "string" || balance === undefined || anomaly === undefined)
    return undefined;
  return { chain, address, balance, anomaly };
}

function readStoredBalance(value: unknown): Balance | null | undefined {
  if (!isRecord(value)) return value === null ? null : undefined;
  const [baseUnits, ledgerVersion] = [amount(value["baseUnits"]), amount(value["ledgerVersion"])];
  const [readAtMs, stake] = [value["readAtMs"], readStake(value["stake"])];
  if (baseUnits === undefined || ledgerVersion === undefined || typeof readAtMs !== "number" || stake === undefined)
    return undefined;
  return { baseUnits, stake, ledgerVersion, readAtMs };
}

function readStake(value: unknown): StakeParts | null | undefined {
  if (!isRecord(value)) return value === null ? null : undefined;
  const [active, inactive] = [amount(value["active"]), amount(value["inactive"])];
  const [pendingActive, pendingInactive] = [amount(value["pendingActive"]), amount(value["pendingInactive"])];
  if (active === undefined || inactive === undefined || pendingActive === undefined || pendingInactive === undefined)
    return undefined;
  return { active, inactive, pendingActive, pendingInactive };
}

function readAnomaly(value: unknown): WalletAnomaly | null | undefined {
  if (!isRecord(value)) return value === null ? null : undefined;
  const { kind, reason } = value;
  const observed = amount(value["observed"]);
  if (kind === "unreadable" && typeof reason === "string") return { kind, reason };
  return kind === "fell" && observed !== undefined ? { kind, observed } : undefined;
}

function amount(value: unknown): bigint | undefined {
  return typeof value === "string" ? parseUnsigned(value, "u128") : undefined;
}
