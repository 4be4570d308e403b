/**
 * The index of the object that stores a caller's log: FNV-1a over salt and key, with the high bits folded into the low
 * ones. Without the salt, an attacker cannot pick addresses that share one object.
 */
export function shardOf(key: string, shards: number, salt: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < salt.length; index++) hash = Math.imul(hash ^ salt.charCodeAt(index), 0x01000193);
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x2c1b3c6d) >>> 8) % shards;
}
