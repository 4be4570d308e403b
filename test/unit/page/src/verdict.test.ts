import { expect, test } from "vitest";
import { readingAlerts } from "../../../../page/src/alerts.ts";
import { parseHoldings, type SupplyBreakdown } from "../../../../page/src/documents.ts";
import { isShort, verdictOf } from "../../../../page/src/verdict.ts";
import { STATES, type StateName } from "../../../support/page-states.ts";

const USUAL = STATES.usual.breakdown as SupplyBreakdown; // as the state has it

/** The breakdown of a chain on which one allocation's wallets hold so much more than is locked. */
const withDifference = (tokens: string): SupplyBreakdown => ({
  ...USUAL,
  buckets: USUAL.buckets.map((bucket, index) => ({
    ...bucket,
    difference: index === 0 ? { tokens, base_units: String(Math.round(Number(tokens) * 1e8)) } : null,
  })),
});

test.each([
  ["0", false],
  ["-0.4", false],
  ["-0.99999999", false],
  ["-1", true],
  ["-1.5", true],
  ["-10", true],
  ["0.4", false],
  ["1", false],
])("wallets that hold %s tokens more than is locked hold less than scheduled: %s", (tokens, short) => {
  const breakdown = withDifference(tokens);
  expect(breakdown.buckets.map((one) => isShort(one, 8))).toEqual(
    breakdown.buckets.map((_, index) => short && index === 0),
  );
  const { state, text } = verdictOf(breakdown);
  expect(state).toBe(short ? "short" : "verified");
  expect(text.startsWith("Less than scheduled was held for")).toBe(short);
});

test("an allocation without a balance is not reported as short", () => {
  expect(verdictOf({ ...USUAL, buckets: USUAL.buckets.map((bucket) => ({ ...bucket, difference: null })) }).state).toBe(
    "verified",
  );
});

test.each([
  ["wallet that cannot be read", "1 of 4 wallets could not be read"],
  ["old values", "The balance of 1 of 4 wallets fell by more than half"],
] satisfies [StateName, string][])("%s: the verdict and the alert have the same words", (name, fact) => {
  const breakdown = STATES[name].breakdown as SupplyBreakdown; // as the state has it
  const buckets = USUAL.buckets;
  expect(verdictOf({ ...breakdown, buckets })).toEqual({ text: fact, state: "partial" });
  expect(readingAlerts(parseHoldings({ ...breakdown, buckets })).map((alert) => alert.fact)).toEqual([`${fact}.`]);
});
