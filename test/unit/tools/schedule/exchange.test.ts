import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { allSteps, stepAt } from "../../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { unlockEventsCsv } from "../../../../src/supply/unlock-event-formats.ts";
import { unlockEvents } from "../../../../src/supply/unlock-events.ts";
import { defillamaFile } from "../../../../tools/schedule/defillama.ts";
import { type EmissionsFile, evaluate } from "../../../../tools/schedule/emissions/driver.ts";
import { FILE_PARAMETERS, type RunEmissions, runSandboxed } from "../../../../tools/schedule/emissions/evaluate.ts";
import { importSchedule } from "../../../../tools/schedule/import.ts";
import arbitrum from "../../../fixtures/schedule/examples/arbitrum.json" with { type: "json" };
import sui from "../../../fixtures/schedule/examples/sui.json" with { type: "json" };
import { refusalOfPromise } from "../../../support/refusal.ts";
import { readUnlockSchedule } from "../../../support/unlock-schedule.ts";
import { fileOf, sketch } from "../../supply/generated-schedules.ts";
import { BURN, bucket, file, valid } from "../../supply/schedules.ts";

let folder = "";
let count = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "exchange-"));
});

/** Runs a file in this process without the sandbox; the result passes through JSON as from an isolate. */
const inProcess: RunEmissions = async (script, clocksMs) => {
  const run = new Function(...FILE_PARAMETERS, script) as EmissionsFile; // of these parameters
  try {
    return JSON.parse(JSON.stringify(await Promise.all(clocksMs.map((ms) => evaluate(run, ms)))));
  } catch (cause) {
    return { refused: String(cause) };
  }
};

/** Imports a text, as the command does, and reads the schedule that it wrote. */
async function imported(
  text: string,
  name: string,
  decimals: number,
  { run = inProcess, ...more }: { readonly run?: RunEmissions | undefined; readonly [flag: string]: unknown } = {},
): Promise<UnlockSchedule> {
  count += 1;
  const [path, out] = [join(folder, name), join(folder, `imported-${count}.json`)];
  writeFileSync(path, text);
  const flags = { symbol: "X", decimals: String(decimals), out, noncirculating: "counted", ...more };
  await importSchedule({ folder, nowMs: Date.parse("2026-11-21") }, path, flags, run);
  return readUnlockSchedule(out);
}

/** Runs a file as the command does. */
const WALLED_IN = { run: (script: string, clocksMs: readonly number[]) => runSandboxed(script, clocksMs, 20_000) };

const refusal = (text: string, name: string, more: Parameters<typeof imported>[3] = {}) =>
  refusalOfPromise(imported(text, name, 8, more));

/** The figure at each instant at which it changes. */
const changes = (schedule: UnlockSchedule) =>
  unlockEvents(schedule)
    .filter(({ amount }) => amount !== 0n)
    .map(({ atMs, cumulative }) => [atMs, cumulative]);

