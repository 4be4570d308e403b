import type { components } from "../../openapi/public.generated.ts";

type Schemas = components["schemas"];
export type YieldProduct = Schemas["YieldProduct"];
export type SupplyBreakdown = Schemas["SupplyBreakdown"];
export type Wallet = Schemas["NonCirculatingWallet"];
export type History = Schemas["History"];
export type UnlockSchedule = Schemas["UnlockSchedule"];
export type RateHistory = Schemas["RateHistory"];
export type Rates = Schemas["Rates"];

/** Base units of an amount; throws where there is none. */
export function units(amount: { readonly base_units: string }): bigint {
  return BigInt(amount.base_units);
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
  const breakdown = body as SupplyBreakdown; // as its document says; what is missing throws
  for (const { label, locked_by_schedule: locked } of breakdown.buckets) texts(label, units(locked).toString());
  for (const { label, address } of breakdown.non_circulating_wallets) texts(label, address);
  return {
    breakdown,
    minted: units(breakdown.minted_supply),
    burned: units(breakdown.burned_supply),
    total: units(breakdown.total_supply),
    onChain: units(breakdown.circulating_supply_on_chain),
  };
}

/** The products in the body of `/api/rates`. Throws for another shape. */
export function parseRates(body: unknown): readonly YieldProduct[] {
  const { data } = body as Rates;
  for (const { id, name, apy, asset } of data) {
    texts(id, name, asset.symbol);
    if (apy !== null && !Number.isFinite(apy)) throw new TypeError("apy is not a number");
  }
  return data;
}

/** Days with an APY, ascending, from the body of `/api/rates/{id}/history`. Throws for another shape. */
export function parseRateHistory(body: unknown): readonly { readonly atSeconds: number; readonly value: number }[] {
  const { data } = body as RateHistory;
  return data
    .flatMap(({ date, apy }) => (apy === null ? [] : [{ atSeconds: Date.parse(date) / 1_000, value: Number(apy) }]))
    .sort((one, other) => one.atSeconds - other.atSeconds);
}

function texts(...values: readonly unknown[]): void {
  if (values.some((value) => typeof value !== "string")) throw new TypeError("a text is missing");
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
