import { expect, test } from "vitest";
import { parseQuery, requestedDays, withQuery } from "../../../src/http/query-params.ts";
import { ok } from "../../../src/http/reply.ts";
import { getContext } from "../../support/get-context.ts";

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

test.each([
  ["month=2025-01&utm=1", { kind: "reply", body: '{"month":"2025-01"}' }],
  ["month=2025-01&month=2025-02", { kind: "invalid_input" }],
])("a handler with parameters answers %j", async (query, outcome) => {
  const handler = withQuery(["month"], (params) => ok(JSON.stringify(params), {}));
  expect(await handler(getContext(`/?${query}`))).toMatchObject(outcome);
});

test.each([
  [{}, { from: undefined, to: undefined }],
  [{ from: "2026-03-31" }, { from: "2026-03-31", to: undefined }],
  [{ to: "2026-03-31" }, { from: undefined, to: "2026-03-31" }],
  [
    { from: "2026-03-30", to: "2026-03-31" },
    { from: "2026-03-30", to: "2026-03-31" },
  ],
  [
    { from: "2026-03-31", to: "2026-03-31" },
    { from: "2026-03-31", to: "2026-03-31" },
  ],
])("%j is a range of days", (params, days) => {
  expect(requestedDays(params)).toEqual(days);
});

test.each([
  [{ from: "2026-02-29" }, "Parameter from must be a day that exists as YYYY-MM-DD, for example 2026-03-31."],
  [{ to: "2026-3-1" }, "Parameter to must be a day that exists as YYYY-MM-DD, for example 2026-03-31."],
  [{ from: "2026-03-31", to: "" }, "Parameter to must be a day that exists as YYYY-MM-DD, for example 2026-03-31."],
  [{ from: "2026-04-01", to: "2026-03-31" }, "Parameter from must not be later than to."],
])("%j is refused", (params, message) => {
  expect(requestedDays(params)).toEqual({ kind: "invalid_input", message });
});
