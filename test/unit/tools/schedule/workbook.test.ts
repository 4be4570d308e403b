import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
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

/** A workbook of one sheet: a number with the style 1 is shown as `0%`, with 2 as `0.0" %"`, with 3 as `0.00%`. */
function workbook(rows: readonly (readonly (string | readonly [number, style: number])[])[]): Uint8Array {
  const cells = rows.map((row, at) => {
    const each = row.map((cell, column) => {
      const r = `${String.fromCharCode(65 + column)}${at + 1}`;
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
    "xl/styles.xml": `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0&quot; %&quot;"/></numFmts><cellXfs>${[0, 9, 164, 10].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/worksheets/a.xml": `<worksheet ${main}><sheetData>${cells.join("")}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

test("a number that the workbook shows as a percentage is one, to the digit; a text stays as it is", async () => {
  const bytes = workbook([
    ["Bucket", "Tokens", "TGE", "Months"],
    ["A", [900, 0], [0.07, 1], [12, 0]],
    ["B", [100, 0], [0.125, 3], [12, 0]],
    ["C", [1000, 0], "15%", [12, 0]],
  ]);
  const { rows } = await workbookRows("x", bytes, "Plan");
  expect(rows.map(({ cells }) => cells[2])).toEqual(["TGE", "7%", "12.5%", "15%"]);
  const options = { ...OPEN_SHEET, start: "2026-01-01", maxSupply: 2_000n * 10n ** 8n };
  const { buckets } = readSheet("x", await workbookRows("x", bytes, undefined), options);
  expect(buckets.map(({ genesis }) => genesis)).toEqual(["63", "12.5", "150"]);
});

test.each<[what: string, style: number]>([
  ["a plain number", 0],
  ["a percent sign that is a word of the format", 2],
])("%s is no percentage of the workbook, and refused where it could be meant as one", async (_what, style) => {
  const bytes = workbook([
    ["Bucket", "Tokens", "TGE", "Months"],
    ["A", [900, 0], [20, style], [12, 0]],
  ]);
  const options = { ...OPEN_SHEET, start: "2026-01-01", maxSupply: 900n * 10n ** 8n };
  const rows = await workbookRows("x", bytes, undefined);
  expect(refusalOf(() => readSheet("x", rows, options)).join()).toContain(
    'column "TGE": "20" is tokens or a percentage without its sign: write 20%',
  );
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
