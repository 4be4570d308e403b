import type { Separator } from "../../lib/csv.ts";

/** Mark between a number and its fraction. */
export type DecimalMark = "." | ",";

const GROUP_MARKS = "'’_ \\u00A0\\u2009\\u202F";

/**
 * Decimal mark of a sheet, which is the same in all its cells; null where they leave it open. `1,234.50`, `1.234.567`
 * and `12,5` state it, `1.500` does not; in a file separated by commas, a comma inside a cell separates thousands.
 */
export function decimalMarkOf(cells: readonly string[], separator: Separator): "point" | "comma" | null {
  const marks = new Set(
    cells.map((cell) =>
      separator === "," && cell.includes(",") && markOf(cell) === "either" ? undefined : markOf(cell),
    ),
  );
  if (marks.has(".") || marks.has(","))
    return marks.has(".") && marks.has(",") ? null : marks.has(",") ? "comma" : "point";
  return marks.has("either") ? null : "point";
}

const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * Finds the only decimal mark that a number can have; "either" for `1.500`; undefined for a number without a mark, or
 * no number.
 */
function markOf(cell: string): DecimalMark | "either" | undefined {
  const text = withoutGroups(cell.replace(/ *(?:%|[a-z]{1,8}\.?)$/i, ""));
  if (!/^\d[\d.,]*\d$/.test(text)) return undefined;
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last === -1) return undefined;
  const mark = text[last] === "." ? "." : ",";
  const other = mark === "." ? "," : ".";
  if (text.includes(other)) return mark;
  // Groups of thousands; 1.0.1 is a version.
  if (text.indexOf(mark) !== last) return GROUPED.test(text) ? other : undefined;
  const isGroup = text.length - last === 4 && last <= 3 && !text.startsWith("0");
  return isGroup ? "either" : mark;
}

/** Blanks, apostrophes and underscores between groups of three digits. */
function withoutGroups(text: string): string {
  return text.replace(new RegExp(`(?<=\\d)[${GROUP_MARKS}](?=\\d{3}(?!\\d))`, "g"), "");
}

/** Digits of a number, and how many of them are a fraction: `1,250.50` is 125050 and 2. */
export interface Digits {
  readonly digits: bigint;
  readonly fraction: number;
}

const POWERS: ReadonlyMap<string, number> = new Map([
  ["", 0],
  ["k", 3],
  ["m", 6],
  ["mn", 6],
  ["b", 9],
  ["bn", 9],
]);

/** Reads a number without a sign, `2.5k`, `30M` and `1.2B` too; a dash is 0; undefined for anything else. */
export function readNumber(cell: string, mark: DecimalMark): Digits | undefined {
  if (isDash(cell)) return { digits: 0n, fraction: 0 };
  const group = mark === "." ? "," : "\\.";
  const form = new RegExp(
    `^(\\d{1,3}(?:([${group}${GROUP_MARKS}])\\d{3}(?:\\2\\d{3})*)?|\\d+)(?:\\${mark}(\\d+))? ?([a-z]{0,2})$`,
    "i",
  );
  const [, whole, , fraction = "", unit = ""] = form.exec(cell) ?? [];
  const power = POWERS.get(unit.toLowerCase());
  if (whole === undefined || power === undefined) return undefined;
  return { digits: BigInt(whole.replace(/\D/g, "") + fraction), fraction: fraction.length - power };
}

export function isDash(cell: string): boolean {
  return /^[-–—]$/.test(cell);
}
