import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayText } from "../../../../src/base/utc.ts";
import { tokenText } from "../../../../src/chain/amount.ts";
import { decodeText } from "../../../../tools/csv.ts";
import { phasesOf } from "../../../../tools/schedule/sheet/phases.ts";
import type { SheetOptions } from "../../../../tools/schedule/sheet/reader.ts";
import { csvRows, readSheet } from "../../../../tools/schedule/sheet.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { OPEN_SHEET } from "./sheet-options.ts";

const UNIT = 10n ** 8n;
/** A maximum that no sheet comes to, and figures that are said to be in circulation: what these tests are not about. */
const CIRCULATING = { maxSupply: 10n ** 18n, amounts: "cumulative" } as const;

const read = (text: string, options: Partial<SheetOptions> = {}) =>
  readSheet("sheet", csvRows("sheet", text), { ...OPEN_SHEET, ...options });
const months = (text: string, options: Partial<SheetOptions> = {}) => read(text, { ...CIRCULATING, ...options });
const refusal = (act: () => unknown): string => refusalOf(act).join("\n");
const roles = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(",").map((each): [string, string] => [each.split("=")[0] ?? "", each.split("=")[1] ?? ""]));

describe("twelve published sheets, as they are published", () => {
  const fixture = (name: string, max: bigint, options: Partial<SheetOptions> = {}) =>
    read(decodeText(readFileSync(join("test/fixtures/sheets", name))), { maxSupply: max * UNIT, ...options });
  const START = { start: "2026-01-01" };

  test.each<[string, bigint, Partial<SheetOptions>, object, string]>([
    [
      "optopia.csv",
      10_000_000_000n,
      { columns: roles("Month=ignore") },
      { start: "2024-07-23", stepDay: 23, steps: 25, buckets: 8 },
      'left out, as sums or changes of the others in every row: "Total"',
    ],
    [
      "verida.csv",
      1_000_000_000n,
      { columns: roles("Total=ignore") },
      { start: "2024-05-16", stepDay: 16, steps: 49, buckets: 10 },
      'left out: "Total"',
    ],
    [
      "stacks.csv",
      1_818_000_000n,
      { columns: roles("unlocked_micro_stx=ignore,block_height=ignore"), keepsGaps: true, amounts: "cumulative" },
      { start: "2020-10-22", steps: 28, buckets: 1 },
      "an unlock of another day counts up to",
    ],
    [
      "glow.csv",
      3_000_000n,
      {},
      { start: "2026-01-01", stepDay: 1, steps: 37, buckets: 1 },
      "rows are 12 months apart: the months between keep the figure before",
    ],
    [
      "urano.txt",
      1_000_000_000n,
      START,
      { buckets: 12 },
      '"Advisors" is the bucket advisors of the category other, from line',
    ],
    [
      "zenthis.txt",
      83_200_000n,
      { ...START, columns: roles("Schedule ID=ignore,Beneficiary=bucket,Total + TGE=amount,Purpose=ignore") },
      { buckets: 7 },
      "is the sum of the others and left out",
    ],
    [
      "merlin.txt",
      800_000_000n,
      { ...START, columns: roles("Monthly Unlock %=ignore") },
      { buckets: 12 },
      'left out: "Monthly Unlock %", "Total Release (Months)"',
    ],
  ])("%s is read", (name, max, options, expected, said) => {
    const sheet = fixture(name, max, options);
    expect({
      ...(sheet.isOneFigure || "steps" in expected ? { start: sheet.start, steps: sheet.figures.length } : {}),
      ...("stepDay" in expected ? { stepDay: sheet.stepDay } : {}),
      buckets: sheet.buckets.length,
    }).toEqual(expected);
    expect(sheet.assumed).toContainEqual(expect.stringContaining(said));
  });

  test.each<[string, bigint, string]>([
    ["optopia.csv", 10_000_000_000n, 'column "Month": is neither the periods (Date) nor figures: "TGE"'],
    ["optopia.csv", 10_000_000_000n, 'complete: --columns "Date=period,Month=?,Booster Event=?'],
    ["verida.csv", 1_000_000_000n, 'line 2, column "Total": is 24000000, the other columns add up to 23250000'],
    ["spacetime.csv", 5_000_000_000n, "column 7 is empty: two tables stand side by side"],
    ["stacks.csv", 1_818_000_000n, '"block_height" '],
    ["davinci.txt", 8_888_888_888n, "the rows add up to 8888888886"],
    ["zenthis.txt", 83_200_000n, 'column "Purpose": is not known, with the cell "Early backers"'],
    ["merlin.txt", 800_000_000n, 'column "Monthly Unlock %": is not known, with the cell "0.05%"'],
    ["interlock.txt", 500_000_000n, 'column "Monthly Payments": is not known'],
    ["mansa.txt", 50_000_000n, 'column "Vesting Schedule": is not known, with the cell "20% at TGE'],
    ["fleas.csv", 888_888_888n, '"ops" is in a column without a title'],
  ])("%s alone is refused, by what it lacks", (name, max, message) => {
    expect(refusal(() => fixture(name, max, name.endsWith(".txt") ? START : {}))).toContain(message);
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
    ["every third month", "2025-01-01", 1, ["2025-01", "2025-04", "2025-07"], {}],
    ["quarters", "2025-01-01", 1, ["Q1 2025", "Q2 2025", "2025-Q3"], {}],
    ["halves", "2025-01-01", 1, ["H1 25", "H2 25"], { keepsGaps: true }],
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
    [["31/01/2025", "01/31/2025"], {}, 'line 3, column "Date": "01/31/2025" is no day where the day comes first'],
    [["2025-01-31", "2025-02-28"], {}, "does 2025-01-31 count from 2025-02-01 on (--month-end next), or was it"],
    [["2025-01-15", "2025-02-15"], { start: "2025-01-20" }, "the first row is 2025-01-15, --start says 2025-01-20"],
    [["2025-01", "2025-02-15"], {}, 'line 3, column "Date": "2025-02-15" is written otherwise than "2025-01"'],
    [["2025-02", "2025-01"], {}, "line 3: 2025-01-01 follows 2025-02-01: put the rows in order"],
    [["2025-02-30", "2025-03-30"], {}, 'line 2, column "Date": "2025-02-30" is not a month such as'],
    [["Month 0", "Month 1"], {}, "the months are numbered from the start: --start DAY says which day that is"],
    [
      ["2025-01", "2025-02", "2025-04"],
      {},
      "line 4: 2025-04 follows 2025-02: add the months between, or say with --gaps keep",
    ],
  ])("%j is refused, with what to do", (dates, options, message) => {
    expect(refusal(() => months(sheet(...dates), { decimalMark: ".", ...options }))).toContain(message);
  });

  test("spreadsheet numbers are said", () => {
    expect(months(sheet("45672", "45703")).assumed).toContain("45672 is a spreadsheet's number for 2025-01-15");
  });

  test("days and weeks become the figure of each step, and what is lost is said", () => {
    const days = Array.from({ length: 60 }, (_, day) => dayText(Date.UTC(2025, 0, 10 + day)));
    const daily = months(["Date,Circulating", ...days.map((day, index) => `${day},${1000 + index}`)].join("\n"), {
      maxSupply: 5000n * UNIT,
    });
    expect(daily).toMatchObject({ start: "2025-01-10", stepDay: 10 });
    // 31 days to 10 February, 28 more to 10 March; the last of the 60 rows.
    expect(daily.figures).toEqual([1000n, 1031n, 1059n].map((tokens) => tokens * UNIT));
    expect(daily.assumed).toContain(
      "figures change on day 10 of each month: an unlock of another day counts up to 30 days late, the figure is up to 30 too low (before 2025-02-10); --step-day N says another day",
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
    const message = refusal(() => months(text));
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
    expect(months(text).figures).toEqual([1000n * UNIT, 1100n * UNIT]);
  });
});

describe("numbers", () => {
  const figure = (text: string, options: Partial<SheetOptions> = {}) => {
    const sheet = months(text, options);
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
  const THOUSAND = { maxSupply: 1000n * UNIT };

  test.each<[string, Uint8Array]>([
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TABLE}`)],
    ["UTF-16, little-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le")],
    ["UTF-16, big-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(TABLE, "utf16le")],
    ["Windows-1252", Buffer.from(TABLE.replace("1.000", "1\u00a0000"), "latin1")],
    ["a line that names the separator", Buffer.from(`sep=;\r\n${TABLE.replaceAll("\n", "\r\n")}`)],
    ["titles above and a source below", Buffer.from(`Unlocks of ORB\n\nin tokens\n${TABLE}Source: the paper\n`)],
  ])("%s: sums in rows and columns and shares are checked and left out", (_, bytes) => {
    expect(read(decodeText(bytes), THOUSAND)).toMatchObject(expected);
  });

  test("how long a figure stays the same, and how far it then jumps, is said", () => {
    const text = "Month,Circulating\n2026-01,100\n2026-05,400\n2027-01,1000\n";
    expect(read(text, { ...THOUSAND, keepsGaps: true }).assumed).toContain(
      "the figure stays the same for up to 8 months (from 2026-05-01 to 2027-01-01) and rises by up to 600 at once (on 2027-01-01)",
    );
  });

  test("one row is the same in either reading", () => {
    expect(read("Month,Circulating\n2025-01,400\n", THOUSAND).figures).toEqual([400n * UNIT]);
    expect(read("Month,Team,Sale\n2025-01,400,600\n", THOUSAND).figures).toEqual([1000n * UNIT]);
  });

  test("a column of periods needs no title, also where its cells read as numbers", () => {
    const found = read(",Circulating\n01.2026,400\n02.2026,1000\n", THOUSAND);
    expect(found).toMatchObject({ start: "2026-01-01", figures: [400n * UNIT, 1000n * UNIT] });
  });

  test("the first row is in force from the start on, whenever the next step is", () => {
    const early = months("Month,Circulating\n2026-01,500\n2026-02,600\n", { start: "2026-01-05", stepDay: 20 });
    expect(early.figures).toEqual([500n, 500n, 600n].map((one) => one * UNIT));
  });

  const SIX = { maxSupply: 600n * UNIT };
  const IN_SUM = "Month,A,B,All\n2025-01,100,0,100\n2025-02,200,150,350\n2025-03,350,250,600\n";
  test.each<[what: string, text: string, options: Partial<SheetOptions>, figures: readonly bigint[]]>([
    ["figures in circulation", "Month,A,B\n2025-01,100,0\n2025-02,350,250\n", SIX, [100n, 600n]],
    ["figures of each month", "Month,A,B\n2025-01,100,0\n2025-02,350,150\n", SIX, [100n, 600n]],
    ["a sum of one column", "Month,Team,All\n2025-01,100,100\n2025-02,600,600\n", SIX, [100n, 600n]],
    ["two buckets that are alike", "Month,A,B\n2025-01,50,50\n2025-02,300,300\n", SIX, [100n, 600n]],
    ["a sum under any title, at the end", IN_SUM, SIX, [100n, 350n, 600n]],
    [
      "a sum in the middle, and one of a part",
      "Month,合計,A,X,B,C\n2025-01,10,4,7,3,3\n2025-02,600,300,400,100,200\n",
      SIX,
      [10n, 600n],
    ],
    ["a running total", "Month,A,So far\n2025-01,100,100\n2025-02,350,450\n2025-03,150,600\n", SIX, [100n, 450n, 600n]],
    [
      "changes beside what circulates",
      "Month,A,Change\n2025-01,100,100\n2025-02,450,350\n2025-03,600,150\n",
      SIX,
      [100n, 450n, 600n],
    ],
    ["honest halves", "Month,A,B,C\n2025-01,30,20,10\n2025-02,300,200,100\n", SIX, [60n, 600n]],
    ["shares of the maximum", "Month,A,%\n2025-01,123,21%\n2025-02,600,100.0%\n", SIX, [123n, 600n]],
    ["words in a column", "Month,A,Bemerkung\n2025-01,100,Start\n2025-02,600,-\n", SIX, [100n, 600n]],
    ["thousands and millions", "Month,A,B\n2025-01,0.1k,0\n2025-02,0.0003M,300\n", SIX, [100n, 600n]],
    [
      "a list, several a day",
      "Date,Bucket,Amount\n2025-01-01,A,100\n2025-02-01,A,200\n2025-02-01,B,300\n",
      SIX,
      [100n, 600n],
    ],
    [
      "a list under other words",
      "Datum;Wofür;Menge\n01.01.2025;A;100\n01.02.2025;A;200\n01.02.2025;B;300\n",
      SIX,
      [100n, 600n],
    ],
    [
      "a list with a sum under it",
      "Date,Bucket,Amount\n2025-01-01,A,100\n2025-02-01,A,200\n2025-02-01,B,300\n,Összesen,600\n",
      SIX,
      [100n, 600n],
    ],
    [
      "payments to addresses",
      "Recipient Address,Token Amount,Release Date\n0xa1,100,2025-01-01\n0xa2,500,2025-02-01\n",
      SIX,
      [100n, 600n],
    ],
    ["percentages of the maximum", "Month;Team;Sale\n2025-01;0%;12,5%\n2025-02;50%;50%\n", SIX, [75n, 600n]],
  ])("%s", (_, text, options, figures) => {
    expect(read(text, options).figures).toEqual(figures.map((each) => each * UNIT));
  });

  test.each<[text: string, options: Partial<SheetOptions>, ...messages: string[]]>([
    ["Month,A,B\n2025-01,1,2\n2025-02,3,4\n", THOUSAND, 'last row / all rows: "A" 3 / 4, "B" 4 / 6; together 7 / 10'],
    ["Month,A\n2025-01,1\n2025-02,3\n", {}, "--max-supply: missing"],
    ["Month,Team,Sale,Total\n2025-01,1,2,3\n2025-02,400,600,999\n", THOUSAND, "does not add up to the maximum 1000"],
    [
      "Month,Everything,Seed\n2025-01,500,500\n2025-02,500,500\n",
      THOUSAND,
      'in several ways: "Everything", "Seed": tokens in circulation from each period on; or "Seed": tokens unlocked in each',
    ],
    [
      "Month,Team,Sale,Copy\n2025-01,1,2,2\n2025-02,400,600,600\n",
      THOUSAND,
      'in several ways: "Team", "Copy": tokens in circulation from each period on; or "Team", "Sale": tokens',
    ],
    [
      "Month,Price ($),Team\n2025-01,1,200\n2025-02,200,800\n",
      THOUSAND,
      'in several ways: "Price ($)", "Team": tokens in circulation from each period on; or "Team": tokens unlocked in',
    ],
    [
      "Month,Total,Monthly\n2025-01,1,1\n2025-02,2,1\n2025-03,2000000,2000000\n",
      { maxSupply: 2_000_000n * UNIT },
      "does not add up to the maximum 2000000",
    ],
    [
      "Month,Locked,Unlocked\n2025-01,900,100\n2025-02,600,400\n2025-03,0,1000\n",
      THOUSAND,
      'column "Locked": falls from 900 to 600',
      '"Locked" is what the others leave of it, and no bucket: --columns "Locked=ignore"',
    ],
    [
      "Month,Team (thousands),Sale (thousands)\n2025-01,100,0\n2025-02,400,600\n",
      {
        maxSupply: 2_000_000n * UNIT,
        amounts: "cumulative",
        hasRest: true,
        columns: roles("Team (thousands)=amount,Sale (thousands)=amount"),
      },
      'column "Team (thousands)": names another unit than tokens',
    ],
    [
      "Month,Circulating\n2025-01,10\n2025-02,55.5\n",
      { maxSupply: 10n ** 6n * UNIT },
      'column "Circulating": "10" is tokens or a percentage without its sign: write 10%',
    ],
    ["Month,Team,Total\n2025-01,1,2\n2025-02,400,600\n", THOUSAND, 'column "Total": says that it is a total'],
    [
      "Month,Team,Sale\n2025-01,1,2\n2025-02,400,600\nTotal,400,601\n",
      THOUSAND,
      '"601" has no period and is not the sum 600',
    ],
    ["Month,A,%\n2025-01,10,2%\n2025-02,1000,100%\n", THOUSAND, 'column "%": "2%" is no share of the figures'],
    [
      "Month,A,B\n2025-01,1,#REF!\n2025-02,1000,x1\n",
      THOUSAND,
      'line 2, column "B": "#REF!"',
      'line 3, column "B": "x1"',
    ],
    ["Month,A\n2025-01,10\n2025-02,9\n", { ...THOUSAND, amounts: "cumulative" }, "falls from 10 to 9", "revise burn"],
    ["Month,A,B\n2025-01,10,5\n2025-02,8,992\n", THOUSAND, 'line 3, column "A": falls from 10 to 8', "revise burn"],
    ["Month,A,B\n2025-01,1,\n2025-02,3,4\n", { maxSupply: 7n * UNIT }, 'line 2, column "B": "" is not an amount'],
    [
      "Month,Circulating\n2025-01,500,000\n",
      THOUSAND,
      'line 2: "000" is in a column without a title',
      "quote numbers that have",
    ],
    ["Bucket,Tokens,TGE,Cliff,Months\nTeam,30,000,0,0,3\n", THOUSAND, '"3" is in a column without a title'],
    ["Bucket,Jan-26,Feb-26\nA,1,2\n", THOUSAND, "Jan-26, Feb-26 stand across: turn rows and columns"],
    ["Month,A\n2025-01,1\n\nMonth,B\n2025-01,3\n", THOUSAND, 'line 4: "Month", "B": words where figures are expected'],
    ["Month,A,A\n2025-01,1,2\n", THOUSAND, 'two columns have the title "A"'],
    [
      "Month,A\n2025-01,1\n2025-02,1000\n",
      { ...THOUSAND, columns: new Map([["B", "ignore"]]) },
      'there is no "B"; there are Month, A',
    ],
    [
      "Month,A\n2025-01,1\n2025-02,1000\n",
      { ...THOUSAND, columns: new Map([["A", "price"]]) },
      '"price" is no role: period,',
    ],
  ])("%j is refused", (text, options, ...messages) => {
    const said = refusal(() => read(text, options));
    for (const message of messages) expect(said).toContain(message);
  });

  test("with a rest nothing tells tokens from prices, so that every column is said", () => {
    const text = "Month,Team,Sale,Holders\n2025-01,100,0,1500\n2025-02,400,200,2500\n";
    const options = { maxSupply: 5_000n * UNIT, amounts: "cumulative", hasRest: true } as const;
    expect(refusal(() => read(text, options))).toContain(
      'with a rest, say what each column is, and complete: --columns "Month=period,Team=?,Sale=?,Holders=?"',
    );
    const said = read(text, { ...options, columns: roles("Team=amount,Sale=amount,Holders=ignore") });
    expect(said.figures).toEqual([100n * UNIT, 600n * UNIT]);
  });

  test("all reasons are told at once, at most twenty", () => {
    const lines = Array.from({ length: 30 }, (_, row) => `2025-01-${String(row + 1).padStart(2, "0")},x${row},1`);
    const said = refusal(() => read(["Date,A,B", ...lines].join("\n"), THOUSAND)).split("\n");
    expect(said.filter((line) => line.includes("is not an amount"))).toHaveLength(20);
    expect(said).toContainEqual(expect.stringMatching(/^and \d+ more$/));
  });
});

describe("a rule a row", () => {
  const at = (text: string, max: bigint, options: Partial<SheetOptions> = {}) =>
    read(text, { start: "2026-01-01", maxSupply: max * UNIT, ...options }).buckets.map(({ genesis, phases }) => ({
      genesis,
      phases: phases.map((phase) => Object.values(phase).join(" ")),
    }));

  test.each<[what: string, text: string, max: bigint, options: Partial<SheetOptions>, ...rules: readonly string[][]]>([
    [
      "a cliff before the vesting",
      "Bucket,Tokens,TGE,Cliff,Months\nA,90,30,12,6\n",
      90n,
      {},
      ["30", "installments 60 13 6 1"],
    ],
    [
      "a cliff inside it, if said",
      "Bucket,Tokens,TGE,Cliff,Months\nA,90,30,2,6\n",
      90n,
      { cliff: "inside" },
      ["30", "cliff 20 2", "installments 40 3 4 1"],
    ],
    ["how often", "Bucket,Tokens,Cliff,Months,How\nA,90,12,9,quarterly\n", 90n, {}, ["0", "installments 90 15 3 3"]],
    [
      "units in cells",
      "Bucket,Tokens,TGE,Cliff,Vesting\nA,9k,10%,12 mo.,2.5y\n",
      9_000n,
      {},
      ["900", "installments 8100 13 30 1"],
    ],
    [
      "a share of the maximum at the start, as the title says",
      "Bucket,Tokens,TGE (% of total supply),Months\nA,60,10%,3\nB,30,5%,3\n",
      90n,
      {},
      ["9", "installments 51 1 3 1"],
      ["4.5", "installments 25.5 1 3 1"],
    ],
    [
      "a share of the allocation",
      "Bucket,Tokens,TGE % of total allocation,Months\nA,60,10%,3\nB,30,5%,3\n",
      90n,
      {},
      ["6", "installments 54 1 3 1"],
      ["1.5", "installments 28.5 1 3 1"],
    ],
    ["days", "Bucket,Tokens,Cliff,Vesting\nA,90,31d,28d\n", 90n, {}, ["0", "linear 90 2026-02-01 2026-03-01"]],
    ["never", "Bucket,Tokens,TGE,Cliff,Months\nA,90,10,0,never\n", 90n, {}, ["10", "never 80"]],
    ["all at the start", "Bucket,Tokens,TGE,Cliff,Months\nA,90,100%,-,-\n", 90n, {}, ["90"]],
    [
      "a sum row under any name",
      "Bucket,Tokens,Cliff,Months\nA,60,0,2\nB,30,0,2\n合計,90,-,-\n",
      90n,
      {},
      ["0", "installments 60 1 2 1"],
      ["0", "installments 30 1 2 1"],
    ],
    [
      "titles that the person places",
      "Wer;Menge;Sperre;Dauer\nA;90;12;6\n",
      90n,
      { columns: roles("Menge=amount,Sperre=cliff,Dauer=months") },
      ["0", "installments 90 13 6 1"],
    ],
    [
      "a span",
      "Allocation,Start,End,Tokens\nA,2026-01-01,2026-03-02,90\n",
      90n,
      {},
      ["0", "linear 90 2026-01-01 2026-03-02"],
    ],
    [
      "a span in parts of months, where it says so",
      "Bucket,Amount,Start,End,How\nA,90,2026-01-01,2026-10-01,quarterly\n",
      90n,
      {},
      ["0", "installments 90 3 3 3"],
    ],
    [
      "a grant: its cliff releases what has accrued",
      "Address,Category,Amount,Start,Cliff months,Duration months\n0xa,A,90,2026-01-01,3,6\n",
      90n,
      {},
      ["0", "cliff 45 3", "installments 45 4 3 1"],
    ],
    [
      "a grant in base units and Unix seconds",
      "Address,Amount (base units),Begin (Unix seconds),End (Unix seconds)\n0xa,9000000000,1767225600,1772409600\n",
      90n,
      {},
      ["0", "linear 90 2026-01-01 2026-03-02"],
    ],
    [
      "a grant whose cliff is a day",
      "Grant,Amount,Start date,Cliff date,End date\nG-1,90,2026-01-01,2026-01-31,2026-03-31\n",
      90n,
      {},
      ["0", "cliff 30.33707865 1", "linear 59.66292135 2026-01-31 2026-03-31"],
    ],
  ])("%s", (_, text, max, options, ...rules) => {
    expect(at(text, max, options)).toEqual(rules.map(([genesis, ...phases]) => ({ genesis, phases })));
  });

  test.each<[column: string, role: string, message: string]>([
    ["Payout", "every", '"as agreed" is not how often, such as monthly or quarterly'],
    ["Payout", "start", '"as agreed" is not a month such as 2026-01'],
    ["Payout", "cliff", '"as agreed" is not a number of months, days or years'],
    ["Payout", "tge", '"as agreed" is not an amount'],
  ])("what the person says of a column is held against its cells: %s=%s", (column, role, message) => {
    const text = `Bucket,Tokens,Months,${column}\nA,30,6,as agreed\n`;
    expect(refusal(() => at(text, 30n, { columns: new Map([[column, role]]) }))).toContain(
      `line 2, column "${column}": ${message}`,
    );
  });

  test("in a list the words beside the day and the amount name the buckets", () => {
    const text = "Datum;Wofür;Menge\n01.01.2025;A;100\n01.02.2025;A;200\n01.02.2025;B;300\n";
    const { buckets, assumed } = read(text, { maxSupply: 600n * UNIT });
    expect(buckets.map(({ label, allocation }) => [label, allocation])).toEqual([
      ["A", "300"],
      ["B", "300"],
    ]);
    expect(assumed).toContain('"A" is the bucket a of the category other, from lines 2, 3');
  });

  test("a grant of the 31st unlocks at the ends of months, and a figure is never early", () => {
    const text = "Address,Amount,Start,Months\n0xa,30,2026-01-31,3\n";
    const { start, stepDay, figures, assumed } = read(text, { maxSupply: 30n * UNIT });
    // 28 February, 31 March and 30 April, seen on the first day after.
    expect([start, stepDay, ...figures]).toEqual(["2026-02-28", 1, ...[10n, 10n, 20n, 30n].map((each) => each * UNIT)]);
    expect(assumed).toContainEqual(expect.stringContaining("an unlock of another day counts up to 1 days late"));
  });

  test("a launch is one day, which rows with starts of their own do not say", () => {
    const text = "Bucket,Amount,Start,TGE,Months\nA,3000,2026-02-01,10%,3\nB,1000,2026-03-01,10%,4\n";
    const max = { maxSupply: 4_000n * UNIT };
    expect(refusal(() => read(text, max))).toContain(
      'column "TGE": unlocks on one day, and the rows have several starts: --start DAY says which it is',
    );
    expect(read(text, { ...max, start: "2026-01-01" }).figures[0]).toBe(400n * UNIT);
    expect(refusal(() => read(text, { ...max, start: "2026-02-15" }))).toContain(
      'column "Start": begins on 2026-02-01, before --start 2026-02-15',
    );
    const each = text.replace("TGE", "Initial unlock");
    expect(read(each, max).figures.slice(0, 2)).toEqual([300n * UNIT, 300n * UNIT + 900n * UNIT + 100n * UNIT]);
  });

  test("a sum under an unknown name is never a row where a rest is named", () => {
    const text = "Bucket,Tokens,Months\nA,200,12\nB,100,12\n合計,300,-\n";
    expect(refusal(() => at(text, 1_000n, { hasRest: true }))).toContain(
      'line 4: "合計" is the sum of the other rows, and may be no row of its own',
    );
    expect(at(`${text.replace("合計,300,-", "C,300,12")}D,400,12\n`, 1_000n)).toHaveLength(4);
  });

  test("numbers up to a hundred are tokens where the person says so", () => {
    const text = "Bucket,Tokens,TGE,Months\nA,3000,20,2\n";
    expect(at(text, 3_000n, { columns: roles("TGE=tge") })[0]?.genesis).toBe("20");
  });

  test("the length beside an end is checked and not counted", () => {
    const text = "Address,Amount,Start date,Months,End date\n0xa,30,2026-01-01,3,2026-04-01\n";
    expect(at(text, 30n)).toEqual([{ genesis: "0", phases: ["linear 30 2026-01-01 2026-04-01"] }]);
  });

  test("many spans of a bucket are what they come to at each step, to the base unit", () => {
    const grants = Array.from({ length: 40 }, (_, index) => ({
      from: Date.UTC(2026, 0, 1 + index),
      to: Date.UTC(2027, 0, 1 + 3 * index),
    }));
    const lines = grants.map(({ from, to }, index) => `0x${index},7,${dayText(from)},${dayText(to)}`);
    const { figures, buckets } = read(["Address,Amount,Start,End", ...lines].join("\n"), { maxSupply: 280n * UNIT });
    const truth = figures.map((_, step) => {
      const ms = Date.UTC(2026, step, 1);
      const done = grants.map(({ from, to }) => {
        const days = (until: number) => BigInt(Math.max(0, Math.round((until - from) / 86_400_000)));
        return (7n * UNIT * days(Math.min(ms, to))) / days(to);
      });
      return done.reduce((sum, each) => sum + each, 0n);
    });
    expect(figures).toEqual(truth);
    expect(buckets[0]?.phases.every(({ kind }) => kind !== "linear")).toBe(true);
  });

  test.each<[text: string, max: bigint, ...messages: string[]]>([
    ["Bucket,Tokens,%,TGE,Cliff,Months\nTeam,30,40%,0,0,3\n", 30n, 'column "%": "40%" is no share of the figures'],
    [
      "Bucket,Tokens,TGE %,TGE,Cliff,Months\nTeam,30,10%,5,0,3\n",
      30n,
      'column "TGE %": "10%" is no share of the figures',
    ],
    ["Bucket,Tokens,TGE,Cliff,Months\nA,30,0,0,-\n", 30n, 'line 2, column "Months": "-" is no rule'],
    ["Bucket,Tokens,TGE,Cliff,Vesting\nA,30,0,0,1460\n", 30n, '"1460" has no unit: write 1460d or 1460 months'],
    [
      "Bucket,Tokens,TGE,Cliff,Months\nA,30,0,soon,4.5\n",
      30n,
      '"soon" is not a number',
      '"4.5" is no whole number of months',
    ],
    ["Bucket,% of the premine,Months\nA,30%,3\n", 30n, 'column "% of the premine": is not known'],
    ["Bucket,Tokens,Circulating,Months\nA,30,5,3\n", 30n, 'column "Circulating": is not known, with the cell "5"'],
    [
      "Bucket,Tokens,Cliff,Lockup,Months\nA,30,1,2,3\n",
      30n,
      'column "Lockup": could be the cliff as well as "Cliff"',
      '--columns "Bucket=bucket,',
    ],
    [
      "Address,Amount,Start date,Months,End date\n0xa,30,2026-01-01,3,2026-05-01\n",
      30n,
      'line 2, column "Months": "3" does not lead to the end beside it',
    ],
    ["Date,Bucket,Amount\n2026-01-01,A,10\n2026-02-01,A,20\n", 40n, "the rows add up to 30, the maximum is 40"],
    ["Bucket,Tokens,Cliff,Months\nA,30,0,6\nB,20,0,6\n", 45n, "the rows add up to 50, the maximum is 45"],
    [
      "Bucket,Tokens,TGE,Cliff,Months\nA,30,10,0,3\nB,20,10,0,3\nTotal,50,25,,\n",
      50n,
      'line 4, column "TGE": "25" is not the sum 20',
    ],
    [
      "Bucket,Tokens,Cliff ends,Vested by\nA,30,3,6\n",
      30n,
      'column "Vested by": is not known',
      '--columns "Bucket=bucket,',
    ],
    [
      "Bucket,Tokens,Cliff,Months,Payout\nA,30,0,6,as agreed\n",
      30n,
      'column "Payout": is not known, with the cell "as agreed"',
    ],
    ["Bucket,Tokens,Cliff,Months\nA,30,0,6\nB,10,0,6\n", 50n, "the rows add up to 40", "--rest ID"],
    [
      "Bucket,Tokens,Cliff,Months\nA,30,0,6\nB,20,0,6\nTotal,60,,\n",
      50n,
      '"Total" says that it is a total: 60, the others add up to 50',
    ],
    [
      "Bucket,Amount,Start,End,How\nA,30,2026-01-01,2026-06-01,quarterly\n",
      30n,
      'line 2, column "How": "quarterly" does not divide its length',
    ],
    [
      "Bucket,Tokens,TGE,Months\nA,3000,20,6\nB,1000,0,6\n",
      4_000n,
      'column "TGE": "20" is tokens or a percentage without its sign: write 20%',
      '--columns "TGE=tge" says that it is tokens',
    ],
    [
      "Bucket,Tokens,Cliff,Vesting\nA,30,1,4\nB,10,0,2\n",
      40n,
      'column "Vesting": "2" has no unit: write 2 months or 2 years',
    ],
    [
      "Bucket,Tokens,Installments,How\nA,30,12,quarterly\n",
      30n,
      'column "Installments": is not known, with the cell "12"',
    ],
    [
      "Bucket,Tokens (M),Months\nA,400,6\nB,600,6\n",
      10_000n,
      'column "Tokens (M)": is not known to be the amount, and does not add up',
    ],
    ["Bucket,Tokens,TGE,Months\nA,3000,0.2,6\n", 3_000n, 'column "TGE": "0.2" is tokens or a percentage'],
    ["Bucket,Tokens,TGE,Months\nA,3000,20%,6\nB,1000,20,6\n", 4_000n, 'column "TGE": "20" is tokens or'],
    ["Bucket,Tokens,TGE (%),Months\nA,3000,250,6\n", 3_000n, 'column "TGE (%)": "250" is tokens or a percentage'],
    [
      "Address,Amount,First unlock,Months\n0xa,30,2026-01-01,3\n",
      30n,
      'column "First unlock": is a day that is not known to be the start',
      '--columns "First unlock=start"',
    ],
    ["Address,Amount,Maturity,Months\n0xa,30,2026-01-01,3\n", 30n, 'column "Maturity": is a day that is not known'],
    [
      "Address,Amount,Start,End\n0xa,30,1767225600,1772409600\n",
      30n,
      'column "Start": "1767225600" is a day or an amount: add (date) or (Unix seconds) to the title',
    ],
    ["Bucket,Tokens,Start,Months\nA,930000,46500,6\n", 930_000n, 'column "Start": "46500" is a day or an amount'],
    [
      "Category,Amount,Start,Schedule\nA,30,2026-01-01,S-1\n",
      30n,
      'column "Schedule": is not known, with the cell "S-1"',
    ],
  ])("%j is refused", (text, max, ...messages) => {
    const said = refusal(() => at(text, max));
    for (const message of messages) expect(said).toContain(message);
  });
});

test.each<[readonly bigint[], readonly string[]]>([
  [[5n, 15n, 25n, 35n], ["30 from 1, 3 times"]],
  [
    [0n, 0n, 5n, 10n, 10n, 12n],
    ["10 from 2, 2 times", "2 from 5"],
  ],
  [[0n, 3n, 6n, 10n], ["10 from 1, 3 times"]],
  [
    [0n, 3n, 7n, 10n],
    ["7 from 1, 2 times", "3 from 3"],
  ],
  [[0n, 0n, 0n, 5n, 5n, 5n, 10n, 10n, 10n, 15n], ["15 from 3, 3 times, every 3"]],
  [
    [0n, 5n, 5n, 10n],
    ["5 from 1", "5 from 3"],
  ],
  [
    [0n, 300n, 800n, 1000n],
    ["300 from 1", "500 from 2", "200 from 3"],
  ],
])("the totals %s are the rules %s, to the base unit", (totals, rules) => {
  const found = phasesOf(totals, String).map((phase) => {
    if (phase.kind === "cliff") return `${phase.amount} from ${phase.month}`;
    if (!("first_month" in phase)) return phase.kind;
    const { amount, first_month, count, every_months } = phase;
    return `${amount} from ${first_month}, ${count} times${every_months === 1 ? "" : `, every ${every_months}`}`;
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
      const sheet = read(text, { maxSupply });
      expect(sheet).toMatchObject({ start: dayText(Date.UTC(2025, 0, day)), stepDay: day });
      expect(sheet.figures).toEqual(totals.map((row) => row.reduce((sum, each) => sum + each, 0n) * (UNIT / 100n)));
    }),
    { numRuns: 200 },
  );
});
