import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { formatOf, workbookRows } from "../../../../../tools/schedule/cells/workbook.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { refusalOfPromise } from "../../../../support/refusal.ts";
import { facts, figuresOf, proposed, readWith } from "../sheet/sheets.ts";

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

/** Number formats of an author: their styles are 3, 4, ... */
const CUSTOM = ['0.0" %"', '0" weeks"', '0"M"', '"$"#,##0.00', '#,##0,,"M"', "yyyy-mm-dd", "0\\ \\w"] as const;

/** A workbook of one sheet: the style of a number is the index of its format; a text that begins with `<` is a cell as XML. */
function workbook(rows: readonly (readonly (string | readonly [number, style: number])[])[]): Uint8Array {
  const cells = rows.map((row, at) => {
    const each = row.map((cell, column) => {
      const r = `${String.fromCharCode(65 + column)}${at + 1}`;
      if (typeof cell === "string" && cell.startsWith("<")) return cell.replace("<c", `<c r="${r}"`);
      return typeof cell === "string"
        ? `<c r="${r}" t="inlineStr"><is><t>${cell}</t></is></c>`
        : `<c r="${r}" s="${cell[1]}"><v>${cell[0]}</v></c>`;
    });
    return `<row r="${at + 1}">${each.join("")}</row>`;
  });
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const part = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const files = {
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Plan" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${part("rId7", "worksheet", "/xl/worksheets/a.xml")}${part("rId2", "styles", "styles.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet ${main}><numFmts>${CUSTOM.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', "&quot;")}"/>`).join("")}</numFmts><cellXfs>${[0, 9, 10, ...CUSTOM.map((_, at) => 164 + at)].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/worksheets/a.xml": `<worksheet ${main}><sheetData>${cells.join("")}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

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
