import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { formatOf, workbookRows } from "../../../../../tools/schedule/cells/workbook.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { refusalOfPromise } from "../../../../support/refusal.ts";
import { facts, figuresOf, proposed, readWith } from "../sheet/sheets.ts";
import { workbook } from "./workbooks.ts";

const PLAN = readFileSync("test/fixtures/sheets/plan.xlsx");

test("a sheet of a workbook is read with its own dates and numbers", async () => {
  const rows = await workbookRows("plan.xlsx", PLAN, "Unlocks");
  const { mapping } = proposed(rows, facts({ maxSupply: 1_000_000 }), () => undefined);
  expect(readWith(rows, mapping, (sheet) => figuresOf(sheet, 5))).toEqual([103412, 250234, 501468, 751702, 1000000]);
});

test.each([
  [undefined, 'plan.xlsx: is a workbook with the sheets "Cover", "Unlocks": name the one of the plan with --sheet'],
  ["Plan", 'plan.xlsx: --sheet: there is no "Plan"; the workbook has "Cover", "Unlocks"'],
])("--sheet %s is refused with the names of the sheets", async (wanted, message) => {
  expect(await refusalOfPromise(workbookRows("plan.xlsx", PLAN, wanted))).toEqual([message]);
});

test.each<[what: string, begin: string, format: string | undefined]>([
  ["a workbook", "504b0304140000", "workbook"],
  [
    "an OpenDocument sheet",
    `504b030414${Buffer.from("mimetypeapplication/vnd.oasis.opendocument").toString("hex")}`,
    "is a zipped document and no Excel workbook",
  ],
  ["an older workbook", "d0cf11e0a1b11ae1", "is an older Excel workbook (.xls)"],
  ["a PDF", Buffer.from("%PDF-1.7").toString("hex"), "is a PDF"],
  ["gzip", "1f8b08", "is compressed with gzip"],
  ["JSON", Buffer.from(' {"a": 1}').toString("hex"), "is JSON"],
  ["HTML", Buffer.from("<!doctype html>").toString("hex"), "is HTML or XML"],
  ["text", Buffer.from("Month,Team").toString("hex"), undefined],
])("%s is told by its first bytes", (_what, begin, format) => {
  const found = formatOf(Buffer.from(begin, "hex"));
  expect(typeof found === "object" ? found.reason.slice(0, format?.length) : found).toBe(format);
});

test("another zipped file is refused with what to do", async () => {
  expect(await refusalOfPromise(workbookRows("a.docx", Buffer.from("504b0304", "hex"), undefined))).toEqual([
    "a.docx: is zipped and no Excel workbook that can be read: save the sheet as .xlsx (Excel) or as CSV, and read that",
  ]);
});

describe("a cell is what it shows", () => {
  test.each<[what: string, cell: string | readonly [number, number], text: string]>([
    ["a number without a format", [20, 0], "20"],
    ["a percentage", [0.07, 1], "7%"],
    ["a percentage with digits", [0.125, 2], "12.5%"],
    ["a percentage above all", [1.5, 1], "150%"],
    ["a percent sign that is a word of the format", [20, 3], "20 %"],
    ["the letters of a format", [12, 4], "12 weeks"],
    ["a multiple in the format", [100, 5], "100M"],
    ["a currency", [0.05, 6], "$0.05"],
    ["a format that shows millionths of its number", [12_000_000, 7], "12000000"],
    ["escaped letters", [12, 9], "12 w"],
    ["a text that has a sign", "15%", "15%"],
    ["an error", '<c t="e"><v>#REF!</v></c>', "#REF!"],
    ["a formula with its value", "<c><f>A1+1</f><v>5</v></c>", "5"],
    ["a formula that nobody has calculated", "<c><f>A1+1</f></c>", "a formula without a stored value"],
  ])("%s", async (_what, cell, text) => {
    const { rows } = await workbookRows(
      "x",
      workbook([
        ["Bucket", "X"],
        ["A", cell],
      ]),
      "Plan",
    );
    expect(rows[1]?.cells).toEqual(["A", text]);
  });

  test("a column of errors is named, never left out as empty", async () => {
    const error = '<c t="e"><v>#REF!</v></c>';
    const bytes = workbook([
      ["Month", "Team", "Sale"],
      ["2026-01", error, [400, 0]],
      ["2026-02", error, [1000, 0]],
    ]);
    const rows = await workbookRows("x", bytes, undefined);
    const { places } = proposeMapping("x", rows, facts({ maxSupply: 1000 }));
    expect(places.map(({ question }) => question)).toContain('column B "Team" ("#REF!", "#REF!"): is');
  });
});

describe("a workbook of more than 16 MiB of sheets is refused before it is inflated", () => {
  const part = "xl/worksheets/sheet1.xml";
  const archive = (bytes: number) =>
    zipSync({ "xl/workbook.xml": strToU8("<workbook/>"), [part]: new Uint8Array(bytes) });
  const refusalFor = (bytes: Uint8Array) => refusalOfPromise(workbookRows("a.xlsx", bytes, undefined));

  test("by the sizes that its directory names", async () => {
    const refused = await refusalFor(archive(17 * 1_048_576));
    expect(refused.join()).toContain("a.xlsx: has more than 16 MiB of sheets");
    // The control: a smaller one is inflated, and is refused as what it is.
    expect((await refusalFor(archive(1_048_576))).join()).toContain("no Excel workbook that can be read");
  });

  test("with a directory that names less, to no more than that", async () => {
    const bytes = Buffer.from(archive(64 * 1_048_576));
    // The size stands in the part's own header and in the directory.
    const size = Buffer.alloc(4);
    size.writeUInt32LE(64 * 1_048_576);
    let replaced = 0;
    for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size, at + 4)) {
      bytes.writeUInt32LE(1_000, at);
      replaced += 1;
    }
    expect(replaced).toBe(2);
    const before = process.memoryUsage().arrayBuffers;
    const [refused] = await refusalFor(bytes);
    expect(refused).toContain("no Excel workbook that can be read");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1_048_576);
  });
});
