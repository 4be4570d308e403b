import { CsvError, parse } from "csv-parse/sync";
import { Refusal } from "./command-line.ts";

/** Row with the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Separator of the cells in a row: a tab, a semicolon, a bar as in Markdown, or a comma. */
export type Separator = "\t" | ";" | "|" | ",";
const SEPARATORS: readonly Separator[] = ["\t", ";", "|", ","];

/** Encodings that `--encoding` suggests; the first two are by far the most common. */
const ENCODINGS = ["windows-1252", "macintosh", "gbk", "big5", "shift_jis", "euc-kr", "windows-1251"];

/** Decodes a file: UTF-8, UTF-16 of either byte order, or the stated encoding. Throws a Refusal for any other bytes. */
export function decodeText(name: string, bytes: Uint8Array, encoding?: string): string {
  const [first, second] = bytes;
  if (encoding !== undefined) return decodeAs(name, encoding, bytes);
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return decodeAs(name, "utf-16le", bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return decodeAs(name, "utf-16be", bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Refusal([
      `${name}: is not UTF-8: save it as UTF-8, or give its encoding with --encoding (${ENCODINGS.join(", ")})`,
    ]);
  }
}

function decodeAs(name: string, encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Refusal([`${name}: is not ${encoding}, or that encoding is unknown: ${ENCODINGS.join(", ")}`]);
  }
}

/**
 * Reads the rows of a CSV (RFC 4180), of cells pasted from a sheet, or of a Markdown table. A cell may be quoted;
 * blanks around it, empty rows and a byte order mark are left out. Text that would be read otherwise than its author
 * sees it is refused: an open quote swallows rows, and invisible characters hide or reorder text.
 */
export function readCsv(text: string, name?: string): readonly CsvRow[] {
  // One file may have all three line ends.
  const content = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^sep=.(?=\n)/i, "");
  const separator = separatorOf(content);
  const rows: CsvRow[] = [];
  let line = 1;
  const keep = (cells: string[], { lines }: { readonly lines: number }): null => {
    if (cells.some((cell) => cell !== "")) rows.push({ line, cells: cells.map((cell) => cell.trim()) });
    line = lines + 1;
    return null;
  };
  try {
    // With relaxed quotes, a quote inside an unquoted cell is text, such as the inch in 5".
    const options = { relax_quotes: true, relax_column_count: true, trim: true } as const;
    parse(content, { ...options, delimiter: separator, on_record: keep });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const begin = content.split(/\r?\n/)[line - 1] ?? "";
    const cell = cellPreview(begin.slice(begin.indexOf('"')).split(separator)[0] ?? "");
    throw refusalOf(name, line, `a quote opens the cell ${cell} and does not close it`, QUOTES);
  }
  checkRows(rows, separator, name);
  return separator === "|" ? fromMarkdown(rows) : rows;
}

/** Limit of a cell, longer than any figure, title or name; messages that quote a cell are thereby bounded. */
const MAX_CELL_CHARACTERS = 1_000;
const QUOTES = "end a quoted cell with a quote, write a quote inside it twice, or leave the quotes out";
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function checkRows(rows: readonly CsvRow[], separator: Separator, name: string | undefined): void {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  for (const { line, cells } of rows) {
    for (const cell of cells) {
      const [, ...further] = cell.split("\n");
      if (width > 1 && further.some((each) => each.split(separator).length >= width))
        throw refusalOf(name, line, `the quotes of the cell ${cellPreview(cell)} hold a whole row`, QUOTES);
      if (cell.length > MAX_CELL_CHARACTERS)
        throw refusalOf(
          name,
          line,
          `the cell ${cellPreview(cell)} has ${cell.length} characters, of at most ${MAX_CELL_CHARACTERS}`,
          "leave long notes out",
        );
      const found = INVISIBLE.exec(cell.replace(/[\t\r\n]/g, " "))?.[0];
      if (found !== undefined)
        throw refusalOf(
          name,
          line,
          `the cell ${cellPreview(cell)} has the invisible character ${escaped(found)}`,
          "a cell is printable text: type it anew",
        );
    }
  }
}

function refusalOf(name: string | undefined, line: number, what: string, allowed: string): Refusal {
  return new Refusal([`${name === undefined ? "" : `${name}: `}line ${line}: ${what}; ${allowed}`]);
}

/** Quotes the beginning of a cell with invisible characters escaped, so that none acts on the terminal. */
function cellPreview(cell: string): string {
  return `"${cell.slice(0, 40).replace(new RegExp(INVISIBLE, "gu"), escaped)}"`;
}

function escaped(character: string): string {
  return character === "\n"
    ? "\\n"
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const LINE_ENDS = [
  ["CR LF", /\r\n/],
  ["LF", /(?<!\r)\n/],
  ["CR", /\r(?!\n)/],
] as const;

/** Describes the kinds of line ends of a text that mixes them outside quoted cells; undefined for one kind. */
export function mixedLineEnds(content: string): string | undefined {
  const unquoted = content.replace(/"[^"]*"/g, "");
  const names = LINE_ENDS.filter(([, form]) => form.test(unquoted)).map(([name]) => name);
  return names.length < 2 ? undefined : `has several line ends (${names.join(", ")}): each of them ends a row`;
}

/**
 * Finds the separator that most lines contain; of equals, the first in the list. Commas also stand in amounts, so they
 * come last.
 */
export function separatorOf(content: string): Separator {
  const lines = content.split(/\r?\n/).map((line) => line.replace(/"[^"]*"/g, ""));
  const counts = SEPARATORS.map((separator) => lines.filter((line) => line.includes(separator)).length);
  const most = Math.max(...counts);
  return (most === 0 ? undefined : SEPARATORS[counts.indexOf(most)]) ?? ",";
}

/** Removes a Markdown table's outer bars, the line below its header, and marks of bold or code. */
function fromMarkdown(rows: readonly CsvRow[]): readonly CsvRow[] {
  const isFramed = rows.every(({ cells }) => cells[0] === "" || cells.length === 1);
  return rows
    .filter(({ cells }) => !cells.every((each) => /^(:?-+:?)?$/.test(each)))
    .map(({ line, cells }) => ({
      line,
      cells: (isFramed && cells.length > 1 ? cells.slice(1, cells.at(-1) === "" ? -1 : undefined) : cells).map((each) =>
        each.replace(/^(\*\*|`)(.*)\1$/, "$2"),
      ),
    }));
}
