import { describe, expect, test } from "vitest";
import type { BaseUnits } from "../../../src/chain/amount.ts";
import { bareReply, type FigureForm } from "../../../src/supply/figure-format.ts";
import { bucket, file, valid } from "./schedules.ts";

const MAX = 2n ** 53n - 1n;
// A base unit is an integer; the test's amounts have no decimals.
const replyOf = (amount: bigint, form: FigureForm) =>
  bareReply({ baseUnits: amount as BaseUnits, decimals: 0 }, form, {});

describe("a figure above the greatest number that JSON readers keep exact", () => {
  test.each(["number", "number-exact"] as const)("is 404 as %s, naming the forms that serve it", (form) => {
    expect(replyOf(MAX, form)).toMatchObject({ kind: "reply", body: String(MAX) });
    const refusal = replyOf(MAX + 1n, form);
    expect(refusal).toMatchObject({ kind: "not_found", message: expect.stringContaining("?format=plain") });
    expect(refusal).toMatchObject({ message: expect.stringContaining("?format=result") });
  });

  test("is served as text, and as a result, to the last digit", () => {
    const amount = 420n * 10n ** 15n + 1n;
    expect(replyOf(amount, "plain")).toMatchObject({ status: 200, body: "420000000000000001" });
    expect(replyOf(amount, "plain-exact")).toMatchObject({ body: "420000000000000001" });
    expect(replyOf(amount, "result")).toMatchObject({ body: '{"result":"420000000000000001"}' });
  });
});

test("a token of 420 quadrillion is valid", () => {
  const max = String(420n * 10n ** 15n);
  const schedule = valid(file({ max_supply: max, buckets: [bucket({ allocation: max, genesis: max })] }));
  expect(String(schedule.maxSupply)).toContain("420000000000000000");
});
