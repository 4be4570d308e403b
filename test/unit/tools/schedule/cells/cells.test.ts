import { describe, expect, test } from "vitest";
import { dayText } from "../../../../../src/base/utc.ts";
import { readAmount, readDuration, readEvery } from "../../../../../tools/schedule/cells/cell.ts";
import { decimalMarkOf } from "../../../../../tools/schedule/cells/number.ts";
import { INSTANT_READERS, readNumbered, readPeriod } from "../../../../../tools/schedule/cells/period.ts";

describe("a date", () => {
  test.each<[cell: string, day: string | undefined]>([
    ["2025-01-15", "2025-01-15"],
    ["2025/1/15", "2025-01-15"],
    ["15.01.2025", "2025-01-15"],
    ["16 May 2024", "2024-05-16"],
    ["May 16, 2024", "2024-05-16"],
    ["June 1st, 2024", "2024-06-01"],
    ["2024-05-16T00:00:00Z", "2024-05-16"],
    ["31/01/2025", "2025-01-31"],
    ["01/31/2025", "2025-01-31"],
    ["2025-02-31", undefined],
    ["31.04.2025", undefined],
    ["2025-13", undefined],
    ["FY2026/27", undefined],
    ["2026-W05", undefined],
    ["12", undefined],
  ])("%s is %s", (cell, day) => {
    const period = readPeriod(cell);
    const atMs = period?.kind === "either" ? (period.dayFirst ?? period.monthFirst) : period?.atMs;
    expect(atMs === undefined ? undefined : dayText(atMs)).toBe(day);
  });

  test.each<[cell: string, from: string, months: number]>([
    ["2025-01", "2025-01-01", 1],
    ["01.2025", "2025-01-01", 1],
    ["Jan-25", "2025-01-01", 1],
    ["März 2025", "2025-03-01", 1],
    ["2025 février", "2025-02-01", 1],
    ["Q4 2025", "2025-10-01", 3],
    ["2025-Q3", "2025-07-01", 3],
    ["1Q25", "2025-01-01", 3],
    ["2H26", "2026-07-01", 6],
    ["2027", "2027-01-01", 12],
  ])("%s is a period from %s on, of %i months", (cell, from, months) => {
    expect(readPeriod(cell)).toEqual({ kind: "whole", atMs: Date.parse(from), months, isShort: false });
  });

  test.each([
    ["Jan 28", true],
    ["Jan 32", false],
    ["Jan 2028", false],
    ["Jan-28", false],
    ["Jan '28", false],
  ])("%s may be a day without its year: %s", (cell, isShort) => {
    expect(readPeriod(cell)).toMatchObject({ kind: "whole", isShort });
  });

  test("01/02/2025 is two days, and the column decides", () => {
    const [dayFirst, monthFirst] = [Date.parse("2025-02-01"), Date.parse("2025-01-02")];
    expect(readPeriod("01/02/2025")).toEqual({ kind: "either", dayFirst, monthFirst });
  });

  test.each<[cell: string, number: number | undefined, unit: string | undefined]>([
    ["3", 3, undefined],
    ["Month 3", 3, "months"],
    ["M6", 6, "months"],
    ["Week 2", 2, "weeks"],
    ["Year 1", 1, "years"],
    ["TGE", 0, undefined],
    ["TGE+3", 3, undefined],
    ["Launch + 2 years", 2, "years"],
    ["Epoch 1", undefined, undefined],
    ["Full Unlock", undefined, undefined],
  ])("%s is the period %s, in %s", (cell, number, unit) => {
    expect([readNumbered(cell)?.number, readNumbered(cell)?.unit]).toEqual([number, unit]);
  });

  test("a spreadsheet's number of a day", () => {
    expect(dayText(INSTANT_READERS["serial"]?.("45658") ?? 0)).toBe("2025-01-01");
  });
});