describe("for every schedule, the figures are the same after exporting and importing", () => {
  test.each([
    ["DefiLlama's file", "x.ts", defillamaFile],
    [
      "the CSV of unlock events",
      "x.csv",
      (schedule: UnlockSchedule) => unlockEventsCsv(schedule, unlockEvents(schedule)),
    ],
  ])("through %s", async (_name, name, write) => {
    await fc.assert(
      fc.asyncProperty(sketch, async (sketched) => {
        // Both formats name buckets by their labels.
        const json = fileOf(sketched);
        const buckets = json.buckets.map((each, index) => ({ ...each, label: `Bucket ${index}` }));
        const schedule = valid({ ...json, buckets });
        const back = await imported(write(schedule), name, sketched.decimals);
        expect(changes(back)).toEqual(changes(schedule));
        expect(allSteps(back).at(-1)?.circulating).toBe(allSteps(schedule).at(-1)?.circulating);
        if (name === "x.ts") expect(back.maxSupply).toBe(schedule.maxSupply);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test("an amount of fifteen digits beside one of thirteen stays to the last", async () => {
    const amount = "9419419.88175501";
    const token = { symbol: "X", name: "X", decimals: 8 };
    const schedule = valid(
      file({ token, max_supply: amount, buckets: [bucket({ allocation: amount, genesis: amount })] }),
    );
    expect(changes(await imported(defillamaFile(schedule), "x.ts", 8))).toEqual(changes(schedule));
  });

  test("an amount of sixteen digits, which a double tells from its neighbours, stays to the last", async () => {
    const amount = "246970858483600.1";
    const token = { symbol: "X", name: "X", decimals: 1 };
    const phases = [{ kind: "cliff", amount: "0.1", month: 1 }];
    const buckets = [bucket({ allocation: amount, genesis: "246970858483600", phases })];
    const schedule = valid(file({ token, max_supply: amount, buckets }));
    expect(changes(await imported(defillamaFile(schedule), "x.ts", 1))).toEqual(changes(schedule));
    const once = valid(file({ token, max_supply: amount, buckets: [bucket({ allocation: amount, genesis: amount })] }));
    expect(changes(await imported(defillamaFile(once), "x.ts", 1))).toEqual(changes(once));
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
  expect(() => defillamaFile(valid(sui))).toThrow("a table has no buckets, and DefiLlama's file needs them");
});

test("an adjustment is exported as a negative cliff and comes back as an adjustment", async () => {
  const burn = { ...BURN, month: "2025-04", delta: "-1.5" };
  const schedule = valid(file({ buckets: [bucket({ genesis: "1000" })], adjustments: [burn] }));
  const text = defillamaFile(schedule);
  expect(text).toContain("manualCliff(1743465600, -1.5)");
  const back = await imported(text, "burn.ts", 8);
  expect(back.adjustments).toMatchObject([{ bucket: "community", delta: -150_000_000n, kind: "correction" }]);
  expect(changes(back)).toEqual(changes(schedule));
});

/** An emissions file as people write them, with sections of its own. */
const emissions = (sections: string, meta = "total: 1000", categories = "") => `
  import { manualCliff, manualLinear, manualStep, manualLog } from "../adapters/manual";
  import { Protocol } from "../types/adapters";
  import { periodToSeconds, months, readableToSeconds } from "../utils/time";
  import { balance } from "../adapters/balance";
  import { queryDune } from "../utils/dune";
  const start = 1767225600; // 2026-01-01
  const orb: Protocol = { ${sections}, meta: { sources: [], protocolIds: [], ${meta} }, categories: { ${categories} } };
  export default orb;`;

describe("DefiLlama's files are run in a sandbox", () => {
  const at = (schedule: UnlockSchedule, day: string) =>
    Number(stepAt(schedule, Date.parse(day))?.circulating ?? 0n) / 1e8;

  test.each<[what: string, sections: string, figures: readonly (readonly [string, number])[]]>([
    ["one call", "A: manualCliff(start, 1000)", [["2026-01-01", 1000]]],
    [
      "constants and functions",
      "A: () => [manualCliff(start, 1e3 * 0.3), manualCliff(months(start, 2), 700)]",
      [
        ["2026-01-01", 300],
        ["2026-03-03", 1000],
      ],
    ],
    ["a comment is no unlock", "A: [manualCliff(start, 1000), /* manualCliff(start, 5) */ ]", [["2026-01-01", 1000]]],
    [
      "a line, by the day",
      'A: manualLinear(start, "2026/03/02", 1000)',
      [
        ["2026-01-01", 0],
        ["2026-02-01", 516.66666666],
        ["2026-04-01", 1000],
      ],
    ],
    [
      "mean months are those of the calendar",
      "A: manualStep(start, periodToSeconds.month, 10, 100)",
      [
        ["2026-01-01", 0],
        ["2026-02-01", 100],
        ["2026-03-01", 200],
        ["2026-11-01", 1000],
      ],
    ],
    [
      "weeks are seen at the next step",
      "A: manualStep(start, periodToSeconds.week, 10, 100)",
      [
        ["2026-01-08", 100],
        ["2026-02-08", 500],
      ],
    ],
    [
      "a promise, and components",
      "A: { components: [{ fetch: async () => manualCliff(start, 600) }, { fetch: manualCliff(start, 400), isTBD: true }] }",
      [["2027-01-01", 600]],
    ],
    [
      "documented sections in place of others",
      'A: queryDune(1), documented: { replaces: ["A"], B: manualCliff(start, 1000) }',
      [["2026-01-01", 1000]],
    ],
    [
      "dates as texts, by their form",
      'A: [manualCliff("01/02/2026", 400, "DD/MM/YYYY"), manualCliff(readableToSeconds("2026-03-01"), 600)]',
      [
        ["2026-02-01", 400],
        ["2026-03-01", 1000],
      ],
    ],
    [
      "doubles are the short numbers that they stand for",
      "A: manualCliff(start, 333.33333333333337 * 3)",
      [["2026-01-01", 1000]],
    ],
  ])("%s", async (_what, sections, figures) => {
    const schedule = await imported(emissions(sections), "x.ts", 8);
    expect(figures.map(([day]) => [day, at(schedule, day)])).toEqual(figures);
  });

  test("what they call noncirculating is the operator's to decide, and what cannot be read too", async () => {
    const text = emissions(
      "A: manualCliff(start, 600), B: manualCliff(start, 400)",
      "total: 1000",
      'noncirculating: ["B"]',
    );
    expect(await refusal(text, "x.ts", { noncirculating: undefined })).toEqual([
      expect.stringContaining(
        "--noncirculating locked|counted: missing; DefiLlama does not count these as unlocked: B",
      ),
    ]);
    expect(at(await imported(text, "x.ts", 8, { noncirculating: "locked" }), "2026-01-01")).toBe(600);
    expect(at(await imported(text, "x.ts", 8, { noncirculating: "counted" }), "2026-01-01")).toBe(1000);
    const chain = emissions("A: manualCliff(start, 600), B: balance([], 0)");
    const aside = await imported(chain, "x.ts", 8, { "set-aside": ["B"] });
    expect([aside.maxSupply, at(aside, "2030-01-01")]).toEqual([100_000_000_000n, 600]);
  });

  test.each<[what: string, sections: string, message: RegExp]>([
    ["a chain", "A: balance([], 0), B: manualCliff(start, 5)", /x\.ts: A: reads \.\.\/adapters\/balance/],
    ["a database, inside a promise", "A: async () => (await queryDune(1)).map(x => x)", /A: reads \.\.\/utils\/dune/],
    ["the network", 'A: async () => fetch("https://example.org")', /A: calls fetch/],
    ["the network behind a global", 'A: () => globalThis.fetch("https://example.org")', /A: reads globalThis/],
    [
      "a module that is imported later",
      'A: async () => (await import("cloudflare:sockets")).connect("a")',
      /A: reads cloudflare:sockets/,
    ],
    ["the present", "A: manualCliff(Math.floor(Date.now() / 1000), 5)", /A: depends on the time at which it is read/],
    ["a day that does not exist", 'A: manualCliff("2026-04-31", 5)', /2026-04-31 is not a day that exists/],
    ["a length for a date", "A: manualLinear(start, 52594860, 5)", /A: 52594860 is not a Unix time from 2001 on/],
    [
      "an end before its begin",
      'A: manualLinear(start, "2025-01-01", 5)',
      /A: ends on 2025-01-01, before it begins on 2026-01-01/,
    ],
    ["a part of a step", "A: manualStep(start, 86400, 2.5, 5)", /A: 2.5 steps: must be a whole number above 0/],
    ["more than the maximum", "A: manualCliff(start, 1001)", /add up to 1001, more than the maximum supply 1000/],
    ["what is no rule", 'A: { amount: "5" }', /A: is not a rule: \{"amount":"5"\}/],
    ["braces that would leave the wall", "A: 1 } }; export const b = () => { const c = { d: 1", /x\.ts: (line \d+|)/],
  ])("refused by section and reason: %s", async (_what, sections, message) => {
    expect((await refusal(emissions(sections), "x.ts")).join("\n")).toMatch(message);
  });

  test("inside the wall a file says the same", async () => {
    const sections = [
      "A: manualCliff(start, 1000), B: () => manualStep(start, periodToSeconds.month, 10, 100)",
      'C: async () => (await import("cloudflare:sockets")).connect("a"), D: async () => fetch("https://example.org")',
      'E: () => eval("1"), F: () => globalThis.fetch("https://example.org")',
    ].join(", ");
    const said = (await refusal(emissions(sections), "x.ts", WALLED_IN)).join("\n");
    expect(said).toMatch(/C: reads cloudflare:sockets\n.*D: calls fetch\n.*E: reads eval\n.*F: reads globalThis/);
    const schedule = await imported(emissions("A: manualCliff(start, 1000)"), "x.ts", 8, WALLED_IN);
    expect(at(schedule, "2026-01-01")).toBe(1000);
  }, 30_000);

  test("a loop without end is ended", async () => {
    const run: RunEmissions = (script, clocksMs) => runSandboxed(script, clocksMs, 1_500);
    const said = await refusal(emissions("A: () => { for (;;); }"), "x.ts", { run });
    expect(said.join()).toMatch(/could not be evaluated: it does not end/);
  });

  test("a file without a total asks for the maximum, and says what its sections come to", async () => {
    const text = emissions("A: manualCliff(start, 400)", "");
    expect((await refusal(text, "x.ts")).join()).toContain(
      "--max-supply: missing; the file has no meta.total, the maximum in tokens; its sections add up to 400",
    );
    expect((await imported(text, "x.ts", 8, { "max-supply": "500" })).maxSupply).toBe(50_000_000_000n);
  });
});

test.each([
  ["an empty file", "", "x.ts", /has no sections, so it is not an emissions file/],
  ["JSON", '{"app_state": {}}', "x.json", /is JSON, and `new` reads tables/],
  ["a CSV with other columns", "a,b\n1,2\n", "x.csv", /the column at is missing.*\n.*the column label is missing.*/],
  [
    "a CSV with a wrong date",
    "at,label,category,amount\nsoon,A,team,5\n",
    "x.csv",
    /column A "at": A2 "soon" is not an instant in ISO 8601/,
  ],
  [
    "a day of two readings",
    "at,label,category,amount\n01/07/2026,A,team,5\n",
    "x.csv",
    /A2 "01\/07\/2026" is not an instant in ISO 8601/,
  ],
])("%s is refused by name", async (_what, text, name, message) => {
  expect((await refusal(text, name)).join("\n")).toMatch(message);
});

test("an import does not overwrite a file", async () => {
  const path = join(folder, "a.ts");
  writeFileSync(path, defillamaFile(valid(file())));
  const flags = { symbol: "X", noncirculating: "counted", out: join(folder, "out.json") };
  await importSchedule({ folder, nowMs: 0 }, path, flags, inProcess);
  const before = readFileSync(flags.out, "utf8");
  await expect(importSchedule({ folder, nowMs: 0 }, path, flags, inProcess)).rejects.toThrow("exists already");
  expect(readFileSync(flags.out, "utf8")).toBe(before);
});
