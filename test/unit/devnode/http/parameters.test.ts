import { expect, test } from "vitest";
import { readQuery, readSegment } from "../../../../devnode/http/parameters.ts";
import { text, uint16, uint64 } from "../../../../src/chain/parameters.ts";

test("an invalid path parameter is refused by name, with the node's message", () => {
  expect(readSegment("here", "-1", uint64)).toMatchObject({
    status: 400,
    errorCode: "web_framework_error",
    message: 'failed to parse path `here`: failed to parse "integer(uint64)": invalid digit found in string',
    withLedger: false,
  });
});

test("an absent query parameter is undefined, an empty one is refused", () => {
  expect(readQuery("limit", new URLSearchParams("other=1"), uint16)).toBeUndefined();
  expect(readQuery("limit", new URLSearchParams("limit="), uint16)).toMatchObject({
    message:
      'failed to parse parameter `limit`: failed to parse "integer(uint16)": cannot parse integer from empty string (occurred while parsing "optional<integer(uint16)>")',
  });
});

test("a path segment is percent-decoded; a malformed escape is left to the parser", () => {
  expect(readSegment("tag", "0x1::coin::CoinStore%3C0x1::a::B%3E", text)).toBe("0x1::coin::CoinStore<0x1::a::B>");
  expect(readSegment("tag", "%zz", text)).toBe("%zz");
});
