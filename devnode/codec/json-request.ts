import { isRecord } from "../../src/base/json.ts";
import { type Address, parseAddress } from "../../src/chain/address.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { preview } from "./preview.ts";

/** Result of reading a request in JSON. */
export type Read<T> =
  | { readonly kind: "read"; readonly value: T }
  /** The JSON does not have the documented shape. */
  | { readonly kind: "malformed"; readonly message: string }
  /** The JSON has the documented shape, but one of its values is not allowed. */
  | { readonly kind: "invalid"; readonly message: string };

/** Why a JSON request cannot be read. Thrown inside nested readers; {@link tryRead} turns it into data. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly kind: "malformed" | "invalid";

  constructor(kind: "malformed" | "invalid", message: string) {
    super(message);
    this.kind = kind;
  }
}

export function tryRead<T>(read: () => T): Read<T> {
  try {
    return { kind: "read", value: read() };
  } catch (cause) {
    if (cause instanceof RequestError) return { kind: cause.kind, message: cause.message };
    throw cause;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** `what` names the specification's type in the error. */
export function readObject(value: unknown, what: string): JsonObject {
  if (isRecord(value)) return value;
  throw new RequestError("malformed", `failed to parse "${what}": expected an object, found ${preview(value)}`);
}

export function readField(object: JsonObject, name: string): unknown {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) throw new RequestError("malformed", `field \`${name}\` is required`);
  return value;
}

export function readText(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new RequestError("malformed", `failed to parse "${what}": expected a string, found ${preview(value)}`);
}

export function readArray(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new RequestError("malformed", `\`${name}\` must be an array`);
}

export function readAddress(value: unknown): Address {
  const address = parseAddress(readText(value, "Address"));
  if (address === undefined) throw new RequestError("malformed", `${preview(value)} is not an address`);
  return address;
}

export function readHex(value: unknown, name: string): Uint8Array {
  const bytes = parseHex(readText(value, name));
  if (bytes === undefined) throw new RequestError("malformed", `\`${name}\` is not hex`);
  return bytes;
}

/** A u8. */
export function readSmallInteger(object: JsonObject, name: string): number {
  const value = readField(object, name);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255) return value;
  throw new RequestError("malformed", `\`${name}\` is not a u8`);
}
