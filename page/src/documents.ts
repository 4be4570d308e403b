import type { components } from "../../openapi/public.generated.ts";

type Schemas = components["schemas"];
export type YieldProduct = Schemas["YieldProduct"];
export type SupplyBreakdown = Schemas["SupplyBreakdown"];
export type Wallet = Schemas["NonCirculatingWallet"];
export type History = Schemas["History"];
export type UnlockSchedule = Schemas["UnlockSchedule"];
export type RateHistory = Schemas["RateHistory"];
export type Rates = Schemas["Rates"];

const BASE_UNITS = /^-?\d+$/;

/** Base units of an amount; throws where there is none. */
export function units({ base_units: text }: { readonly base_units: string }): bigint {
  if (!BASE_UNITS.test(text)) throw new TypeError("base_units is not a number");
  return BigInt(text);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isLedgerVersion = (value: unknown): boolean => isText(value) && /^\d+$/.test(String(value));
const isAmount = (value: unknown): boolean => BASE_UNITS.test((value as SupplyBreakdown["minted_supply"]).base_units);
const isInstant = (value: unknown): boolean => isText(value) && Number.isFinite(Date.parse(String(value)));

/** Throws unless all are there and valid: what is displayed later may then rely on the document. */
function all(isValid: (value: unknown) => boolean, ...values: readonly unknown[]): void {
  if (!values.every(isValid)) throw new TypeError("a member is missing, or of another type");
}

/** The same, where null is valid too. */
function allOrNull(isValid: (value: unknown) => boolean, ...values: readonly unknown[]): void {
  all((value) => value === null || isValid(value), ...values);
}

/** The chain's figures and wallets, from the body of `/api/supply-breakdown`. Throws for another shape. */
export interface Holdings {
  readonly breakdown: SupplyBreakdown;
  readonly minted: bigint;
  readonly burned: bigint;
  /** Minted less burned. */
  readonly total: bigint;
  readonly onChain: bigint;
}

export function parseHoldings(body: unknown): Holdings {
  const breakdown = body as SupplyBreakdown; // as its document says; what is displayed is checked
  all(Number.isInteger, breakdown.schedule_revision);
  all(isText, breakdown.asset);
  all(isInstant, breakdown.as_of);
  all(isLedgerVersion, breakdown.ledger_version);
  all(isBoolean, breakdown.complete);
  allOrNull(isAmount, breakdown.circulating_supply_scheduled);
  breakdown.buckets.forEach(checkBucket);
  breakdown.non_circulating_wallets.forEach(checkWallet);
  return {
    breakdown,
    minted: units(breakdown.minted_supply),
    burned: units(breakdown.burned_supply),
    total: units(breakdown.total_supply),
    onChain: units(breakdown.circulating_supply_on_chain),
  };
}

function checkBucket(bucket: SupplyBreakdown["buckets"][number]): void {
  all(isText, bucket.id, bucket.label);
  all(isAmount, bucket.locked_by_schedule);
  allOrNull(isAmount, bucket.held_on_chain, bucket.difference);
  if (bucket.difference !== null) all(isText, bucket.difference.tokens);
}

function checkWallet(wallet: Wallet): void {
  all(isText, wallet.bucket, wallet.category, wallet.chain, wallet.address, wallet.label, wallet.holds);
  all(isText, wallet.verification);
  all(isBoolean, wallet.anomaly);
  allOrNull(isText, wallet.pool, wallet.operator, wallet.anomaly_reason, wallet.ledger_version);
  allOrNull(isAmount, wallet.balance, wallet.observed_balance);
}

/** The products in the body of `/api/rates`. Throws for another shape. */
export function parseRates(body: unknown): readonly YieldProduct[] {
  const { data } = body as Rates; // as its document says; what is displayed is checked
  data.forEach(checkProduct);
  return data;
}

function checkProduct(one: YieldProduct): void {
  all(isText, one.id, one.name, one.asset.symbol, one.status, one.source);
  allOrNull(isText, one.provider, one.kind, one.url, one.rate_type, one.apy_mean_30d_source);
  allOrNull(isInstant, one.as_of, one.stale_after);
  allOrNull(Number.isFinite, one.apr, one.apy, one.apy_base, one.apy_reward, one.tvl_usd, one.lockup_seconds);
  allOrNull(Number.isFinite, one.apy_mean_7d, one.apy_mean_7d_base, one.apy_mean_7d_reward, one.order);
  allOrNull(Number.isFinite, one.apy_mean_30d, one.apy_mean_30d_base, one.apy_mean_30d_reward);
}

/** Days with an APY, ascending, from the body of `/api/rates/{id}/history`. Throws for another shape. */
export function parseRateHistory(body: unknown): readonly { readonly atSeconds: number; readonly value: number }[] {
  const { data } = body as RateHistory;
  return data
    .flatMap(({ date, apy }) => (apy === null ? [] : [{ atSeconds: Date.parse(date) / 1_000, value: Number(apy) }]))
    .sort((one, other) => one.atSeconds - other.atSeconds);
}

/** The chain's figures of one day, in base units; circulating is the total less the listed wallets. */
export interface ObservedDay {
  readonly date: string;
  readonly atSeconds: number;
  readonly total: bigint;
  readonly circulating: bigint | null;
}

/** Days with a total, ascending, from the body of `/api/history`. Throws for another shape. */
export function parseHistory(body: unknown): readonly ObservedDay[] {
  const { data } = body as History;
  const locked = new Map(
    data.flatMap(({ date, figure, base_units }) =>
      figure === "non_circulating_supply" ? [[date, BigInt(base_units)]] : [],
    ),
  );
  return data
    .filter(({ figure }) => figure === "total_supply")
    .map(({ date, base_units }) => {
      const [total, less] = [BigInt(base_units), locked.get(date)];
      return {
        date,
        atSeconds: Date.parse(date) / 1_000,
        total,
        circulating: less === undefined ? null : total - less,
      };
    })
    .sort((one, other) => one.atSeconds - other.atSeconds);
}
