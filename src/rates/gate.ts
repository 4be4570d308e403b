import { isFuture } from "../base/utc.ts";
import type { Sample } from "../swr/loader.ts";
import { unitsOf } from "./percent.ts";
import type { Product } from "./product.ts";

/** A rate and when it was read, milliseconds since the epoch. */
export interface Seen {
  readonly value: bigint;
  readonly atMs: number;
}

type RatesById = readonly (readonly [id: string, seen: Seen])[];

/** What is known of earlier listings. Plain data, to be stored. */
export interface ListingMemory {
  /** The last products that count, of any age. */
  readonly good: Sample<readonly Product[]> | null;
  /** The last rate of each product that counted, whether or not a later listing has it. */
  readonly accepted: RatesById;
  /** The rates that await confirmation, by the products' ids. */
  readonly doubts: RatesById;
}

export const NO_LISTING: ListingMemory = { good: null, accepted: [], doubts: [] };

/** How long the last accepted rate of a product that is no longer listed is the reference of its next one. */
export const REMEMBERED_MS = 30 * 86_400_000;
/** Rates that are remembered at most, the newest ones; a listing has fewer products (`MAX_PRODUCTS`). */
const MAX_REMEMBERED = 2_000;

/** Products whose rates count, and what is to be remembered of this listing. */
interface Gated extends Pick<ListingMemory, "accepted" | "doubts"> {
  readonly value: readonly Product[];
}

/**
 * The gate between a listing, which is the only source of its rates, and a value. A rate within `factor` of the last
 * accepted rate of its product counts, however many listings lacked it since. A rate of a product that is not known
 * counts within {@link boundsOfUnknown}. Any other counts when a rate at least `confirmMs` before was like it and each
 * listing since had it; until then the last good product stands for it, or none.
 */
export function gated(
  products: readonly Product[],
  before: ListingMemory,
  nowMs: number,
  factor: number,
  confirmMs: number,
): Gated {
  const last = new Map((before.good?.value ?? []).map((product) => [product.id, product]));
  const known = new Map(before.accepted.filter(([, { atMs }]) => nowMs - atMs < REMEMBERED_MS));
  const bounds = boundsOfUnknown([...known.values()], factor);
  const doubts = new Map(before.doubts);
  const accepted = new Map(known);
  const raised = new Map<string, Seen>();
  const value = products.flatMap((product): Product | Product[] => {
    const { id, apy } = product;
    if (apy === null) return product;
    const seen = { value: unitsOf(apy), atMs: nowMs };
    const reference = known.get(id);
    const isNear =
      reference === undefined
        ? bounds.least <= seen.value && seen.value <= bounds.most
        : isWithinFactor(seen.value, reference.value, factor);
    const doubt = doubts.get(id);
    const isRepeated =
      doubt !== undefined && !isFuture(doubt.atMs, nowMs) && isWithinFactor(seen.value, doubt.value, factor);
    if (isNear || (isRepeated && nowMs - doubt.atMs >= confirmMs)) {
      // Deleted first, so that the rates of this listing are the newest ones.
      accepted.delete(id);
      accepted.set(id, seen);
      return product;
    }
    raised.set(id, isRepeated ? doubt : seen);
    return last.get(id) ?? [];
  });
  return { value, accepted: [...accepted].slice(-MAX_REMEMBERED), doubts: [...raised] };
}

/** Percent, in the units of rates. */
const PLAUSIBLE = { least: 0n, most: unitsOf(1_000) };

/**
 * What the rate of a product that is not known may be at first sight: at most `factor` times the highest of the known
 * rates, at least the lowest divided by it. Where no rate is known, from 0 to 1,000 %.
 */
function boundsOfUnknown(known: readonly Seen[], factor: number): typeof PLAUSIBLE {
  const [first, ...others] = known.map(({ value }) => value);
  if (first === undefined) return PLAUSIBLE;
  const times = BigInt(factor);
  const highest = others.reduce((most, each) => (each > most ? each : most), first);
  const lowest = others.reduce((least, each) => (each < least ? each : least), first);
  return {
    least: lowest < 0n ? lowest * times : lowest / times,
    most: highest < 0n ? highest / times : highest * times,
  };
}

/** Whether two numbers have one sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}
