import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { correct as run } from "../../../../tools/history/correct.ts";
import { parseCorrections } from "../../../../tools/history/corrections.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";

const GOOD = {
  day: "2026-11-20",
  figure: "total_supply",
  to: "900",
  reason: "One node lied.",
  correctedOn: "2026-11-21",
};

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const parse = (text: string) => parseCorrections(text, NOW_MS);

describe("the file of corrections", () => {
  test("is read as written", () => {
    const apy = { ...GOOD, figure: "apy:pool 7", to: "-5.25" };
    const all = [{ ...GOOD, recorded: "800" }, apy, { ...GOOD, day: "2026-11-19", to: null }];
    expect(parse(JSON.stringify(all))).toEqual({ kind: "corrections", corrections: all });
  });

  test.each<[unknown, string]>([
    [GOOD, "must be a list of corrections"],
    [[7], "[0].must be an object"],
    [[{ ...GOOD, day: "2026-11-31" }], "[0].day: must be a day that exists, as YYYY-MM-DD"],
    [[{ ...GOOD, figure: "price" }], "[0].figure: must be one of circulating_supply_on_chain, "],
    [[{ ...GOOD, to: "9.5" }], "[0].to: must be whole base units, digits without leading zeros"],
    [[{ ...GOOD, to: -1 }], "[0].to: must be whole base units, digits without leading zeros"],
    [[{ ...GOOD, to: "00042" }], "[0].to: must be whole base units, digits without leading zeros"],
    [[{ ...GOOD, recorded: "0800" }], "[0].recorded: must be a value in the unit of to, or null"],
    ...["05.25", "5.250", "5.", "-0"].map((to): [unknown, string] => [
      [{ ...GOOD, figure: "apy:a", to }],
      "[0].to: must be an APY in percent, such as 5.25",
    ]),
    [[{ ...GOOD, day: "2026-11-22", correctedOn: "2026-11-21" }], "[0].day: must not be in the future"],
    [[{ ...GOOD, correctedOn: "2026-11-22" }], "[0].correctedOn: must not be in the future"],
    [[{ ...GOOD, correctedOn: "2026-11-19" }], "[0].correctedOn: 2026-11-19 is before the day itself, 2026-11-20"],
    [[{ ...GOOD, figure: "apy:a", to: "1e3" }], "[0].to: must be an APY in percent, such as 5.25"],
    [[{ ...GOOD, reason: "" }], "[0].reason: must be a text of 3 to 300 characters in one line"],
    [[{ ...GOOD, correctedOn: null }], "[0].correctedOn: must be a day that exists, as YYYY-MM-DD"],
    [[{ ...GOOD, recorded: 800 }], "[0].recorded: must be a value in the unit of to, or null"],
    [[{ ...GOOD, tokens: "9" }], "[0].tokens: unknown key"],
    [[GOOD, { ...GOOD, to: null }], "[1]: 2026-11-20 total_supply is corrected twice"],
  ])("%j is refused: %s", (json, problem) => {
    expect(parse(JSON.stringify(json))).toEqual({ problems: [expect.stringContaining(problem)] });
  });
});

test("a key that is given twice is refused: an edit of the first one would have no effect", () => {
  const text = JSON.stringify([GOOD]).replace('"to"', '"to":"1","to"');
  expect(parse(text)).toEqual({ problems: ["[0].to: is duplicate"] });
});

