import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenText } from "../../../../src/chain/amount.ts";
import { dayText } from "../../../../src/utc.ts";
import { decodeText } from "../../../../tools/csv.ts";
import { phasesOf } from "../../../../tools/schedule/sheet/phases.ts";
import type { SheetOptions } from "../../../../tools/schedule/sheet/reader.ts";
import { readSheet, type Sheet } from "../../../../tools/schedule/sheet.ts";
import { refusalOf } from "../../../support/refusal.ts";

const OPEN: SheetOptions = {
  decimals: 8,
  maxSupply: undefined,
  amounts: undefined,
  decimalMark: undefined,
  dates: undefined,
  monthEnd: undefined,
  start: undefined,
  stepDay: undefined,
  keepsGaps: false,
  columns: undefined,
  table: undefined,
};
const UNIT = 10n ** 8n;

const read = (text: string, options: Partial<SheetOptions> = {}) => readSheet("sheet", text, { ...OPEN, ...options });
const months = (text: string, options: Partial<SheetOptions> = {}) => {
  const sheet = read(text, options);
  if (sheet.kind !== "months") throw new Error("a sheet of buckets");
  return sheet;
};
const refusal = (act: () => unknown): string => refusalOf(act).join("\n");

describe("twelve published sheets, as they are published", () => {
  const fixture = (name: string) => decodeText(readFileSync(join("test/fixtures/sheets", name)));
  const summary = (sheet: Sheet) => ({
    max: tokenText(sheet.maxSupply, 8),
    ...(sheet.kind === "months" ? { start: sheet.start, stepDay: sheet.stepDay, steps: sheet.figures.length } : {}),
    buckets: sheet.buckets?.length,
    phases: sheet.buckets?.reduce((sum, { phases }) => sum + phases.length, 0),
  });

  test.each<[string, Partial<SheetOptions>, object, string]>([
    [
      "optopia.csv",
      {},
      { max: "10000000000", start: "2024-07-23", stepDay: 23, steps: 25, buckets: 8, phases: 10 },
      '"Total" is the sum of the other columns and left out; it differs by up to 0.34, which is rounding',
    ],
    [
      "verida.csv",
      {
        columns: [
          ...["Verida DAO", "Network Growth Rewards", "Community Res", "Storage Credits", "Project Development"],
          ...["Token Launch", "Advisors - A", "Advisors - B", "Private Round", "Seed Round"],
        ],
      },
      { max: "1000000000", start: "2024-05-16", stepDay: 16, steps: 49, buckets: 10, phases: 10 },
      "Seed Round: equal installments, which the sheet rounds; figures differ from it by less than 1",
    ],
    [
      "spacetime.csv",
      { table: "Cumulative", start: "2025-05-08" },
      { max: "5000000000", start: "2025-05-08", stepDay: 8, steps: 61, buckets: 4, phases: 5 },
      "the row of the total is left out",
    ],
    [
      "stacks.csv",
      { columns: ["unlocked_stx"], keepsGaps: true, maxSupply: 1_818_000_000n * UNIT },
      { max: "1818000000", start: "2020-10-22", stepDay: 22, steps: 27 },
      "an unlock counts up to 25 days late, the figure is up to 60412462.268826 too low (from 2021-01-13 on)",
    ],
    [
      "glow.csv",
      {},
      { max: "3000000", start: "2026-01-01", stepDay: 1, steps: 37 },
      "rows are 12 months apart: the months between keep the figure before",
    ],
    ["urano.txt", {}, { max: "1000000000", buckets: 12, phases: 12 }, "Advisors: 49500000 in 12 monthly installments"],
    [
      "davinci.txt",
      { maxSupply: 8_888_888_888n * UNIT },
      { max: "8888888888", buckets: 6, phases: 6 },
      "left out, as no part of the table: line 1",
    ],
    ["zenthis.txt", {}, { max: "83200000", buckets: 7, phases: 6 }, 'left out: "Beneficiary", "Purpose"'],
    ["merlin.txt", {}, { max: "800000000", buckets: 12, phases: 12 }, "the row of the total is left out"],
  ])("%s is read", (name, options, expected, guess) => {
    const sheet = read(fixture(name), options);
    expect(summary(sheet)).toEqual({ buckets: undefined, phases: undefined, ...expected });
    expect(sheet.guesses).toContainEqual(expect.stringContaining(guess));
  });

  test.each<[string, string]>([
    ["verida.csv", 'line 2: "Total" is 24000000, the buckets add up to 23250000'],
    ["spacetime.csv", 'has 2 tables side by side, "Discrete" and "Cumulative": name the one to read with --table'],
    ["stacks.csv", "line 31: no row is of 2022-02: add it, or say with --gaps keep that the figure before stays"],
    ["interlock.txt", "the column allocation, tge, months is missing; the header is , Monthly Payments, Initial Cliff"],
    ["mansa.txt", "the column tge, cliff, months is missing; the header is Token Allocation, % of Token, Token Amount"],
    ["fleas.csv", "line 1: the column tge, cliff, months is missing; the header is Category, Percentage, Tokens"],
  ])("%s alone is refused, by what it lacks", (name, message) => {
    expect(refusal(() => read(fixture(name)))).toContain(message);
  });
});

