import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCorrections } from "../../../../tools/history/corrections.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const GOOD = {
  day: "2026-11-20",
  figure: "total_supply",
  to: "900",
  reason: "One node lied.",
  correctedOn: "2026-11-21",
};

describe("the file of corrections", () => {
  test("is read as written", () => {
    const apy = { ...GOOD, figure: "apy:pool 7", to: "-5.25" };
    const all = [GOOD, apy, { ...GOOD, day: "2026-11-19", to: null }];
    expect(parseCorrections(JSON.stringify(all))).toEqual({ kind: "corrections", corrections: all });
  });

  test.each<[unknown, string]>([
    [GOOD, "must be a list of corrections"],
    [[7], "[0].must be an object"],
    [[{ ...GOOD, day: "2026-11-31" }], "[0].day: must be a day that exists, as YYYY-MM-DD"],
    [[{ ...GOOD, figure: "price" }], "[0].figure: must be one of total_supply, "],
    [[{ ...GOOD, to: "9.5" }], "[0].to: must be whole base units, digits only"],
    [[{ ...GOOD, to: -1 }], "[0].to: must be whole base units, digits only"],
    [[{ ...GOOD, figure: "apy:a", to: "1e3" }], "[0].to: must be an APY in percent, such as 5.25"],
    [[{ ...GOOD, reason: "" }], "[0].reason: must be a text of 3 to 300 characters in one line"],
    [[{ ...GOOD, correctedOn: null }], "[0].correctedOn: must be a day that exists, as YYYY-MM-DD"],
    [[{ ...GOOD, tokens: "9" }], "[0].tokens: unknown key"],
    [[GOOD, { ...GOOD, to: null }], "[1]: 2026-11-20 total_supply is corrected twice"],
  ])("%j is refused: %s", (json, problem) => {
    expect(parseCorrections(JSON.stringify(json))).toEqual({ problems: [expect.stringContaining(problem)] });
  });
});

describe("npm run history -- correct", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "corrections-"));
    copyFileSync(join(ROOT, "schedule/native.json"), join(folder, "native.json"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const path = () => join(folder, "history-corrections.json");
  const correct = (...words: string[]) => {
    const env = { ...process.env, SCHEDULE_FOLDER: folder };
    const command = ["tools/main.mjs", "history", "correct", ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: "utf8", env });
    return { status, output: stdout + stderr };
  };

  test("writes the correction with today's date, and replaces an earlier one of that day and figure", () => {
    const which = ["--day", "2026-11-20", "--figure", "total_supply", "--reason", "One node lied."];
    expect(correct(...which, "--to", "900")).toMatchObject({
      status: 0,
      output: expect.stringContaining("is 900; commit"),
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual([{ ...GOOD, correctedOn: today }]);
    expect(correct(...which, "--drop").output).toContain("total_supply of 2026-11-20 is left out; commit it");
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual([{ ...GOOD, to: null, correctedOn: today }]);
  });

  test.each([
    [
      "both or neither value",
      ["--day", "2026-11-20", "--figure", "total_supply", "--reason", "lied"],
      "--to: give either",
    ],
    [
      "a day to come",
      ["--day", "2999-01-01", "--figure", "total_supply", "--drop", "--reason", "lied"],
      "--day: must not",
    ],
    [
      "an unknown figure",
      ["--day", "2026-11-20", "--figure", "x", "--drop", "--reason", "lied"],
      "--figure: must be one of",
    ],
  ])("refuses %s, and writes nothing", (_what, words, problem) => {
    writeFileSync(path(), "[]\n");
    expect(correct(...words)).toMatchObject({ status: 1, output: expect.stringContaining(problem) });
    expect(readFileSync(path(), "utf8")).toBe("[]\n");
  });
});
