import { expect, test } from "vitest";
import { parseQuery } from "../../../src/http/query-params.ts";

test.each([
  ["", {}],
  ["month=2025-01", { month: "2025-01" }],
  ["month=2025%2D01", { month: "2025-01" }],
  ["month=", { month: "" }],
  ["utm=1&month=2025-01&utm=2", { month: "2025-01" }],
  ["Month=2025-01", {}],
  ["%", {}],
])("%j is read as %j", (query, values) => {
  expect(parseQuery(query, ["month", "date"])).toEqual(values);
});

test("a known parameter given twice is refused by name, even with one value", () => {
  expect(parseQuery("month=2025-01&month=2025-01", ["month"])).toEqual({
    kind: "invalid_input",
    message: "Parameter month is given more than once.",
  });
});
