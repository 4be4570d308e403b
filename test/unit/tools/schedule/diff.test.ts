import { describe, expect, test } from "vitest";
import { allSteps } from "../../../../src/supply/circulating.ts";
import type { Schedule } from "../../../../src/supply/schedule.ts";
import { changes } from "../../../../tools/schedule/diff.ts";
import { bucket, cliff, file, installments, onePhase, valid } from "../../supply/schedules.ts";

const rowsOf = (schedule: Schedule) => allSteps(schedule).map((step) => [step.effectiveFromMs, step.circulating]);

describe("a change of the days between equal steps", () => {
  // 59 tokens from the start on: 28 days to the first step, 31 to the second.
  const start = { start: "2025-02-01", max_supply: "59" };
  const allocated = (phases: readonly object[]) =>
    file({ ...start, buckets: [bucket({ allocation: "59", genesis: "0", phases })] });
  const byDays = valid(allocated([{ kind: "linear", amount: "59", from: "2025-02-01", to: "2025-04-01" }]));
  const bySteps = valid(allocated([cliff(28, 1), cliff(31, 2)]));
  const DAYS = "The monthly figures stay, and the daily figure changes on 57 days, from 2025-02-02 to 2025-03-31.";

  test.each([
    ["to cliffs", byDays, bySteps],
    ["from cliffs", bySteps, byDays],
  ])("%s is reported", (_what, from, to) => {
    expect(rowsOf(from)).toEqual(rowsOf(to));
    const said = changes(from, to);
    expect(said).toContain(DAYS);
    expect(said).not.toContain("No figure changes.");
  });

  test("is reported beside changed months, each day once", () => {
    const other = valid(allocated([cliff(28, 1), cliff(31, 3)]));
    const said = changes(byDays, other);
    expect(said).toContain("2025-04-01  changed");
    expect(said).toContain(
      "Where the monthly figure stays, the daily figure changes on 57 days, from 2025-02-02 to 2025-03-31.",
    );
  });

  test("one day is no range", () => {
    const from = (day: string) =>
      valid(allocated([{ kind: "linear", amount: "58", from: day, to: "2025-02-03" }, cliff(1, 2)]));
    expect(changes(from("2025-02-01"), from("2025-02-02"))).toMatch(/the daily figure changes on 2025-02-02\.$/m);
  });

  test("a table of figures has no days of its own", () => {
    const table = [
      { month: "2025-02", circulating: "0" },
      { month: "2025-03", circulating: "28" },
      { month: "2025-04", circulating: "59" },
    ];
    const figures = valid(file({ ...start, buckets: undefined, table }));
    expect(rowsOf(byDays)).toEqual(rowsOf(figures));
    expect(changes(figures, byDays)).toContain(DAYS);
  });
});

test("a schedule without phases of days has no daily figure that could change", () => {
  const [monthly, cliffs] = [
    valid(onePhase(installments(1_000, 1, 2))),
    valid(file({ buckets: [bucket({ genesis: "0", phases: [cliff(500, 1), cliff(500, 2)] })] })),
  ];
  expect(changes(monthly, cliffs)).toMatch(/^No figure changes\.$/m);
});

test("a chain that is added, or is another one, is reported with all that it states", () => {
  const on = (changed: object, ...further: readonly object[]) =>
    valid(
      file({
        chains: [{ id: "native", family: "evm", chain_id: 1, asset: `0x${"ab".repeat(20)}`, ...changed }, ...further],
      }),
      "evm",
    );
  const [first, other] = [`native evm 1 0x${"ab".repeat(20)} issued`, `0x${"cd".repeat(20)}`];
  const bridged = {
    ...{ id: "base", family: "evm", chain_id: 8453, asset: other, supply: "bridged" },
    escrow: { chain: "native", address: other },
  };
  const view = { contract: other, view: "circulatingSupply()" };
  expect(changes(valid(file(), "evm"), on({}))).toBe(`chains: - -> ${first}\nNo figure changes.`);
  expect(changes(on({}), on({}, bridged))).toBe(
    `chains: ${first} -> ${first}, base evm 8453 ${other} bridged from ${other} on native\nNo figure changes.`,
  );
  expect(changes(on({}), on({ circulating_view: view }))).toBe(
    `chains: ${first} -> ${first}, compared with circulatingSupply() of ${other}\nNo figure changes.`,
  );
  expect(changes(on({}), on({ chain_id: 5 }))).toContain("-> native evm 5 ");
});

test("a share price that is added or asked by another view is reported; no figure of the plan changes", () => {
  const priced = (view: string, changed: object = {}) =>
    valid(
      file({
        share_prices: [
          {
            ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
            ...{ chain: "native", contract: `0x${"fe".repeat(20)}`, view, decimals: 18 },
            ...changed,
          },
        ],
      }),
      "evm",
    );
  const contract = `0x${"fe".repeat(20)}`;
  const row = (view: string) =>
    `vault by ${view} of ${contract} on native with 18 decimals: vault "Vault" of Example in XYZ <->`;
  const text = changes(priced("getRate()"), priced("exchangeRate()"));
  expect(text).toBe(`share_prices: ${row("getRate()")} -> ${row("exchangeRate()")}\nNo figure changes.`);
  for (const changed of [{ name: "Other" }, { kind: "savings" }, { provider: "Other" }, { asset: { symbol: "ABC" } }])
    expect(changes(priced("getRate()"), priced("getRate()", changed))).toMatch(/^share_prices: .+ -> /);
  expect(changes(valid(file(), "evm"), priced("getRate()"))).toMatch(/^share_prices: - -> vault by /);
});
