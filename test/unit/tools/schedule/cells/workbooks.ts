import { strToU8, zipSync } from "fflate";

/** Number formats of an author: their styles are 3, 4, ... */
const CUSTOM = ['0.0" %"', '0" weeks"', '0"M"', '"$"#,##0.00', '#,##0,,"M"', "yyyy-mm-dd", "0\\ \\w"] as const;

/** Makes a workbook of one sheet: the style of a number is the index of its format; a text that begins with `<` is a cell as XML. */
export function workbook(rows: readonly (readonly (string | readonly [number, style: number])[])[]): Uint8Array {
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
