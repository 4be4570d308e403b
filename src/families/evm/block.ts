import { isRecord } from "../../base/json.ts";

/** Members of a block that a reading needs. */
export interface Block {
  readonly number: bigint;
  readonly hash: string;
  /** Time by the chain's clock. */
  readonly timestampMs: number;
}

const QUANTITY = /^0x[\da-f]{1,16}$/i;

/** Parses a JSON-RPC quantity of at most 64 bits; undefined for anything else. */
export function parseQuantity(value: unknown): bigint | undefined {
  return typeof value === "string" && QUANTITY.test(value) ? BigInt(value) : undefined;
}

/** Writes a quantity as JSON-RPC requires it: `0x` and the digits without leading zeros. */
export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Parses a block of the chain; undefined for anything else. A pending block has no hash, so it is rejected. */
export function parseBlock(value: unknown): Block | undefined {
  if (!isRecord(value)) return undefined;
  const [number, seconds, hash] = [parseQuantity(value["number"]), parseQuantity(value["timestamp"]), value["hash"]];
  if (number === undefined || seconds === undefined || typeof hash !== "string") return undefined;
  return /^0x[\da-f]{64}$/i.test(hash)
    ? { number, hash: hash.toLowerCase(), timestampMs: Number(seconds) * 1_000 }
    : undefined;
}
