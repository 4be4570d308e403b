import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/base/utc.ts";
import { stepIndexAt } from "../../../../src/supply/calendar.ts";
import { bucketsOf, type UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { schedule as command } from "../../../../tools/schedule.ts";
import { readUnlockSchedule } from "../../../support/unlock-schedule.ts";
import { withBurn } from "../../supply/generated-schedules.ts";
import { table } from "../../supply/schedules.ts";
import { at, folder, NOW, path, published, recordPath, rowsPath, run, SOURCE, small, stepsOf } from "./revisions.ts";

/** Every amount of a schedule, in base units. */
const amountsOf = (schedule: UnlockSchedule) => [
  schedule.maxSupply,
  ...bucketsOf(schedule).flatMap(({ allocation, genesis, phases }) => [
    allocation,
    genesis,
    ...phases.map(({ amount }) => amount),
  ]),
  ...schedule.adjustments.map(({ delta }) => delta),
];

describe("a redenomination", () => {
  test("multiplies every amount, records the past anew with its reason, and back again gives the same amounts", () => {
    fc.assert(
      fc.property(withBurn, fc.nat(1_500), fc.constantFrom(2n, 100n, 1_000n), (json, days, by) => {
        const nowMs = Date.parse(json.start) + days * DAY_MS;
        const before = published(json, nowMs);
        command(["revise", "redenominate", "--by", String(by), ...SOURCE], { folder, nowMs });
        const after = readUnlockSchedule(path);
        expect(amountsOf(after)).toEqual(amountsOf(before).map((amount) => amount * by));
        expect(after.revision).toBe(2);
        const rules = BigInt(bucketsOf(before).flatMap(({ phases }) => phases).length);
        const [was, is] = [before, after].map((schedule) => stepsOf(schedule, before.lastIndex + 1));
        was?.forEach(({ circulating }, index) => {
          const more = (is?.[index]?.circulating ?? 0n) - circulating * by;
          expect(more >= 0n && more <= rules * (by - 1n), `step ${index}`).toBe(true);
        });
        expect(command(["check"], { folder, nowMs })).toContain("valid");
        const passed = stepIndexAt(after.calendar, nowMs) + 1;
        const recorded = readFileSync(rowsPath, "utf8").trim().split("\n").slice(1);
        const figures = recorded.map((line) => BigInt(line.split(",")[2] ?? ""));
        const inForce = stepsOf(after, Math.min(passed, after.lastIndex + 1));
        expect(figures).toEqual(inForce.map(({ circulating }) => circulating));
        const because = `Redenomination: 1 ${before.token.symbol} became ${by}`;
        expect(JSON.parse(readFileSync(recordPath, "utf8"))).toMatchObject({ revision: 2, rewritten: [{ because }] });
        expect(after.sources.at(-1)).toEqual({ title: because, url: "https://token.test/notice" });
        command(["revise", "redenominate", "--by", `1/${by}`], { folder, nowMs });
        expect(amountsOf(readUnlockSchedule(path))).toEqual(amountsOf(before));
      }),
      { numRuns: 60 },
    );
  });

  test("of a table multiplies its figures, and its record", () => {
    published({ ...table(["2026-01", "10"], ["2026-02", "20.5"]), start: "2026-01-01" }, NOW);
    run("redenominate", "--by", "10");
    expect(["2026-01", "2026-02"].map(at)).toEqual(["100", "205"]);
    expect(readFileSync(rowsPath, "utf8")).toContain(",205,20500000000,10000,8");
  });

  test.each([
    [["--by", "1/3"], "--by: 1000 cannot be expressed in the new tokens with 8 decimals"],
    [["--by", "1"], "--by: must be 100 where one token becomes 100, or 1/100 where 100 become one, not 1"],
    [["--by", "0.01"], "--by: must be 100"],
    [["--by", "100", "--restate"], "Unknown option '--restate'"],
    [[], "--by: missing"],
    [["team", "--by", "100"], "usage: npm run schedule -- revise"],
  ])("%j is refused, and writes nothing", (words, message) => {
    published(small(), NOW);
    const texts = () => [path, rowsPath, recordPath].map((each) => readFileSync(each, "utf8"));
    const written = texts();
    expect(() => run("redenominate", ...words)).toThrow(message);
    run("redenominate", "--by", "100", "--dry-run");
    expect(texts()).toEqual(written);
  });

  test("does not take over a record that contradicts the schedule already", () => {
    published(small(), NOW);
    writeFileSync(rowsPath, readFileSync(rowsPath, "utf8").replace(",310,31000000000,", ",311,31100000000,"));
    const texts = () => [path, rowsPath, recordPath].map((each) => readFileSync(each, "utf8"));
    const written = texts();
    expect(() => run("redenominate", "--by", "100")).toThrow("was published as");
    expect(texts()).toEqual(written);
  });
});
