import { type Address, parseAddress } from "../../src/chain/address.ts";
import { shown } from "./preview.ts";
import type { Encoded } from "./transaction-request.ts";

/** Why a request in JSON cannot be encoded. Thrown inside nested readers; {@link reading} turns it into data. */
export class Misfit extends Error {
  override readonly name = "Misfit";
  readonly kind: "misshapen" | "unfit";

  constructor(kind: "misshapen" | "unfit", message: string) {
    super(message);
    this.kind = kind;
  }
}

export function reading(read: () => Uint8Array): Encoded {
  try {
    return { kind: "encoded", bytes: read() };
  } catch (cause) {
    if (cause instanceof Misfit) return { kind: cause.kind, message: cause.message };
    throw cause;
  }
}

type Json = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown, what: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  throw new Misfit("misshapen", `failed to parse "${what}": expected an object`);
}

export function field(object: Json, name: string): unknown {
  const value = object[name];
  if (value === undefined) throw new Misfit("misshapen", `field \`${name}\` is required`);
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new Misfit("misshapen", `failed to parse "${what}": expected a string, found ${shown(value)}`);
}

export function addressOf(value: unknown): Address {
  const address = parseAddress(textOf(value, "Address"));
  if (address === undefined) throw new Misfit("misshapen", `${shown(value)} is not an address`);
  return address;
}