describe("dates", () => {
  const sheet = (...dates: readonly string[]) =>
    ["Date\tCirculating", ...dates.map((date, index) => `${date}\t${index + 1}000`)].join("\n");
  const NEXT = { monthEnd: "next" } as const;

  test.each<[string, string, number, readonly string[], Partial<SheetOptions>]>([
    ["Jan-25", "2025-01-01", 1, ["Jan-25", "Feb-25"], {}],
    ["January 2025", "2025-01-01", 1, ["January 2025", "February 2025"], {}],
    ["other languages", "2025-03-01", 1, ["März 2025", "April 2025", "Mai 2025"], {}],
    ["31/01/2025, counting from the next month", "2025-02-01", 1, ["31/01/2025", "28/02/2025", "31/03/2025"], NEXT],
    ["its own month", "2024-01-01", 1, ["2024-01-31", "2024-02-29", "2024-03-31"], { monthEnd: "same" }],
    ["the 30th, which February has not", "2025-02-01", 1, ["30.01.2025", "28.02.2025", "30.03.2025"], NEXT],
    ["15/01/2025: a column is of one order", "2025-02-01", 1, ["01/02/2025", "01/03/2025"], { dates: "day-first" }],
    ["one row decides for all", "2025-03-13", 13, ["13/03/2025", "13/04/2025"], {}],
    ["month first", "2025-01-15", 15, ["01/15/2025", "02/15/2025"], {}],
    ["01.2025", "2025-01-01", 1, ["01.2025", "02.2025"], {}],
    ["15.01.2025", "2025-01-15", 15, ["15.01.2025", "15.02.2025"], {}],
    ["day serials", "2025-01-01", 1, ["45658", "45689", "45717"], {}],
    ["16 May 2024", "2024-05-16", 16, ["16 May 2024", "16 Jun 2024"], {}],
    ["May 16, 2024", "2024-05-16", 16, ["May 16, 2024", "June 16, 2024"], {}],
    ["instants at midnight", "2024-05-16", 16, ["2024-05-16T00:00:00Z", "2024-06-16T00:00:00Z"], {}],
    ["instants of a day count from the next", "2024-05-17", 17, ["2024-05-16T10:00:00Z", "2024-06-16T10:00:00Z"], {}],
    ["a day for months without one", "2025-01-15", 15, ["2025-01", "2025-02"], { stepDay: 15 }],
    ["quarters", "2025-01-01", 1, ["2025-01", "2025-04", "2025-07"], {}],
    ["numbers from the start", "2025-05-08", 8, ["TGE", "1", "2"], { start: "2025-05-08" }],
    ["numbers with a word", "2025-05-31", 28, ["Month 0", "Month 1"], { start: "2025-05-31" }],
  ])("%s: %s, on day %i", (_, start, stepDay, dates, options) => {
    expect(months(sheet(...dates), { decimalMark: ".", ...options })).toMatchObject({ start, stepDay });
  });

  test.each<[readonly string[], Partial<SheetOptions>, string]>([
    [
      ["01/02/2025", "01/03/2025"],
      {},
      '"01/02/2025" is 2025-02-01 or 2025-01-02, and no other row says which: --dates',
    ],
    [["31/01/2025", "01/31/2025"], {}, 'line 3: "01/31/2025" is no day where the day comes first'],
    [["2025-01-31", "2025-02-28"], {}, "does 2025-01-31 count from 2025-02-01 on (--month-end next), or was it"],
    [["2025-01-15", "2025-02-15"], { stepDay: 1 }, "the sheet's rows are of day 15, --step-day says 1: leave it out"],
    [["2025-01-15", "2025-02-15"], { start: "2025-01-01" }, "the first row is 2025-01-15, --start says 2025-01-01"],
    [["2025-01", "2025-02-15"], {}, 'line 3: "2025-02-15" is written otherwise than "2025-01"'],
    [["2025-02", "2025-01"], {}, "line 3: 2025-01 follows 2025-02; the months must be consecutive"],
    [["2025-02-30", "2025-03-30"], {}, 'line 2: "2025-02-30" is not a month such as'],
    [["Month 0", "Month 1"], {}, "the months are numbered from the start: --start DAY says which day that is"],
    [
      ["2025-01", "2025-02", "2025-04"],
      {},
      "line 4: 2025-04 follows 2025-02; the months must be consecutive, or --gaps",
    ],
  ])("%j is refused, with what to do", (dates, options, message) => {
    expect(refusal(() => months(sheet(...dates), { decimalMark: ".", ...options }))).toContain(message);
  });

  test("equal days and spreadsheet numbers are said, not assumed", () => {
    expect(months(sheet("45672", "45703")).guesses).toEqual(
      expect.arrayContaining([
        "45672 is a spreadsheet's number for 2025-01-15",
        "every row is of day 15 of its month: figures change on that day",
      ]),
    );
  });

  test("days and weeks become the figure of each step, and what is lost is said", () => {
    const days = Array.from({ length: 60 }, (_, day) => dayText(Date.UTC(2025, 0, 10 + day)));
    const daily = months(["Date,Circulating", ...days.map((day, index) => `${day},${1000 + index}`)].join("\n"), {
      maxSupply: 5000n * UNIT,
    });
    expect(daily).toMatchObject({ start: "2025-01-10", stepDay: 10 });
    // 31 days to 10 February, 28 more to 10 March; the last of the 60 rows.
    expect(daily.figures).toEqual([1000n, 1031n, 1059n].map((tokens) => tokens * UNIT));
    expect(daily.guesses.find((guess) => guess.includes("rows become"))).toMatch(
      /^60 rows become 3 monthly figures, on day 10: an unlock counts up to 30 days late, the figure is up to 30 too low \(from 2025-02-09 on\), and 57 rows between steps are not seen/,
    );
    const weekly = days.filter((_, day) => day % 7 === 0).map((day, index) => `${day},${1000 + index}`);
    expect(months(["Date,Circulating", ...weekly].join("\n"), { maxSupply: 5000n * UNIT }).figures).toEqual(
      [1000n, 1004n, 1008n].map((tokens) => tokens * UNIT),
    );
  });
});

