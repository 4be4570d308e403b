import { hexOf } from "../../src/chain/hex.ts";
import { encodeBcs } from "../codec/bcs.ts";

/** BCS of a map from encoded keys to octet strings: entries in the order of their keys' octets. */
export function writeMap(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Uint8Array {
  const ordered = entries
    .map(([key, value]) => ({ key, value, order: hexOf(key) }))
    .sort((left, right) => (left.order < right.order ? -1 : 1));
  return encodeBcs((writer) => {
    writer.uleb(ordered.length);
    for (const { key, value } of ordered) writer.fixed(key).octets(value);
  });
}
