import { fnv1a } from "../hash/fnv1a.ts";

/**
 * The index of the object that stores a caller's log: a hash of salt and key, with the high bits folded into the low
 * ones. Without the salt, an attacker cannot pick addresses that share one object.
 */
export function shardOf(key: string, shards: number, salt: string): number {
  const hash = fnv1a(salt + key);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8) % shards;
}