describe("what would be read as another table than its author sees is refused, with its line:", () => {
  test.each<[what: string, text: string, ...said: string[]]>([
    [
      "a quote that never closes, in the header",
      'Month,"Circulating\n2026-01,100\n2026-02,110\n',
      'sheet: line 1: a quote opens the cell ""Circulating" and does not close it; end a quoted cell with a quote, write a',
    ],
    ["one of a figure", 'Month,Circulating\n2026-01,100\n2026-02,"110\n', "sheet: line 3: a quote opens the cell"],
    ["a quote inside a quoted cell", 'Month,"The "real" one"\n2026-01,100\n', "sheet: line 1: a quote opens the cell"],
    [
      "a header that holds the first row",
      'Month,"Circulating\n2026-01,100"\n2026-02,110\n2026-03,120\n',
      'sheet: line 1: the quotes of the cell "Circulating\\n2026-01,100" hold a whole row; end a quoted cell with',
    ],
    [
      "notes that hold every second month, which looks like a sheet of every other month",
      'Month,Circulating,Note\n2026-01,1,"a\n2026-02,2,b"\n2026-03,3,"c\n2026-04,4,d"\n2026-05,5,\n',
      "sheet: line 2: the quotes of the cell",
    ],
    [
      "a mark that turns a title around",
      "Month,Comm\u202eunity,Team\n2026-01,1,2\n2026-02,2,3\n",
      'sheet: line 1: the cell "CommU+202Eunity" has the invisible character U+202E; a cell is printable text: type it',
    ],
    ["one before the word Month", "\u200fMonth,Circulating\n2026-01,1\n", "sheet: line 1:", "U+200F"],
    ["a control character", "Month,Te\u0007am\n2026-01,1\n", "sheet: line 1:", "U+0007"],
    ["one in a period", "Month,Circulating\n\u200e2026-01,1\n", "sheet: line 2:", "U+200E"],
  ])("%s", (_what, text, ...said) => {
    const message = refusal(() => read(text, { maxSupply: 1000n * UNIT, amounts: "cumulative" }));
    for (const each of said) expect(message).toContain(each);
  });

  test.each([
    ["an amount", (cell: string) => `Month,Circulating\n2026-01,${cell}\n`],
    ["a period", (cell: string) => `Month,Circulating\n${cell},1\n`],
    ["a title", (cell: string) => `Month,${cell}\n2026-01,1\n`],
    ["a count", (cell: string) => `Bucket,Allocation,TGE,Cliff,Months\nTeam,30,0,${cell},3\n`],
    ["nothing that is known", (cell: string) => `${cell}\n`],
  ])("no message repeats a whole cell of megabytes: %s", (_what, text) => {
    const message = refusal(() => read(text("7".repeat(3_000_000))));
    expect(message).toMatch(
      /^sheet: line \d: the cell "7{40}" has 3000000 characters, of at most 1000; leave long notes/,
    );
    expect(message.length).toBeLessThan(200);
    expect(refusal(() => read(text("7".repeat(1_000))))).not.toContain("characters");
  });

  test("a title of two lines, a comma in quotes, an inch and doubled quotes are what they look like", () => {
    const text = 'Month,"Circulating ""real""\n(tokens)",5" pipe\n2026-01,"1,000",x\n2026-02,"1,100",x\n';
    expect(months(text, { maxSupply: 2000n * UNIT }).figures).toEqual([1000n * UNIT, 1100n * UNIT]);
  });
});

