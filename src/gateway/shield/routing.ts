import { fnv1aHex } from "../../hash/fnv1a.ts";

/**
 * Shield objects per region. Each data centre calls the one object of a key about once a second while the key is read
 * there, so the load of an object follows the keys in use and the data centres: with so many objects a region that has
 * 45 % of 100,000 requests a second, of which 95 % hit, calls none of them more than 200 times a second (bench/results.md,
 * "Simulation"). A change re-homes keys, which costs one upstream call for each.
 */
export const SHARDS = 24;

/** The object for data without a region. Raise the version in a name to start with fresh objects, elsewhere. */
export const HOME_NAME = "v1:home";

/** The shield object of a key in a region. */
export function shieldName(region: string, key: string, shards: number): string {
  return `v1:shield:${region}:${Number.parseInt(fnv1aHex(key), 16) % shards}`;
}
