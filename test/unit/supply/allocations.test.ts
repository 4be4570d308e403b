import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocationsView } from "../../../src/supply/allocations.ts";
import { allSteps, stepAt } from "../../../src/supply/circulating.ts";
import { fileOf, sketch } from "./generated-schedules.ts";
import { bucket, file, onePhase, table, valid, wallet } from "./schedules.ts";

const viewAt = (json: unknown, instant: string) => {
  const schedule = valid(json);
  return allocationsView(schedule, stepAt(schedule, Date.parse(instant)));
};

test("at every step, unlocked and locked add up to each allocation and the maximum", () => {
  fc.assert(
    fc.property(sketch, fc.nat(), (sketched, pick) => {
      const schedule = valid(fileOf(sketched));
      const steps = allSteps(schedule);
      const view = allocationsView(schedule, steps[pick % steps.length]);
      const units = (part: "allocation" | "unlocked" | "locked") =>
        view.allocations.map((each) => BigInt(each[part].base_units));
      units("allocation").forEach((amount, index) => {
        expect((units("unlocked")[index] ?? 0n) + (units("locked")[index] ?? 0n)).toBe(amount);
      });
      const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
      expect(sum(units("allocation"))).toBe(BigInt(view.max_supply.base_units));
      expect(sum(units("unlocked"))).toBe(BigInt(view.unlocked.base_units));
    }),
    { numRuns: 200 },
  );
});

test("each bucket has the label and the category of the schedule file", () => {
  const buckets = [bucket({ id: "a", label: "Core contributors", category: "team" })];
  expect(viewAt(file({ buckets }), "2025-06-01").allocations).toMatchObject([
    { id: "a", label: "Core contributors", category: "team" },
  ]);
});

describe("rules in calendar dates", () => {
  const empty = { installments: null, every_months: null, every_days: null };
  const YEAR = { from: "2025-03-01", to: "2026-03-01" };

  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ["a cliff", { kind: "cliff", month: 3 }, { ...empty, from: "2025-05-01", to: "2025-05-01", installments: 1 }],
    [
      "installments by months",
      { kind: "installments", first_month: 1, count: 4, every_months: 3 },
      { ...empty, from: "2025-03-01", to: "2025-12-01", installments: 4, every_months: 3 },
    ],
    [
      "installments by days",
      { kind: "installments", first_day: 10, count: 3, every_days: 20 },
      { ...empty, from: "2025-02-23", to: "2025-04-04", installments: 3, every_days: 20 },
    ],
    ["a linear phase", { kind: "linear", ...YEAR }, { ...empty, ...YEAR }],
    ["never", { kind: "never" }, { ...empty, from: null, to: null }],
  ])("the dates of a phase: %s", (_name, phase, expected) => {
    const [allocation] = viewAt(onePhase(phase), "2025-02-20").allocations;
    expect(allocation?.phases).toEqual([
      { kind: phase["kind"], amount: { tokens: "1000", base_units: "100000000000" }, ...expected },
    ]);
  });
});

describe("state", () => {
  const json = onePhase({ kind: "cliff", month: 2 }, { sample: true });

  test("before the start nothing is unlocked and the next unlock is the first", () => {
    expect(viewAt(json, "2025-02-12T23:59:59Z")).toMatchObject({
      state: "not_started",
      sample: true,
      starts_at: "2025-02-13T00:00:00Z",
      effective_from: null,
      unlocked: { tokens: "0" },
      allocations: [{ unlocked: { tokens: "0" }, next_unlock: { at: "2025-04-01T00:00:00Z" } }],
    });
  });

  test("before the start, what circulates from the start is locked and the next unlock", () => {
    const half = bucket({ genesis: "400", phases: [{ kind: "never", amount: "600" }] });
    const [allocation] = viewAt(file({ buckets: [half] }), "2025-01-01").allocations;
    expect(allocation?.next_unlock).toEqual({
      at: "2025-02-13T00:00:00Z",
      amount: { tokens: "400", base_units: "40000000000" },
    });
    expect(allocation).toMatchObject({ unlocked: { tokens: "0" }, locked: { tokens: "1000" } });
  });

  test.each([
    ["2025-02-13T00:00:00Z", "running", "0", "1000"],
    ["2025-03-31T23:59:59Z", "running", "0", "1000"],
    ["2025-04-01T00:00:00Z", "ended", "1000", "0"],
  ])("at %s it is %s", (instant, state, unlocked, locked) => {
    expect(viewAt(json, instant)).toMatchObject({ state, unlocked: { tokens: unlocked }, locked: { tokens: locked } });
  });
});

test("wallets on this chain are read, others are listed as unverified", () => {
  const addresses = [wallet("0x00A1", { holds: "vesting" }), wallet("0xAbC", { chain: "ethereum", label: "Bridge" })];
  const [allocation] = viewAt(file({ buckets: [bucket({ addresses })] }), "2025-02-20").allocations;
  expect(allocation?.addresses).toEqual([
    { chain: "native", address: "0xa1", label: "Vault", holds: "vesting", verification: "on_chain" },
    { chain: "ethereum", address: "0xAbC", label: "Bridge", holds: "account", verification: "unverified" },
  ]);
});

test("a table has totals and no allocations", () => {
  expect(viewAt(table(["2025-02", "400"]), "2025-03-01")).toMatchObject({
    published_as: "table",
    state: "ended",
    unlocked: { tokens: "400" },
    allocations: [],
  });
});
