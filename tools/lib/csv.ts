import { CsvError, parse } from "csv-parse/sync";
import { Refusal } from "./command-line.ts";

/** One row with the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Of the cells of a row: a tab, a semicolon, a bar as in Markdown, or a comma. */
export type Separator = "\t" | ";" | "|" | ",";
const SEPARATORS: readonly Separator[] = ["\t", ";", "|", ","];

/** Encodings of which a person can say that a file has them; the first two are by far the most common. */
const ENCODINGS = ["windows-1252", "macintosh", "gbk", "big5", "shift_jis", "euc-kr", "windows-1251"];

/** The text of a file: UTF-8, UTF-16 of either order, or the stated encoding. Throws a Refusal for any other bytes. */
export function decodeText(name: string, bytes: Uint8Array, encoding?: string): string {
  const [first, second] = bytes;
  if (encoding !== undefined) return decoded(name, encoding, bytes);
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return decoded(name, "utf-16le", bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return decoded(name, "utf-16be", bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Refusal([
      `${name}: is not UTF-8: save it as UTF-8, or say its encoding with --encoding (${ENCODINGS.join(", ")})`,
    ]);
  }
}

function decoded(name: string, encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Refusal([`${name}: is not ${encoding}, or no such encoding is known: ${ENCODINGS.join(", ")}`]);
  }
}

/**
 * The rows of a CSV (RFC 4180), of cells pasted from a sheet, or of a Markdown table. A cell may be quoted; blanks
 * around it, empty rows and a byte order mark are left out. What would be read as another table than its author sees is
 * refused: an open quote swallows rows, and invisible characters hide or reorder text.
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
    // Relaxed quotes are an inch inside a cell that no quote opens.
    const options = { relax_quotes: true, relax_column_count: true, trim: true } as const;
    parse(content, { ...options, delimiter: separator, on_record: keep });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const begin = content.split(/\r?\n/)[line - 1] ?? "";
    const cell = shown(begin.slice(begin.indexOf('"')).split(separator)[0] ?? "");
    throw refusalOf(name, line, `a quote opens the cell ${cell} and does not close it`, QUOTES);
  }
  checkRows(rows, separator, name);
  return separator === "|" ? fromMarkdown(rows) : rows;
}

/** Longer than any figure, title or name; every message that repeats a cell is bounded by it. */
const MAX_CELL_CHARACTERS = 1_000;
const QUOTES = "end a quoted cell with a quote, write a quote inside it twice, or leave the quotes out";
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function checkRows(rows: readonly CsvRow[], separator: Separator, name: string | undefined): void {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  for (const { line, cells } of rows) {
    for (const cell of cells) {
      const [, ...further] = cell.split("\n");
      if (width > 1 && further.some((each) => each.split(separator).length >= width))
        throw refusalOf(name, line, `the quotes of the cell ${shown(cell)} hold a whole row`, QUOTES);
      if (cell.length > MAX_CELL_CHARACTERS)
        throw refusalOf(
          name,
          line,
          `the cell ${shown(cell)} has ${cell.length} characters, of at most ${MAX_CELL_CHARACTERS}`,
          "leave long notes out",
        );
      const found = INVISIBLE.exec(cell.replace(/[\t\r\n]/g, " "))?.[0];
      if (found !== undefined)
        throw refusalOf(
          name,
          line,
          `the cell ${shown(cell)} has the invisible character ${escaped(found)}`,
          "a cell is printable text: type it anew",
        );
    }
  }
}

function refusalOf(name: string | undefined, line: number, what: string, allowed: string): Refusal {
  return new Refusal([`${name === undefined ? "" : `${name}: `}line ${line}: ${what}; ${allowed}`]);
}

/** Its beginning as it is typed, so that no character of it acts on the terminal. */
function shown(cell: string): string {
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

/** Sentence about the line ends of a text that has several kinds of them outside its quoted cells; undefined for one. */
export function mixedLineEnds(content: string): string | undefined {
  const unquoted = content.replace(/"[^"]*"/g, "");
  const names = LINE_ENDS.filter(([, form]) => form.test(unquoted)).map(([name]) => name);
  return names.length < 2 ? undefined : `has several line ends (${names.join(", ")}): each of them ends a row`;
}

/** The one that most lines have, and of several the first: amounts have commas, titles above a table have none. */
export function separatorOf(content: string): Separator {
  const lines = content.split(/\r?\n/).map((line) => line.replace(/"[^"]*"/g, ""));
  const counts = SEPARATORS.map((separator) => lines.filter((line) => line.includes(separator)).length);
  const most = Math.max(...counts);
  return (most === 0 ? undefined : SEPARATORS[counts.indexOf(most)]) ?? ",";
}

/** Without the outer bars, the line below the header, and marks of bold or code. */
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
