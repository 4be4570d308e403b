import { fnv1aHex } from "../../hash/fnv1a.ts";
import type { Region } from "../../placement/location-hint.ts";
import { LEDGER_INFO } from "../upstream/pool.ts";

/**
 * Shield objects per region. Each data centre calls the one object of a key about once a second while the key is read
 * there, so the load of an object follows the keys in use and the data centres: with so many objects a region that has
 * 45 % of 100,000 requests a second, of which 95 % hit, calls none of them more than 200 times a second
 * (bench/results.md, "Simulation"). A change re-homes keys, which costs one upstream call for each.
 */
export const SHARDS = 24;

/** The object for data without a region, figures and health, and the region that it counts as one of. */
export const HOME_NAME = "v1:home";
export const HOME: Region = "world";

/** The object that recognizes the chain for a region's shield objects. */
export function headName(region: string): string {
  return shieldName(region, LEDGER_INFO.key, SHARDS);
}

/** The shield object of a key in a region. Raise the version in the name to start with fresh objects, elsewhere. */
export function shieldName(region: string, key: string, shards: number): string {
  return `v1:shield:${region}:${Number.parseInt(fnv1aHex(key), 16) % shards}`;
}