describe("npm run history -- correct", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "corrections-"));
  });

  const path = () => join(folder, "history-corrections.json");
  const asked: string[] = [];
  /** A deployment that has recorded 950 million tokens of 8 decimals, or an APY of 5.2. */
  const deployed: typeof fetch = async (input) => {
    asked.push(String(input));
    const row = { date: "2026-11-20", base_units: "95000000000000000", decimals: 8, apy: 5.2 };
    return Response.json({ data: [row] });
  };
  const correct = (words: readonly string[], fetch = deployed) =>
    run([...words, "--reason", "One node lied."], {
      folder,
      nowMs: NOW_MS,
      fetch,
      readSchedule: () => readSchedule("test/fixtures/schedule/native.json"),
      urlOf: () => "https://api.example.org",
    });
  const TOTAL = ["--day", "2026-11-20", "--figure", "total_supply"];
  const written = () => JSON.parse(readFileSync(path(), "utf8"));

  test.each([
    ["900000000.5tokens", "90000000050000000"],
    ["900000000.5 tokens", "90000000050000000"],
    ["90000000050000000base_units", "90000000050000000"],
  ])("takes %s, and prints it in tokens beside what was recorded", async (to, units) => {
    const report = await correct([...TOTAL, "--to", to]);
    expect(report).toContain("total_supply of 2026-11-20: recorded 950000000 tokens, now 900000000.5 tokens; commit");
    expect(asked.at(-1)).toBe("https://api.example.org/api/history?figure=total_supply&from=2026-11-20&to=2026-11-20");
    expect(written()).toEqual([{ ...GOOD, to: units, recorded: "95000000000000000" }]);
  });

  test("corrected again it keeps what was recorded first; dropped it is left out", async () => {
    await correct([...TOTAL, "--to", "900000000tokens"]);
    const corrected = Response.json({ data: [{ date: "2026-11-20", base_units: "90000000000000000", decimals: 8 }] });
    const report = await correct([...TOTAL, "--drop"], async () => corrected);
    expect(report).toContain("recorded 950000000 tokens, now left out");
    expect(written()).toEqual([{ ...GOOD, to: null, recorded: "95000000000000000" }]);
  });

  test("a correction is never what was recorded; a day that is served no more is known from the file", async () => {
    const row = { date: "2026-11-20", base_units: "90000000000000000", decimals: 8, corrected: true };
    const corrected = async () => Response.json({ data: [row] });
    await expect(correct([...TOTAL, "--drop"], corrected)).rejects.toThrow("is served as corrected");
    await correct([...TOTAL, "--to", "900000000tokens", "--unusual"], corrected);
    expect(written()).toMatchObject([{ recorded: null }]);
    await correct([...TOTAL, "--drop"]);
    await correct([...TOTAL, "--to", "900000000tokens"], async () => Response.json({ data: [] }));
    expect(written()).toMatchObject([{ recorded: "95000000000000000" }]);
  });

  test.each<[string, readonly string[], string]>([
    ["a figure", [...TOTAL, "--to", "5tokens"], "fill the day with npm run history -- backfill, and deploy"],
    ["a figure to leave out", [...TOTAL, "--drop"], "fill the day with npm run history -- backfill, and deploy"],
    [
      "a yield",
      ["--day", "2026-11-20", "--figure", "apy:pool", "--to", "5%"],
      "a day on which no yield was recorded stays without one",
    ],
  ])("of a day without a row refuses %s, --unusual or not, and says what to do", async (_what, words, remedy) => {
    const empty: typeof fetch = async () =>
      Response.json({ data: [{ date: "2026-11-19", base_units: "1", decimals: 8 }] });
    for (const more of [[], ["--unusual"]])
      await expect(correct([...words, ...more], empty)).rejects.toThrow(
        new RegExp(`has no row of .* of 2026-11-20, and a correction cannot add one: ${remedy}`),
      );
    expect(existsSync(path())).toBe(false);
  });

  test("of a deployment that does not answer says that the correction needs a row", async () => {
    const report = await correct([...TOTAL, "--to", "900000000tokens", "--unusual"], async () => {
      throw new TypeError("fetch failed");
    });
    expect(report).toContain(
      "recorded a value that is not known, now 900000000 tokens where the deployment has a row of the day, which did not answer; commit",
    );
  });

  test("takes an APY in percent", async () => {
    const report = await correct(["--day", "2026-11-20", "--figure", "apy:pool 7", "--to", "05.250%"]);
    expect(report).toContain("recorded 5.2 %, now 5.25 %");
    expect(parse(readFileSync(path(), "utf8"))).toMatchObject({ corrections: [{ to: "5.25" }] });
    expect(asked.at(-1)).toBe("https://api.example.org/api/rates/pool%207/history?from=2026-11-20&to=2026-11-20");
  });

  test("takes a percentage of the supply as percent", async () => {
    const served = async () => Response.json({ data: [{ date: "2026-11-20", base_units: "6100000", decimals: 5 }] });
    const report = await correct(["--day", "2026-11-20", "--figure", "staked_percent", "--to", "61.5%"], served);
    expect(report).toContain("recorded 61 %, now 61.5 %");
    expect(written()).toMatchObject([{ to: "6150000", recorded: "6100000" }]);
  });

  test.each<[string, string, typeof fetch]>([
    ["0tokens", "0 is rarely a correct figure", deployed],
    ["9.5tokens", "950000000 is more than twice, or less than half, of the recorded 95000000000000000", deployed],
    ["1900000001tokens", "is more than twice", deployed],
    ["1000000000.00000001tokens", "100000000000000001 base units are above the maximum", deployed],
    [
      "900000000tokens",
      "the recorded value is not known (https://api.example.org/api/history?figure=total_supply&from=2026-11-20&to=2026-11-20 answers 503)",
      async () => new Response("", { status: 503 }),
    ],
  ])("refuses %s unless --unusual is given: %s", async (to, problem, fetch) => {
    await expect(correct([...TOTAL, "--to", to], fetch)).rejects.toThrow(problem);
    expect(existsSync(path())).toBe(false);
    await correct([...TOTAL, "--to", to, "--unusual"], fetch);
    expect(written()).toHaveLength(1);
  });

  test.each([
    ["no unit", [...TOTAL, "--to", "900000000"], "--to: must be an amount with its unit"],
    ["too many decimals", [...TOTAL, "--to", "1.123456789tokens"], "at most 8 decimals"],
    ["an APY in tokens", ["--day", "2026-11-20", "--figure", "apy:a", "--to", "5tokens"], "--to: must be an APY"],
    [
      "a percentage in tokens",
      ["--day", "2026-11-20", "--figure", "staked_percent", "--to", "5tokens"],
      "--to: must be a percentage",
    ],
    ["neither value", TOTAL, "--to: give either"],
    ["a day to come", ["--day", "2999-01-01", "--figure", "total_supply", "--drop"], "--day: must not"],
    ["an unknown figure", ["--day", "2026-11-20", "--figure", "x", "--drop"], "--figure: must be one of"],
  ])("refuses %s, and writes nothing", async (_what, words, problem) => {
    await expect(correct(words)).rejects.toThrow(problem);
    expect(existsSync(path())).toBe(false);
  });
});
