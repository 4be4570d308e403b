/**
 * Which of `shards` objects holds a caller's log: FNV-1a over salt and key, its high bits folded into the low ones. Whoever
 * does not know the salt cannot choose addresses that all meet in one object.
 */
export function shardOf(key: string, shards: number, salt: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < salt.length; index++) hash = Math.imul(hash ^ salt.charCodeAt(index), 0x01000193);
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x2c1b3c6d) >>> 8) % shards;
}