describe("numbers", () => {
  const figure = (text: string, options: Partial<SheetOptions> = {}) => {
    const sheet = months(text, { maxSupply: 10n ** 18n, ...options });
    return sheet.figures.map((units) => tokenText(units, 8));
  };

  test.each<[string, string, Partial<SheetOptions>]>([
    ["points for thousands, seen once", "Month;Circulating\n2025-01;1.500\n2025-02;1.234.567\n", {}],
    ["decimal commas", "Month;Circulating\n2025-01;1.500\n2025-02;1234567,00\n", {}],
    ["commas in quotes", 'Month,Circulating\n2025-01,"1,500"\n2025-02,"1,234,567"\n', {}],
    ["a comma in a file of commas", 'Month,Circulating\n2025-01,"1,500"\n2025-02,1234567\n', {}],
    ["blanks", "Month\tCirculating\n2025-01\t1 500\n2025-02\t1\u00a0234\u202f567\n".replace("\u202f", "\u00a0"), {}],
    ["narrow blanks", "Month\tCirculating\n2025-01\t1\u202f500,0\n2025-02\t1\u202f234\u202f567,0\n", {}],
    ["apostrophes", "Month\tCirculating\n2025-01\t1'500\n2025-02\t1'234'567.00\n", {}],
    ["an option where nothing says it", "Month;Circulating\n2025-01;1,500\n2025-02;1234567\n", { decimalMark: "." }],
  ])("%s", (_, text, options) => {
    expect(figure(text, options)).toEqual(["1500", "1234567"]);
  });

  test.each<[string, string]>([
    ["Month;Circulating\n2025-01;1\n2025-02;1.500\n", 'line 3: "1.500" is 1500 or 1.500, and no other cell says which'],
    ["Month,Circulating\n2025-01,1\n2025-02,1.500\n", 'line 3: "1.500" is 1500 or 1.500'],
    ["Month;Circulating\n2025-01;1\n2025-02;1,500\n", 'line 3: "1,500" is 1500 or 1.500'],
    [
      "Month;Circulating\n2025-01;1,5\n2025-02;2.5\n",
      '"2.5" has a decimal point, "1,5" (sheet: line 2) a decimal comma',
    ],
    ["Month;Circulating\n2025-01;1.2.3\n", '"1.2.3" is not an amount'],
    ["Month;Circulating\n2025-01;12.34.567\n", '"12.34.567" is not an amount'],
    ["Month;Circulating\n2025-01;-5\n", '"-5" is not an amount'],
  ])("%j is refused", (text, message) => {
    expect(refusal(() => figure(text))).toContain(message);
  });
});

