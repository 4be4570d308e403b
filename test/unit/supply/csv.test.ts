import { expect, test } from "vitest";
import { csvLine } from "../../../src/supply/csv.ts";

test.each([
  ["Team", "Team"],
  ["a, b", '"a, b"'],
  ['a "b"', '"a ""b"""'],
  ["-1250.5", "-1250.5"],
  ["0", "0"],
  ["=1+1", "'=1+1"],
  ["=SUM(A1,A2)", '"\'=SUM(A1,A2)"'],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["@user", "'@user"],
  ["1=1", "1=1"],
])("a cell %s is written %s: no spreadsheet runs it", (cell, written) => {
  expect(csvLine([cell, "x"])).toBe(`${written},x\n`);
});
