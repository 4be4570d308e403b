import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { binaryKindOf, workbookRows } from "../../../../tools/schedule/sheet/workbook.ts";
import { readSheet } from "../../../../tools/schedule/sheet.ts";
import { refusalOf, refusalOfPromise } from "../../../support/refusal.ts";
import { OPEN_SHEET } from "./sheet-options.ts";

const PLAN = readFileSync("test/fixtures/sheets/plan.xlsx");
const MAX = { ...OPEN_SHEET, maxSupply: 1_000_000n * 10n ** 8n };

test("a sheet of a workbook is read with its own dates and numbers", async () => {
  const sheet = readSheet("plan.xlsx", await workbookRows("plan.xlsx", PLAN, "Unlocks"), MAX);
  expect(sheet).toMatchObject({ start: "2026-01-01", stepDay: 1 });
  expect(sheet.figures.map((units) => Number(units / 10n ** 8n))).toEqual([103412, 250234, 501468, 751702, 1000000]);
});

test.each([
  [undefined, 'plan.xlsx: is a workbook with the sheets "Cover", "Unlocks": name the one of the plan with --sheet'],
  ["Plan", 'plan.xlsx: --sheet: there is no "Plan"; the workbook has "Cover", "Unlocks"'],
])("--sheet %s is refused with the names of the sheets", async (wanted, message) => {
  expect(await refusalOfPromise(workbookRows("plan.xlsx", PLAN, wanted))).toEqual([message]);
});

test.each<[what: string, begin: string, kind: "workbook" | "binary" | undefined]>([
  ["a workbook", "504b0304140000", "workbook"],
  [
    "an OpenDocument sheet",
    `504b030414${Buffer.from("mimetypeapplication/vnd.oasis.opendocument").toString("hex")}`,
    "binary",
  ],
  ["an older workbook", "d0cf11e0a1b11ae1", "binary"],
  ["a PDF", Buffer.from("%PDF-1.7").toString("hex"), "binary"],
  ["gzip", "1f8b08", "binary"],
  ["text", Buffer.from("Month,Team").toString("hex"), undefined],
])("%s is told by its first bytes", (_what, begin, kind) => {
  expect(binaryKindOf(Buffer.from(begin, "hex"))).toBe(kind);
});

test("another zipped file is refused with what to do", async () => {
  expect(await refusalOfPromise(workbookRows("a.docx", Buffer.from("504b0304", "hex"), undefined))).toEqual([
    "a.docx: is zipped and no Excel workbook that can be read: save the sheet as .xlsx (Excel) or as CSV, and read that",
  ]);
});

/** A sheet of a workbook in which a cell that shows 25 % is the number 0.25, as its format is not known. */
const workbook = (cells: readonly (readonly string[])[], max: bigint) =>
  refusalOf(() =>
    readSheet(
      "x",
      { rows: cells.map((each, at) => ({ line: at + 1, cells: each })), separator: ";", isWorkbook: true },
      { ...OPEN_SHEET, start: "2026-01-01", maxSupply: max * 10n ** 8n },
    ),
  ).join("\n");

test.each<[what: string, cells: readonly (readonly string[])[], place: string]>([
  [
    "a share at the start",
    [
      ["Bucket", "Tokens", "TGE", "Months"],
      ["A", "90", "0.2", "12"],
    ],
    'line 2, column "TGE": "0.2"',
  ],
  [
    "a small one",
    [
      ["Bucket", "Tokens", "TGE", "Months"],
      ["A", "90", "0.0025", "12"],
    ],
    'line 2, column "TGE": "0.0025"',
  ],
  [
    "the whole of it",
    [
      ["Bucket", "Tokens", "TGE", "Months"],
      ["A", "90", "1", "12"],
    ],
    'line 2, column "TGE": "1"',
  ],
  [
    "an allocation",
    [
      ["Bucket", "Share", "Months"],
      ["A", "0.6", "12"],
      ["B", "0.4", "12"],
    ],
    'line 3, column "Share": "0.4"',
  ],
  [
    "a column beside figures",
    [
      ["Month", "Circulating", "Of max"],
      ["2026-01", "45", "0.5"],
      ["2026-02", "90", "1"],
    ],
    'line 3, column "Of max": "1"',
  ],
])("a number up to 1 in a workbook may be a percentage and is refused: %s", (_what, cells, place) => {
  expect(workbook(cells, 90n)).toContain(`${place} may be a percentage of the workbook`);
});
