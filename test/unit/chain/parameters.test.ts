import { expect, test } from "vitest";
import {
  address,
  assetType,
  flag,
  hash,
  identifier,
  type Parameter,
  structTag,
  u64Text,
  uint16,
  uint32,
  uint64,
} from "../../../src/chain/parameters.ts";

const VALID: readonly (readonly [string, Parameter<unknown>, string, unknown])[] = [
  ["uint64", uint64, "0", 0n],
  ["uint64", uint64, "18446744073709551615", 18446744073709551615n],
  ["uint64", uint64, "007", 7n],
  ["uint64", uint64, "+7", 7n],
  ["uint64", uint64, `+${"0".repeat(100)}7`, 7n],
  ["uint32", uint32, "4294967295", 4294967295],
  ["uint16", uint16, "65535", 65535],
  ["U64", u64Text, "25", 25n],
  ["boolean", flag, "true", true],
  ["boolean", flag, "false", false],
  ["address", address, "0X1".replace("X", "x0"), "0x1"],
  ["asset", assetType, "0xA", { kind: "fungible_asset", text: "0xa" }],
];

test.each(VALID)("a %s parses %o: %s", (_name, { parse }, text, value) => {
  expect(parse(text)).toEqual({ ok: true, value });
});

const INVALID: readonly (readonly [string, Parameter<unknown>, string, string])[] = [
  ["uint64", uint64, "", "cannot parse integer from empty string"],
  ["uint64", uint64, "18446744073709551616", "number too large to fit in target type"],
  ["uint64", uint64, "9".repeat(1_000), "number too large to fit in target type"],
  ["uint64", uint64, "-1", "invalid digit found in string"],
  ["uint64", uint64, "++1", "invalid digit found in string"],
  ["uint64", uint64, "0x1", "invalid digit found in string"],
  ["uint64", uint64, "1e3", "invalid digit found in string"],
  ["uint32", uint32, "4294967296", "number too large to fit in target type"],
  ["uint16", uint16, "65536", "number too large to fit in target type"],
  ["uint16", uint16, "x", "invalid digit found in string"],
  ["U64", u64Text, "x", 'parsing u64 string "x" failed, caused by error: invalid digit found in string'],
  ["boolean", flag, "1", "provided string was not `true` or `false`"],
  ["address", address, "0x", "Invalid account address: Hex characters are too short: the address is empty"],
  [
    "address",
    address,
    "zz",
    "Invalid account address: Hex characters are invalid: Invalid character 'z' at position 0",
  ],
  [
    "address",
    address,
    "1".repeat(65),
    "Invalid account address: Hex characters are too long: at most 64 digits are allowed",
  ],
  ["hash", hash, "0x1", "unable to parse HashValue"],
  ["struct tag", structTag, "u8", "invalid struct tag: u8"],
  ["struct tag", structTag, "x".repeat(5_000), `invalid struct tag: ${"x".repeat(200)}`],
  ["identifier", identifier, "1m", "Invalid identifier '1m'"],
  ["asset", assetType, "nothing", "invalid asset type: nothing"],
];

test.each(INVALID)("a %s refuses %.30o: %s", (_name, { parse }, text, why) => {
  expect(parse(text)).toEqual({ ok: false, why });
});
