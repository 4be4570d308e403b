import { expect, test } from "vitest";
import {
  flag,
  type Parameter,
  readQuery,
  readSegment,
  u64Text,
  uint16,
  uint32,
  uint64,
} from "../../../../devnode/http/parameters.ts";

const GOOD: readonly (readonly [string, Parameter<unknown>, string, unknown])[] = [
  ["uint64", uint64, "0", 0n],
  ["uint64", uint64, "18446744073709551615", 18446744073709551615n],
  ["uint64", uint64, "007", 7n],
  ["uint64", uint64, "+7", 7n],
  ["uint32", uint32, "4294967295", 4294967295],
  ["uint16", uint16, "65535", 65535],
  ["U64", u64Text, "25", 25n],
  ["boolean", flag, "true", true],
  ["boolean", flag, "false", false],
];

test.each(GOOD)("a %s reads %o", (_name, parameter, text, value) => {
  expect(readSegment("here", text, parameter)).toBe(value);
  expect(readQuery("here", new URLSearchParams([["here", text]]), parameter)).toBe(value);
});

const BAD: readonly (readonly [Parameter<unknown>, string, string])[] = [
  [uint64, "18446744073709551616", 'failed to parse "integer(uint64)": number too large to fit in target type'],
  [uint64, "-1", 'failed to parse "integer(uint64)": invalid digit found in string'],
  [uint64, "0x1", 'failed to parse "integer(uint64)": invalid digit found in string'],
  [uint64, "1e3", 'failed to parse "integer(uint64)": invalid digit found in string'],
  [uint16, "65536", 'failed to parse "integer(uint16)": number too large to fit in target type'],
  [uint16, "x", 'failed to parse "integer(uint16)": invalid digit found in string'],
  [
    u64Text,
    "x",
    'failed to parse "string(U64)": parsing u64 string "x" failed, caused by error: invalid digit found in string',
  ],
  [flag, "1", 'failed to parse "boolean": provided string was not `true` or `false`'],
];

test.each(BAD)("%o is refused when it is %o, in the node's words", (parameter, text, why) => {
  expect(readSegment("here", text, parameter)).toMatchObject({
    status: 400,
    errorCode: "web_framework_error",
    message: `failed to parse path \`here\`: ${why}`,
    withLedger: false,
  });
  expect(readQuery("here", new URLSearchParams([["here", text]]), parameter)).toMatchObject({
    status: 400,
    errorCode: "web_framework_error",
    message: `failed to parse parameter \`here\`: ${why} (occurred while parsing "optional<${parameter.type}>")`,
  });
});

test("an absent query parameter is undefined, an empty one is refused", () => {
  expect(readQuery("limit", new URLSearchParams("other=1"), uint16)).toBeUndefined();
  expect(readQuery("limit", new URLSearchParams("limit="), uint16)).toMatchObject({
    message:
      'failed to parse parameter `limit`: failed to parse "integer(uint16)": cannot parse integer from empty string (occurred while parsing "optional<integer(uint16)>")',
  });
});

test("a path segment is percent-decoded; a malformed escape is left for the parser to refuse", () => {
  const echo: Parameter<string> = { type: "string", parse: (value) => ({ ok: true, value }) };
  expect(readSegment("tag", "0x1::coin::CoinStore%3C0x1::a::B%3E", echo)).toBe("0x1::coin::CoinStore<0x1::a::B>");
  expect(readSegment("tag", "%zz", echo)).toBe("%zz");
});
