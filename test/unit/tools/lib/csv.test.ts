import { describe, expect, test } from "vitest";
import { decodeText, readCsv } from "../../../../tools/lib/csv.ts";
import { refusalOf } from "../../../support/refusal.ts";

const refusal = (text: string): string => refusalOf(() => readCsv(text, "sheet")).join("\n");
const cells = (text: string) => readCsv(text, "sheet").map((row) => row.cells);

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
    const message = refusal(text);
    for (const each of said) expect(message).toContain(each);
  });

  test.each([
    ["an amount", (cell: string) => `Month,Circulating\n2026-01,${cell}\n`],
    ["a period", (cell: string) => `Month,Circulating\n${cell},1\n`],
    ["a title", (cell: string) => `Month,${cell}\n2026-01,1\n`],
    ["a count", (cell: string) => `Bucket,Allocation,TGE,Cliff,Months\nTeam,30,0,${cell},3\n`],
    ["nothing that is known", (cell: string) => `${cell}\n`],
  ])("no message repeats a whole cell of megabytes: %s", (_what, text) => {
    const message = refusal(text("7".repeat(3_000_000)));
    expect(message).toMatch(
      /^sheet: line \d: the cell "7{40}" has 3000000 characters, of at most 1000; leave long notes/,
    );
    expect(message.length).toBeLessThan(200);
    expect(() => readCsv(text("7".repeat(1_000)), "sheet")).not.toThrow();
  });

  test("a title of two lines, a comma in quotes, an inch and doubled quotes are what they look like", () => {
    const text = 'Month,"Circulating ""real""\n(tokens)",5" pipe\n2026-01,"1,000",x\n';
    expect(cells(text)).toEqual([
      ["Month", 'Circulating "real"\n(tokens)', '5" pipe'],
      ["2026-01", "1,000", "x"],
    ]);
  });

  test.each<[what: string, text: string]>([
    ["all three line ends in one file", "a,b\r\n1,2\r3,4\n5,6"],
    ["after a line that names the separator", "sep=,\r\na,b\n1,2\r\n3,4\n5,6\n"],
  ])("%s", (_what, text) => {
    expect(cells(text)).toEqual([
      ["a", "b"],
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ]);
  });
});

describe("the text of a file", () => {
  const TABLE = "Kategorie;Menge\nGründer;1\n";
  test.each<[string, Uint8Array, string | undefined]>([
    ["UTF-8", Buffer.from(TABLE), undefined],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TABLE}`), undefined],
    ["UTF-16, little-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le"), undefined],
    ["UTF-16, big-endian", Buffer.from(`\uFEFF${TABLE}`, "utf16le").swap16(), undefined],
    ["UTF-16 without a mark", Buffer.from(TABLE, "utf16le"), undefined],
    ["Windows-1252, stated", Buffer.from(TABLE, "latin1"), "windows-1252"],
  ])("%s", (_what, bytes, encoding) => {
    expect(decodeText("sheet", bytes, encoding)).toBe(TABLE);
  });

  test.each<[string, Uint8Array, string | undefined, string]>([
    [
      "bytes that are no UTF-8",
      Buffer.from(TABLE, "latin1"),
      undefined,
      "sheet: is not UTF-8: save it as UTF-8, or give",
    ],
    [
      "bytes that are not of the stated encoding",
      Buffer.from([0x80]),
      "shift_jis",
      "sheet: is not shift_jis, or that encoding",
    ],
    ["an encoding that nobody knows", Buffer.from(TABLE), "klingon", "sheet: is not klingon, or that encoding"],
  ])("%s are refused", (_what, bytes, encoding, message) => {
    expect(refusalOf(() => decodeText("sheet", bytes, encoding)).join()).toContain(message);
  });
});
