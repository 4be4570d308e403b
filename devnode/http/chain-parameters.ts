import { ADDRESS_BYTES, type Address, parseAddress } from "../../src/chain/address.ts";
import { type HashValue, parseHash } from "../../src/chain/hash-value.ts";
import { isIdentifier } from "../../src/chain/identifier.ts";
import { parseStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import type { Parameter } from "./parameters.ts";

export const address: Parameter<Address> = {
  type: "string(Address)",
  parse: (text) => {
    const value = parseAddress(text);
    return value === undefined
      ? { ok: false, why: `Invalid account address: ${addressFault(text)}` }
      : { ok: true, value };
  },
};

export const hash: Parameter<HashValue> = {
  type: "string(HashValue)",
  parse: (text) => {
    const value = parseHash(text);
    return value === undefined ? { ok: false, why: "unable to parse HashValue" } : { ok: true, value };
  },
};

export const structTag: Parameter<StructTag> = {
  type: "string(MoveStructTag)",
  parse: (text) => {
    const value = parseStructTag(text);
    return value === undefined ? { ok: false, why: `invalid struct tag: ${text}` } : { ok: true, value };
  },
};

export const identifier: Parameter<string> = {
  type: "string(IdentifierWrapper)",
  parse: (text) =>
    isIdentifier(text) ? { ok: true, value: text } : { ok: false, why: `Invalid identifier '${text}'` },
};

/** Any text: a cursor, or what another parser judges later. */
export const text: Parameter<string> = { type: "string", parse: (value) => ({ ok: true, value }) };

function addressFault(given: string): string {
  const digits = given.replace(/^0x/, "");
  if (digits === "") return "Hex characters are too short: the address is empty";
  const position = digits.search(/[^0-9a-fA-F]/);
  if (position !== -1) {
    return `Hex characters are invalid: Invalid character '${digits[position]}' at position ${position}`;
  }
  return `Hex characters are too long: at most ${2 * ADDRESS_BYTES} digits are allowed`;
}
