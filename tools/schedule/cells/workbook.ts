import { unzipSync, zipSync } from "fflate";
import readXlsxFile from "read-excel-file/node";
import { Refusal } from "../../lib/command-line.ts";
import { columnOf, lettersOf } from "./letters.ts";
import type { SheetRows } from "./rows.ts";
import { shownTexts, type WorkbookParts } from "./workbook-formats.ts";

const AS_TEXT = "save the sheet as .xlsx (Excel) or as CSV, and read that";

/** Files that are neither text nor a workbook, by their first bytes in hexadecimal digits, with what to do. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^d0cf11e0/, `is an older Excel workbook (.xls): ${AS_TEXT}`],
  [/^25504446/, `is a PDF: ${AS_TEXT}`],
  [/^1f8b/, "is compressed with gzip: unpack it first"],
  [/^62706c69/, `is a property list: ${AS_TEXT}`],
  [
    /^(efbbbf)?(20|09|0d|0a)*(7b|5b)/,
    "is JSON, and `new` reads tables: write a row for each of its entries as CSV, with the titles of `schedule template`",
  ],
  [/^(efbbbf)?(20|09|0d|0a)*3c/, `is HTML or XML: open it in a spreadsheet, ${AS_TEXT}`],
];

/** Tells a workbook by the first bytes of a file, or why the file is not read; undefined for text. */
export function formatOf(bytes: Uint8Array): "workbook" | { readonly reason: string } | undefined {
  const begin = Buffer.from(bytes.subarray(0, 200));
  const hex = begin.toString("hex");
  if (hex.startsWith("504b0304")) {
    const isOpenDocument = begin.includes("mimetypeapplication");
    return isOpenDocument ? { reason: `is a zipped document and no Excel workbook: ${AS_TEXT}` } : "workbook";
  }
  const reason = FORMATS.find(([magic]) => magic.test(hex))?.[1];
  return reason === undefined ? undefined : { reason };
}

/** Reads the rows of one sheet of an Excel workbook. Dates, numbers and percentages keep every digit. */
export async function workbookRows(name: string, bytes: Uint8Array, wanted: string | undefined): Promise<SheetRows> {
  const unreadable = (): never => {
    throw new Refusal([`${name}: is zipped and no Excel workbook that can be read: ${AS_TEXT}`]);
  };
  const parts = partsOf(name, bytes) ?? unreadable();
  // The archive is written again without compression, so that the reader cannot inflate it to more than was counted.
  const stored = Buffer.from(zipSync({ ...parts }, { level: 0 }));
  const sheets = await readXlsxFile(stored, { parseNumber: numberText }).catch(unreadable);
  const titles = sheets.map(({ sheet }) => `"${sheet}"`).join(", ");
  const found = wanted === undefined ? sheets : sheets.filter(({ sheet }) => sheet === wanted);
  const [only, ...others] = found;
  if (only === undefined) throw new Refusal([`${name}: --sheet: there is no "${wanted}"; the workbook has ${titles}`]);
  if (others.length > 0)
    throw new Refusal([`${name}: is a workbook with the sheets ${titles}: name the one of the plan with --sheet`]);
  const texts = shownTexts(parts, only.sheet);
  const width = Math.max(0, ...only.data.map((cells) => cells.length), ...[...texts.keys()].map(columnOf));
  const rows = only.data.map((cells, row) => ({
    line: row + 1,
    cells: Array.from({ length: width }, (_, column) => {
      const shown = texts.get(`${lettersOf(column)}${row + 1}`);
      const text = cellText(cells[column]);
      return shown === undefined ? text : shown(text);
    }),
  }));
  return { rows: rows.filter(({ cells }) => cells.some((cell) => cell !== "")), separator: undefined };
}

/** Bound of all texts of a workbook. A plan has some hundred KiB, which take many times as much memory once parsed. */
const MAX_INFLATED_BYTES = 16 * 1_048_576;

/** Inflates the texts of an archive, unless the sizes in its directory are refused; undefined for another file. */
function partsOf(name: string, bytes: Uint8Array): WorkbookParts | undefined {
  let inflated = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name: part, originalSize }) => {
        if (!/\.(xml|rels)$/.test(part)) return false;
        inflated += originalSize;
        if (inflated <= MAX_INFLATED_BYTES) return true;
        throw new Refusal([
          `${name}: has more than ${MAX_INFLATED_BYTES / 1_048_576} MiB of sheets: copy the plan into a workbook of its own, or save it as CSV`,
        ]);
      },
    });
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    return undefined;
  }
}

/** Writes a number without an exponent, and without the noise of binary fractions beyond a spreadsheet's 15 digits. */
function numberText(text: string): string {
  if (/^-?\d+(\.\d{1,8})?$/.test(text) && text.replace(/\D/g, "").length <= 15) return text;
  const rounded = Number(Number(text).toPrecision(15));
  return rounded.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell).trim();
  const text = cell.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text;
}