describe("tables", () => {
  const TABLE =
    "Datum;Team;Community;Summe;Anteil\n2025-01;0;400;400;40%\n2025-02;600;400;1.000,0;100%\nSumme;600;400;;\n";
  const expected = {
    buckets: [
      { id: "team", allocation: "600", genesis: "0" },
      { id: "community", allocation: "400", genesis: "400", phases: [] },
    ],
  };

  test.each<[string, Uint8Array]>([
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TABLE}`)],
    ["UTF-16, little-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le")],
    ["UTF-16, big-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(TABLE, "utf16le")],
    ["Windows-1252", Buffer.from(TABLE.replace("1.000", "1\u00a0000"), "latin1")],
    ["a line that names the separator", Buffer.from(`sep=;\r\n${TABLE.replaceAll("\n", "\r\n")}`)],
    ["titles above and a source below", Buffer.from(`Unlocks of ORB\n\nin tokens\n${TABLE}Source: the paper\n`)],
  ])("%s: total row, total column and percentages are checked and left out", (_, bytes) => {
    expect(months(decodeText(bytes))).toMatchObject(expected);
  });

  test("one row is the same in either reading, and nothing is said of other rows", () => {
    expect(months("Month,Circulating\n2025-01,400\n", { maxSupply: 1000n * UNIT }).guesses).toEqual([
      '"Circulating" is the circulating supply from each month on',
      "the sheet names no day: figures change on day 1; --step-day N says another",
    ]);
    expect(months("Month,Team,Sale\n2025-01,400,600\n", { maxSupply: 1000n * UNIT }).figures).toEqual([1000n * UNIT]);
  });

  test("a column of periods needs no title, also where its cells read as numbers", () => {
    const found = months(",Circulating\n01.2026,400\n02.2026,1000\n");
    expect(found).toMatchObject({ start: "2026-01-01", figures: [400n * UNIT, 1000n * UNIT] });
  });

  test("a version and a day of writing decide nothing, and the first row is in force from the start on", () => {
    const read = (text: string, more: Partial<SheetOptions> = {}) =>
      months(text, { maxSupply: 9_000n * UNIT, ...more });
    const version = 'Month,Circulating,Version\n2026-01,"5,000",1.0.0\n2026-02,"6,000",1.0.1\n';
    expect(read(version).figures).toEqual([5_000n * UNIT, 6_000n * UNIT]);
    const written = "Month,Circulating,Last updated\n2026-01,5,\n2026-02,6,\n2026-03,7,2026-03-05\n";
    expect([read(written).start, read(written).figures]).toEqual(["2026-01-01", [5n, 6n, 7n].map((one) => one * UNIT)]);
    const early = read("Month,Circulating\n2026-01,5\n2026-02,6\n", { start: "2026-01-05", stepDay: 20 });
    expect(early.figures).toEqual([5n, 5n, 6n].map((one) => one * UNIT));
  });

  test("equal figures are what unlocks as well as what circulates; what is decided is said", () => {
    const flat = "Month,Circulating\n2026-01,100\n2026-02,100\n2026-03,100\n";
    expect(refusal(() => months(flat, { maxSupply: 300n * UNIT }))).toContain("say which the figures are");
    const { guesses } = months(flat, { maxSupply: 300n * UNIT, amounts: "monthly" });
    expect(guesses[0]).toBe('"Circulating" is what unlocks in each month');
  });

  test("percentages alone are of the maximum", () => {
    const text = "Month;Team;Sale\n2025-01;0%;12,5%\n2025-02;50%;50%\n";
    expect(months(text, { maxSupply: 1000n * UNIT }).figures).toEqual([125n * UNIT, 1000n * UNIT]);
    expect(refusal(() => months(text))).toContain(
      "--max-supply: missing, and the sheet has percentages, not tokens alone",
    );
  });

  test.each<[string, string]>([
    ["Month,Team,Sale,Total\n2025-01,1,2,3\n2025-02,400,600,999\n", '"Total" is 999, the buckets add up to 1000'],
    [
      "Month,Team,Sale,Total\n2025-01,1,2,3\n2025-02,400000000,600000000,1000000600\n",
      '"Total" is 1000000600, the buckets add up to 1000000000',
    ],
    ["Month,Team,Sale\n2025-01,1,2\n2025-02,400,600\nTotal,400,601\n", '"Total" is 601, the buckets add up to 600'],
    ["Bucket,Tokens,%,TGE,Cliff,Months\nTeam,30,40%,0,0,3\n", "Team: 30 is not 40% of 30"],
    ["Bucket,Tokens,TGE %,TGE,Cliff,Months\nTeam,30,10%,5,0,3\n", "Team: 5 is not 10% of 30"],
    [
      "Bucket,Tokens,TGE,Cliff,Months\nTeam,10,0,0,3\nRest,30%,0,0,3\n",
      "--max-supply: missing, and the sheet has percentages, not tokens alone",
    ],
    [
      "Bucket,Share,TGE,Cliff,Months\nTeam,100%,0,0,3\n",
      "--max-supply: missing, and the sheet has percentages, not tokens alone",
    ],
    ["Month,A,B\n2025-01,1,2\n2025-02,3,4\n", "adds up to 7, all rows to 10\nsay which the figures are with --amounts"],
    ["Month,A,B\n2025-01,1000,2000\n2025-02,1000,2000\n", "the last row adds up to 3000, all rows to 6000\nsay which"],
    ["Month,Unlocked\n2025-01,1000\n2025-02,1000\n", "the last row adds up to 1000, all rows to 2000\nsay which"],
    ["Month,A,B\n2025-01,1,2\n2025-02,3,4\n".replace(",2\n", ",\n"), '"" is not an amount'],
    ["Month,Circulating\n2025-01,500,000\n", 'line 2: "000" is in a column without a title: quote numbers'],
    ["Bucket,Tokens,TGE,Cliff,Months\nTeam,30,000,0,0,3\n", '"3" is in a column without a title'],
  ])("%j is refused", (text, message) => {
    expect(refusal(() => read(text))).toContain(message);
  });
});

test.each<[readonly bigint[], bigint, readonly string[]]>([
  [[5n, 15n, 25n, 35n], 0n, ["30 from 1, 3 times"]],
  [[0n, 0n, 5n, 10n, 10n, 12n], 0n, ["10 from 2, 2 times", "2 from 5, 1 times"]],
  [[0n, 3n, 7n, 10n], 0n, ["3 from 1, 1 times", "4 from 2, 1 times", "3 from 3, 1 times"]],
  // What is exact to the base unit stays so; a third of 100 each, rounded to tens.
  [[0n, 3n, 7n, 10n], 1n, ["7 from 1, 2 times", "3 from 3, 1 times"]],
  [[0n, 30n, 70n, 100n], 10n, ["100 from 1, 3 times"]],
  [[0n, 300n, 800n, 1000n], 100n, ["300 from 1, 1 times", "500 from 2, 1 times", "200 from 3, 1 times"]],
])("the totals %s, rounded to %s, are the rules %s", (totals, roundedTo, rules) => {
  const found = phasesOf(totals, roundedTo, String).map((phase) => {
    if (phase.kind === "cliff") return `${phase.amount} from ${phase.month}, 1 times`;
    return "first_month" in phase ? `${phase.amount} from ${phase.first_month}, ${phase.count} times` : phase.kind;
  });
  expect(found).toEqual(rules);
});

/** How somebody's spreadsheet writes. */
interface Dialect {
  readonly separator: "," | ";" | "\t" | "|";
  readonly mark: "." | ",";
  readonly group: string;
  readonly date: (ms: number) => string;
  readonly title: boolean;
  readonly total: boolean;
}

const two = (value: number): string => String(value).padStart(2, "0");
const DATES: readonly Dialect["date"][] = [
  (ms) => dayText(ms),
  (ms) => `${two(new Date(ms).getUTCDate())}.${two(new Date(ms).getUTCMonth() + 1)}.${new Date(ms).getUTCFullYear()}`,
  (ms) => String(Math.round((ms - Date.UTC(1899, 11, 30)) / 86_400_000)),
  (ms) =>
    new Date(ms).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
];
const dialect: fc.Arbitrary<Dialect> = fc
  .record({
    separator: fc.constantFrom<Dialect["separator"][]>(",", ";", "\t", "|"),
    mark: fc.constantFrom<Dialect["mark"][]>(".", ","),
    group: fc.constantFrom("", "'", "\u00a0", "\u202f", "other"),
    date: fc.constantFrom(...DATES),
    title: fc.boolean(),
    total: fc.boolean(),
  })
  .map((each) => ({ ...each, group: each.group === "other" ? (each.mark === "." ? "," : ".") : each.group }));

test("whatever the dialect, the same plan is read: to the base unit, on the same days", () => {
  const plan = fc.array(fc.array(fc.bigInt(0n, 10n ** 13n), { minLength: 2, maxLength: 2 }), {
    minLength: 3,
    maxLength: 30,
  });
  fc.assert(
    fc.property(dialect, plan, fc.integer({ min: 1, max: 28 }), (how, unlocks, day) => {
      const totals = unlocks.map((_, last) =>
        [0, 1].map((bucket) => unlocks.slice(0, last + 1).reduce((sum, row) => sum + (row[bucket] ?? 0n), 0n)),
      );
      const number = (hundredths: bigint): string => {
        const [whole = "", fraction] = [String(hundredths / 100n), String(hundredths % 100n).padStart(2, "0")];
        return `${whole.replace(/\B(?=(\d{3})+$)/g, how.group)}${how.mark}${fraction}`;
      };
      const lines = totals.map((row, index) => {
        const cells = [...row, ...(how.total ? [row.reduce((sum, each) => sum + each, 0n)] : [])].map(number);
        const date = how.date(Date.UTC(2025, index, day));
        return [date, ...cells].map((cell) => (cell.includes(how.separator) ? `"${cell}"` : cell)).join(how.separator);
      });
      const header = ["Date", "One", "Two", ...(how.total ? ["Total"] : [])].join(how.separator);
      const text = [...(how.title ? ["Our plan"] : []), header, ...lines].join("\r\n");
      const maxSupply = (totals.at(-1) ?? []).reduce((sum, each) => sum + each, 0n) * (UNIT / 100n);
      const sheet = months(text, { maxSupply, amounts: "cumulative" });
      expect(sheet).toMatchObject({ start: dayText(Date.UTC(2025, 0, day)), stepDay: day });
      expect(sheet.figures).toEqual(totals.map((row) => row.reduce((sum, each) => sum + each, 0n) * (UNIT / 100n)));
    }),
    { numRuns: 200 },
  );
});
