import { fnv1aHex } from "../base/hash/fnv1a.ts";

/** Names a stored value after its format and its inputs, so that a value of other inputs is never found. */
export function storedName(kind: string, format: number, inputs: Readonly<Record<string, unknown>>): string {
  return `${kind}-${format}-${fnv1aHex(JSON.stringify(inputs))}`;
}
