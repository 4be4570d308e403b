import { expect, test } from "vitest";
import { withStatusRemedy } from "../../../src/home/upstream-reports.ts";

test.each([
  ["upstream-1", 404, "NODE_URLS"],
  ["upstream-2", 401, "NODE_API_KEY"],
  ["base-1", 301, "NODE_URLS_BASE"],
  ["base-1", 404, "NODE_URLS_BASE"],
  ["arbitrum-one-2", 401, "NODE_API_KEY_ARBITRUM_ONE"],
])("what a node %s answers with status %i is repaired in %s", (label, status, setting) => {
  const text = withStatusRemedy(label, `answers with status ${status}`, status);
  expect(text).toMatch(new RegExp(`^answers with status ${status}: `));
  expect(text.match(/NODE_\w+/g)).toEqual([setting]);
});

test("where the operator of the node must act, no setting is named", () => {
  for (const status of [402, 403]) expect(withStatusRemedy("base-1", "refuses", status)).toMatch(/^refuses: [^N]+$/);
  expect(withStatusRemedy("base-1", "refuses", 500)).toBe("refuses");
});
