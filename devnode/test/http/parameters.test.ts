import { expect, test } from "vitest";
import { uint16 } from "../../../src/chain/parameters.ts";
import { readQuery } from "../../http/parameters.ts";

test("an absent query parameter is undefined, an empty one is refused", () => {
  expect(readQuery("limit", new URLSearchParams("other=1"), uint16)).toBeUndefined();
  expect(readQuery("limit", new URLSearchParams("limit="), uint16)).toMatchObject({
    message:
      'failed to parse parameter `limit`: failed to parse "integer(uint16)": cannot parse integer from empty string (occurred while parsing "optional<integer(uint16)>")',
  });
});
