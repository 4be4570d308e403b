import type { NodeRequest } from "../../../src/gateway/node-types.ts";
import { requestFor } from "../../unit/gateway/requests.ts";

/**
 * What callers request. Keys of one kind follow a Zipf distribution: the n-th is requested n^-1.1 times as often as the
 * first.
 */
export interface Demand {
  readonly requestsPerSecond: number;
  /** Share of requests for the chain's present state: the ledger, the gas price, accounts. */
  readonly tipShare: number;
  readonly tipKeys: number;
  /** Share of requests for `/api/total-supply`. */
  readonly figureShare: number;
  /** Share of requests for a transaction that has not been requested before. */
  readonly newShare: number;
  /** All others are for so many committed transactions, which every data centre has cached. */
  readonly committedKeys: number;
}

/** One request of the chain's paths, or "figure" for the total supply. */
export type Draw = () => NodeRequest | "figure";

const ZIPF_EXPONENT = 1.1;
const FIRST_NEW_VERSION = 50_000;

/** The committed transactions that are cached everywhere, and a source of requests. `maxNew` bounds the new ones. */
export async function demandOf(demand: Demand, maxNew: number, random: () => number) {
  const { tipShare, figureShare, newShare } = demand;
  const committed = await requestsFor(demand.committedKeys, committedPath);
  const recent = await requestsFor(maxNew, (rank) => committedPath(FIRST_NEW_VERSION + rank));
  const drawTip = zipf(await requestsFor(demand.tipKeys, tipPath), random);
  const drawCommitted = zipf(committed, random);
  const draw: Draw = () => {
    const kind = random();
    if (kind < figureShare) return "figure";
    if (kind < figureShare + tipShare) return drawTip();
    const isNew = kind < figureShare + tipShare + newShare;
    return (isNew ? recent.pop() : undefined) ?? drawCommitted();
  };
  return { committed, draw };
}

const committedPath = (version: number): string => `/v1/transactions/by_version/${version}`;

/** Wallets read the ledger and the gas price before anything else. */
function tipPath(rank: number): string {
  if (rank === 0) return "/v1";
  return rank === 1 ? "/v1/estimate_gas_price" : `/v1/accounts/0x${(0x1000 + rank).toString(16)}`;
}

async function requestsFor(count: number, pathOf: (rank: number) => string): Promise<NodeRequest[]> {
  return Promise.all(Array.from({ length: count }, (_none, rank) => requestFor("GET", pathOf(rank))));
}

function zipf<Item>(items: readonly Item[], random: () => number): () => Item {
  const sums: number[] = [];
  for (let rank = 1; rank <= items.length; rank += 1) sums.push((sums.at(-1) ?? 0) + rank ** -ZIPF_EXPONENT);
  return () => {
    const target = random() * (sums.at(-1) ?? 0);
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    const item = items[low];
    if (item === undefined) throw new RangeError("nothing to draw from");
    return item;
  };
}

/** A reproducible source of numbers in [0, 1) (mulberry32): the same seed gives the same sequence. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
