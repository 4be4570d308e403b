import { isRecord } from "../../base/json.ts";

/** A block, as far as a reading needs it. */
export interface Block {
  readonly number: bigint;
  readonly hash: string;
  /** By the chain's own clock. */
  readonly timestampMs: number;
}

const QUANTITY = /^0x[\da-f]{1,16}$/i;

/** A JSON-RPC quantity of at most 64 bits; undefined for anything else. */
export function quantityIn(value: unknown): bigint | undefined {
  return typeof value === "string" && QUANTITY.test(value) ? BigInt(value) : undefined;
}

/** `0x` and the digits without leading zeros, as the protocol wants them. */
export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** undefined for anything but a block that is in the chain: one that is pending has no hash. */
export function blockIn(value: unknown): Block | undefined {
  if (!isRecord(value)) return undefined;
  const [number, seconds, hash] = [quantityIn(value["number"]), quantityIn(value["timestamp"]), value["hash"]];
  if (number === undefined || seconds === undefined || typeof hash !== "string") return undefined;
  return /^0x[\da-f]{64}$/i.test(hash)
    ? { number, hash: hash.toLowerCase(), timestampMs: Number(seconds) * 1_000 }
    : undefined;
}
