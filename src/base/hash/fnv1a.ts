const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** 32-bit FNV-1a over UTF-16 code units. Collisions can be made on purpose, so use it for tags and shards only. */
export function fnv1a(text: string): number {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return hash >>> 0;
}

export function fnv1aHex(text: string): string {
  return fnv1a(text).toString(16).padStart(8, "0");
}
