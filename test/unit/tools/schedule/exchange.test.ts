import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { rows } from "../../../../src/supply/circulating.ts";
import type { Schedule } from "../../../../src/supply/schedule.ts";
import { unlockEventsCsv } from "../../../../src/supply/unlock-event-formats.ts";
import { unlockEvents } from "../../../../src/supply/unlock-events.ts";
import { defillamaFile } from "../../../../tools/schedule/defillama.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { importSchedule } from "../../../../tools/schedule/import.ts";
import arbitrum from "../../../fixtures/schedule/examples/arbitrum.json" with { type: "json" };
import sui from "../../../fixtures/schedule/examples/sui.json" with { type: "json" };
import { refusalOf } from "../../../support/refusal.ts";
import { fileOf, sketch } from "../../supply/generated-schedules.ts";
import { BURN, bucket, file, valid } from "../../supply/schedules.ts";

let folder = "";
let count = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "exchange-"));
});

/** Imports a text, as the command does, and reads the schedule that it wrote. */
function imported(text: string, name: string, decimals: number): Schedule {
  count += 1;
  const [path, out] = [join(folder, name), join(folder, `imported-${count}.json`)];
  writeFileSync(path, text);
  importSchedule({ folder, nowMs: Date.parse("2026-11-21") }, path, { symbol: "X", decimals: String(decimals), out });
  return readSchedule(out);
}

const refusal = (text: string, name: string) => refusalOf(() => imported(text, name, 8));

/** The figure at each instant at which it changes. */
const changes = (schedule: Schedule) =>
  unlockEvents(schedule)
    .filter(({ amount }) => amount !== 0n)
    .map(({ atMs, cumulative }) => [atMs, cumulative]);

describe("for every schedule, the figures are the same after exporting and importing", () => {
  test.each([
    ["DefiLlama's file", "x.ts", defillamaFile],
    ["the CSV of unlock events", "x.csv", (schedule: Schedule) => unlockEventsCsv(schedule, unlockEvents(schedule))],
  ])("through %s", (_name, name, write) => {
    fc.assert(
      fc.property(sketch, (sketched) => {
        // Both formats name buckets by their labels.
        const json = fileOf(sketched);
        const buckets = json.buckets.map((each, index) => ({ ...each, label: `Bucket ${index}` }));
        const schedule = valid({ ...json, buckets });
        const back = imported(write(schedule), name, sketched.decimals);
        expect(changes(back)).toEqual(changes(schedule));
        expect(rows(back).at(-1)?.circulating).toBe(rows(schedule).at(-1)?.circulating);
        if (name === "x.ts") expect(back.maxSupply).toBe(schedule.maxSupply);
      }),
      { numRuns: 60 },
    );
  });
});

test("DefiLlama's file has one cliff per unlock at its exact instant, and their categories", () => {
  const text = defillamaFile(valid(arbitrum));
  expect(text).toContain('import { manualCliff } from "../adapters/manual";');
  expect(text).toMatch(/^ {4}manualCliff\(1678924800, \d+\),$/m);
  expect(text).toContain("    total: 10000000000,");
  expect(text).toMatch(/^ {4}insiders: \[.*"Team/m);
  expect(text.match(/manualCliff\(/g)?.length).toBeGreaterThan(70);
});

test.each(["1INCH", "NEW"])("the file of %s is a module that can be evaluated, whatever the labels", (symbol) => {
  const labels = ["Team", "Team", "meta", "__proto__"];
  const buckets = labels.map((label, index) => bucket({ id: `b${index}`, label, allocation: "250", genesis: "250" }));
  const text = defillamaFile(valid(file({ token: { symbol, name: "X", decimals: 8 }, buckets })));
  const script = text
    .replace(/^import .*$/gm, "")
    .replace(": Protocol", "")
    .replace("export default", "return");
  const exported = new Function("manualCliff", `"use strict"; ${script}`)(() => 0);
  expect(Object.keys(exported)).toEqual(["Team", "Team (b1)", "meta (b2)", "__proto__ (b3)", "meta", "categories"]);
});

test("a table has no buckets to export", () => {
  expect(() => defillamaFile(valid(sui))).toThrow("a table has no buckets to export");
});

test("an adjustment is exported as a negative cliff and comes back as an adjustment", () => {
  const burn = { ...BURN, month: "2025-04", delta: "-1.5" };
  const schedule = valid(file({ buckets: [bucket({ genesis: "1000" })], adjustments: [burn] }));
  const text = defillamaFile(schedule);
  expect(text).toContain("manualCliff(1743465600, -1.5)");
  const back = imported(text, "burn.ts", 8);
  expect(back.adjustments).toMatchObject([{ bucket: "community", delta: -150_000_000n, kind: "correction" }]);
  expect(changes(back)).toEqual(changes(schedule));
});

test.each([
  [
    "code other than a cliff",
    '  "A": [\n    manualStep(1678924800, 2629743, 48, 5),\n  ],',
    "x.ts",
    /only manualCliff/,
  ],
  ["a computed amount", '  "A": [\n    manualCliff(1678924800, 5 * 2),\n  ],', "x.ts", /only manualCliff/],
  ["an empty file", "", "x.ts", /no section with manualCliff/],
  [
    "two days of the month",
    '  "A": [\n manualCliff(1678924800, 5),\n manualCliff(1681603200, 5),\n manualCliff(1681689600, 5),\n ],',
    "x.ts",
    /days 16, 17 of the month; a schedule has one step day/,
  ],
  ["an hour of the day", '  "A": [\n    manualCliff(1678928400, 5),\n  ],', "x.ts", /is not 00:00:00 UTC/],
  ["a CSV with other columns", "a,b\n1,2\n", "x.csv", /the column at is missing/],
  ["a CSV with a wrong date", "at,label,category,amount\nsoon,A,team,5\n", "x.csv", /line 2: soon is not an instant/],
])("%s is refused by name", (_what, text, name, message) => {
  expect(refusal(text, name).join("\n")).toMatch(message);
});

test("an import does not overwrite a file", () => {
  const path = join(folder, "a.ts");
  writeFileSync(path, defillamaFile(valid(file())));
  const flags = { symbol: "X", out: join(folder, "out.json") };
  importSchedule({ folder, nowMs: 0 }, path, flags);
  const before = readFileSync(flags.out, "utf8");
  expect(() => importSchedule({ folder, nowMs: 0 }, path, flags)).toThrow("exists already");
  expect(readFileSync(flags.out, "utf8")).toBe(before);
});
