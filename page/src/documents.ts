import type { components } from "../../openapi/public.generated.ts";

type Schemas = components["schemas"];
export type YieldProduct = Schemas["YieldProduct"];
export type SupplyBreakdown = Schemas["SupplyBreakdown"];
export type Wallet = Schemas["NonCirculatingWallet"];
export type Constant = Schemas["Constant"];
export type PageHistory = Schemas["PageHistory"];
export type UnlockSchedule = Schemas["UnlockSchedule"];
export type RateHistory = Schemas["RateHistory"];
export type Rates = Schemas["Rates"];

/** Returns the base units of an amount; throws if there is none. */
export function units({ base_units: text }: { readonly base_units: string }): bigint {
  // `BigInt` accepts some texts that are not digits, such as an empty one as zero.
  if (!/^-?\d+$/.test(text)) throw new SyntaxError(`${text} is no amount`);
  return BigInt(text);
}

/** Names of members that are numbers, unless they are null or an object. Flags follow, and every other member is a text. */
const NUMBERS = /^ap[yr](?!.*_source)|^tvl_usd|^lockup|revision$|^decimals$|^chain_id$/;
const FLAGS = /^(complete|anomaly)$/;

/**
 * Wraps a document: reading a missing member, or one of an unexpected type, throws. So nothing is displayed as
 * undefined or silently converted.
 */
export function strict<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === "string" && !Array.isArray(target)) {
        const type = NUMBERS.test(name) ? "number" : FLAGS.test(name) ? "boolean" : "string";
        // A missing member is undefined, which is none of the types.
        if (typeof member !== "object" && typeof member !== type) throw new TypeError(`${name} is no ${type}`);
      }
      return strict(member);
    },
  });
}

/** Parses the chain's figures and wallets, the body of `/api/supply-breakdown`. Throws for another shape. */
export interface Holdings {
  readonly breakdown: SupplyBreakdown;
  readonly minted: bigint;
  readonly burned: bigint;
  /** Minted less burned. */
  readonly total: bigint;
  readonly onChain: bigint;
}

export function parseHoldings(body: unknown): Holdings {
  const breakdown = strict(body as SupplyBreakdown); // as its document says; what is missing throws
  return {
    breakdown,
    minted: units(breakdown.minted_supply),
    burned: units(breakdown.burned_supply),
    total: units(breakdown.total_supply),
    onChain: units(breakdown.circulating_supply_on_chain),
  };
}

/** Parses the products, the body of `/api/rates`. Throws for another shape. */
export function parseRates(body: unknown): readonly YieldProduct[] {
  return strict(body as Rates).data;
}

/** Parses days with an APY, ascending, the body of `/api/rates/{id}/history`. Throws for another shape. */
export function parseRateHistory(body: unknown): readonly { readonly atSeconds: number; readonly value: number }[] {
  const { data } = strict(body as RateHistory);
  return data
    .flatMap(({ date, apy }) => (apy === null ? [] : [{ atSeconds: Date.parse(date) / 1_000, value: Number(apy) }]))
    .sort((one, other) => one.atSeconds - other.atSeconds);
}

/** The chain's figures of one day, in base units. Circulating is the total less the listed wallets. */
export interface ObservedDay {
  readonly date: string;
  readonly atSeconds: number;
  readonly total: bigint;
  readonly circulating: bigint | null;
}

/** Parses days with a total, the body of `/api/page/history`. Throws for another shape. */
export function parseHistory(body: unknown): readonly ObservedDay[] {
  return strict(body as PageHistory).data.flatMap(({ date, total_supply: all, non_circulating_supply: held }) => {
    if (all === null) return [];
    const total = units({ base_units: all });
    const circulating = held === null ? null : total - units({ base_units: held });
    return [{ date, atSeconds: Date.parse(date) / 1_000, total, circulating }];
  });
}
