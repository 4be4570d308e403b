import { describe, expect, test } from "vitest";
import { file, onePhase } from "../../supply/schedules.ts";
import { adjusted, table, WRONG_MEANINGS, WRONG_SHAPES } from "./refused.ts";
import { isShaped } from "./shaped.ts";

const bundled = import.meta.glob<unknown>(
  ["../../../../schedule/native.json", "../../../../schedule/examples/*.json"],
  {
    import: "default",
    eager: true,
  },
);

describe("the JSON Schema that editors use agrees with the validator", () => {
  test.each(WRONG_SHAPES)("both refuse the shape: %s", (_what, json) => {
    expect(isShaped(json)).toBe(false);
  });

  test.each(WRONG_MEANINGS)("the schema accepts the shape: %s", (_what, json) => {
    expect(isShaped(json) ? [] : isShaped.errors).toEqual([]);
  });

  test.each([
    ["a minimal file", file()],
    ["an adjustment", adjusted({ delta: "-0.5" })],
    ["a table", table(["2025-02", "1"])],
    [
      "an address as account, delegation and staking contract, beside a table",
      {
        ...table(["2025-02", "1"]),
        wallets: [
          { holds: "account" },
          { holds: "delegation", pool: "0xdd" },
          { holds: "delegation", pool: "0xde" },
          { holds: "staking_contract", operator: "0xee" },
        ].map((kind) => ({ chain: "native", address: "0xa1", label: "Vault", category: "burn", ...kind })),
      },
    ],
    ["a cliff", onePhase({ kind: "cliff", month: 0 })],
    ["installments by months", onePhase({ kind: "installments", first_month: 1, count: 2, every_months: 3 })],
    ["installments by days", onePhase({ kind: "installments", first_day: 1, count: 2, every_days: 90 })],
    ["a linear phase", onePhase({ kind: "linear", from: "2025-03-01", to: "2026-03-01" })],
    ...Object.entries(bundled),
  ])("both accept: %s", (_what, json) => {
    expect(isShaped(json) ? [] : isShaped.errors).toEqual([]);
  });
});