describe("the decimal mark", () => {
  test.each<[cells: readonly string[], separator: ";" | ",", mark: "point" | "comma" | null]>([
    [["1.500", "1.234.567"], ";", "comma"],
    [["1.500", "1234567,00"], ";", "comma"],
    [["1,500", "1,234,567"], ",", "point"],
    [["1'234'567.00"], ";", "point"],
    [["1500"], ";", "point"],
    [["1", "1.500"], ";", null],
    [["1", "1,500"], ";", null],
    [["1,5", "2.5"], ";", null],
  ])("of %j between %s is %s", (cells, separator, mark) => {
    expect(decimalMarkOf(cells, separator)).toBe(mark);
  });
});

describe("an amount", () => {
  const read = (cell: string, unit: string, mark: "." | "," = ".") => {
    const result = readAmount(cell, { mark, decimals: 2, unit }, 100_000n);
    return "value" in result ? result.value.units : result.reason;
  };
  test.each<[cell: string, unit: string, units: bigint | string]>([
    ["1,250.5", "tokens", 125_050n],
    ["1 500", "tokens", 150_000n],
    ["1'500", "tokens", 150_000n],
    ["2.5k", "tokens", 250_000n],
    ["30M", "tokens", 3_000_000_000n],
    ["1.2B", "tokens", 120_000_000_000n],
    ["400", "tokens x 1000", 40_000_000n],
    ["0.25", "tokens x 100", 2_500n],
    ["125050", "base_units", 125_050n],
    ["12.5%", "percent", 12_500n],
    ["12.5", "percent", 12_500n],
    ["0.125", "fraction", 12_500n],
    ["-", "tokens", 0n],
    ["101%", "percent", "is more than all of it"],
    ["0.0000001%", "percent", "comes to no whole number of base units; write tokens"],
    ["1.234", "tokens", "has more than 2 digits after the point"],
    ["1.5", "base_units", "has more than 0 digits after the point"],
    ["10%", "tokens", "is not an amount"],
    ["-5", "tokens", "is not an amount"],
    ["(5)", "tokens", "is not an amount"],
    ["1e3", "tokens", "is not an amount"],
    ["1.2.3", "tokens", "is not an amount"],
    ["12,34,567", "tokens", "is not an amount"],
    ["~5", "tokens", "is not an amount"],
    ["#REF!", "tokens", "is not an amount"],
    ["", "tokens", "is not an amount"],
  ])("%j in %s is %s", (cell, unit, expected) => {
    expect(read(cell, unit)).toBe(expected);
  });
});

describe("a length of time", () => {
  test.each<[cell: string, unit: "months" | "weeks" | "years" | "seconds" | "cell", expected: string]>([
    ["12", "months", "12 months"],
    ["2", "weeks", "14 days"],
    ["1.5", "years", "18 months"],
    ["31536000", "seconds", "31536000 seconds"],
    ["12 mo.", "cell", "12 months"],
    ["2.5y", "cell", "30 months"],
    ["180d", "cell", "180 days"],
    ["24 months linear", "cell", "24 months"],
    ["0", "cell", "0 months"],
    ["12", "cell", "names no unit"],
    ["12 weeks", "months", "is not in months"],
    ["12 Wochen", "cell", "has a unit that is not known"],
    ["0.3", "months", "is more than 200 years, or no whole number of months, days or seconds"],
    ["9999999", "months", "is more than 200 years, or no whole number of months, days or seconds"],
    ["soon", "months", "is not a length of time"],
    ["24 months total", "cell", "is not a length of time"],
  ])("%j in %s: %s", (cell, unit, expected) => {
    const result = readDuration(cell, unit, ".");
    expect("value" in result ? `${result.value.count} ${result.value.unit}` : result.reason).toBe(expected);
  });
});

test.each<[cell: string, every: ReturnType<typeof readEvery>]>([
  ["Monthly", 1],
  ["quarterly", 3],
  ["every 6 months", 6],
  ["daily", "by_day"],
  ["Linear", "linear"],
  ["Instant", "at_once"],
  ["bimonthly", undefined],
  ["weekly", undefined],
])("%s is how often: %s", (cell, every) => {
  expect(readEvery(cell)).toBe(every);
});
