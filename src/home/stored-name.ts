import { fnv1aHex } from "../base/hash/fnv1a.ts";

/** Name of a stored value, with its form and everything that made it: after a change of any of it nothing is found. */
export function storedName(kind: string, form: number, madeOf: Readonly<Record<string, unknown>>): string {
  return `${kind}-${form}-${fnv1aHex(JSON.stringify(madeOf))}`;
}
