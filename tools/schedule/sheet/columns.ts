import { readDuration, readEvery, readPercentage, unitOf } from "./cell.ts";
import { type DecimalMark, isDash, readNumber } from "./number.ts";
import { readPeriod } from "./period.ts";
import type { Column, SheetReader } from "./reader.ts";
import type { Table } from "./table.ts";

/** What a column may be for. */
export const ROLES = [
  ...(["period", "bucket", "amount", "circulating", "tge", "start", "end", "cliff", "months", "every"] as const),
  "ignore",
] as const;
export type Role = (typeof ROLES)[number];

/** What all filled cells of a column are. */
export type Kind = "empty" | "dates" | "steps" | "every" | "percent" | "numbers" | "durations" | "words" | "mixed";

export interface KnownColumn extends Column {
  readonly kind: Kind;
  /** undefined: neither its title nor the command line says it. */
  readonly role: Role | undefined;
  readonly isSaid: boolean;
  /** Its numbers may be percentages without their sign: none is above 100, or its title has the sign. */
  readonly isUnsigned: boolean;
}

/** Words of titles: a role's own, one of which must be there, and those that may stand beside them. */
const WORDS: readonly (readonly [Role, readonly Kind[], own: string, beside: string])[] = [
  ["start", ["dates"], "start starts begin begins", "date time vesting unlock grant lock unix seconds utc yyyy mm dd"],
  ["end", ["dates"], "end ends", "date time vesting unlock grant lock unix seconds utc yyyy mm dd"],
  ["cliff", ["dates"], "cliff lockup", "date time end ends vesting unix seconds utc yyyy mm dd"],
  [
    "period",
    ["dates", "steps", "mixed"],
    "date dates month months period periods time day days year quarter step steps tge since launch unlock release as of monat datum mois mes mese fecha data",
    "vesting payment from after start the yyyy mm dd unix seconds utc",
  ],
  [
    "cliff",
    ["numbers", "durations", "mixed", "words"],
    "cliff lockup lock",
    "up period length duration time initial in month months mo mos day days year years",
  ],
  ["end", ["numbers", "durations"], "end ends", "vesting in month months day days year years"],
  [
    "months",
    ["numbers", "durations", "mixed", "words"],
    "months vesting duration linear",
    "period length time in month mo mos day days year years",
  ],
  [
    "tge",
    ["numbers", "percent"],
    "tge genesis initial launch start",
    "at on unlock unlocked tokens token amount release percent % of the total max maximum supply allocation",
  ],
  ["circulating", ["numbers"], "circulating circulation", "in supply total tokens"],
  [
    "amount",
    ["numbers", "percent"],
    "allocation allocated amount tokens token supply total max quantity % percent percentage share",
    "of to vest the number maximum grant base units wei #",
  ],
  ["bucket", ["words", "mixed"], "bucket buckets category allocation label group round pool tranche", "name"],
  [
    "ignore",
    ["words", "mixed"],
    "id address wallet recipient holder beneficiary grant name email employee hash",
    "token contract e mail no",
  ],
];

/** The role that a title says with all of its words; in parentheses may stand the token. */
function roleOf(title: string, kind: Kind, at: number, symbol: string): Role | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+|[%#]/gu) ?? [];
  const known = words.filter((word) => word !== symbol.toLowerCase());
  const found = WORDS.find(([role, kinds, own, beside]) => {
    // Cells that are no periods are told one by one where the first column says that it has them.
    if (role === "period" && kind === "mixed" && at > 0) return false;
    const [mine, others] = [own.split(" "), beside.split(" ")];
    return (
      kinds.includes(kind) &&
      known.some((word) => mine.includes(word)) &&
      known.every((word) => mine.includes(word) || others.includes(word))
    );
  });
  return found?.[0];
}

/** The unit of the counts of a column by its title: `Cliff (days)`. */
export function titleUnit(title: string): string | undefined {
  return title.match(/[a-z]+/gi)?.find((word) => word.length > 1 && unitOf(word) !== undefined);
}

/** Words of a day from which something vests; any other day may be that of a first unlock. */
export function saysStart(title: string): boolean {
  return /\b(starts?|begins?|tge|launch|genesis|since|from)\b/i.test(title);
}

/** A unit of figures that their cells do not say: `Team (thousands)`. */
export function saysScale(title: string): boolean {
  return /\b(thousands?|millions?|billions?|tsd|mio|mln|mn|bn|[kmb])\b|000/i.test(title);
}

/** Unix seconds, where the title says so. */
export function isUnix(title: string): boolean {
  return /\b(unix|epoch|timestamp|seconds)\b/i.test(title);
}

function kindOf({ title, cells }: Column, at: number, reader: SheetReader, said: string | undefined): Kind {
  const all = cells.filter((cell) => cell !== "");
  const plain = all.filter((cell) => !isDash(cell));
  if (all.length === 0) return "empty";
  const every = (is: (cell: string) => boolean): boolean => plain.length > 0 && plain.every(is);
  const mayBe = (words: RegExp, role: Role): boolean => said === role || (said === undefined && words.test(title));
  const isDated = ["period", "start", "end", "cliff"].includes(said ?? "period");
  const dates = plain.filter((cell) => {
    const reading = readPeriod(cell);
    if (reading?.kind === "serial") return mayBe(/\b(date|day|datum|fecha|data)s?\b/i, "period");
    return reading !== undefined && reading.kind !== "number";
  });
  if (isDated && (dates.length * 2 > plain.length || (isUnix(title) && every((cell) => /^\d{9,10}$/.test(cell)))))
    return "dates";
  const steps = plain.filter((cell) => readPeriod(cell)?.kind === "number");
  const isNamed = steps.some((cell) => /\D/.test(cell) && /^(tge|month|m)/i.test(cell));
  const isTitled = at === 0 && mayBe(/^(months?|periods?|steps?|months? (since|after|from) .*)$/i, "period");
  if (steps.length * 2 > plain.length && (isNamed || isTitled)) return "steps";
  if (every((cell) => readEvery(cell) !== undefined)) return "every";
  const isShare = (cell: string): boolean => "value" in readPercentage(cell, reader.mark);
  if (every(isShare) && plain.some((cell) => cell.endsWith("%"))) return "percent";
  if (all.every((cell) => isShare(cell) || readNumber(cell, reader.mark) !== undefined)) return "numbers";
  const isDuration = (cell: string): boolean => "value" in readDuration(cell, titleUnit(title), reader.mark);
  if (
    every((cell) => isDuration(cell) || /^(never|locked)$/i.test(cell)) &&
    all.some((cell) => /\d|^(never|locked)$/i.test(cell))
  )
    return "durations";
  return plain.every((cell) => !/[\p{N}#$€?]/u.test(cell)) ? "words" : "mixed";
}

/** Every column with its kind and role. */
export function knownColumns({ columns }: Table, reader: SheetReader): readonly KnownColumn[] {
  const { columns: said = new Map<string, string>(), symbol } = reader.options;
  const titles = columns.map(({ title }) => title);
  for (const [title, role] of said) {
    if (!titles.includes(title))
      reader.object(0, undefined, `--columns: there is no "${title}"; there are ${titles.join(", ")}`);
    if (!ROLES.some((known) => known === role))
      reader.object(0, undefined, `--columns: "${role}" is no role: ${ROLES.join(", ")}`);
  }
  reader.settle();
  const known = columns.map((column, at): KnownColumn => {
    const own = said.get(column.title);
    const kind = kindOf(column, at, reader, own);
    const role = ROLES.find((each) => each === own) ?? (kind === "empty" ? "ignore" : undefined);
    const byCells = kind === "every" ? "every" : roleOf(column.title, kind, at, symbol);
    const isUnsigned = kind === "numbers" && own === undefined && lacksSign(column, reader.mark);
    return { ...column, kind, role: role ?? byCells, isSaid: own !== undefined, isUnsigned };
  });
  for (const [at, { title, kind, cells, isSaid }] of known.entries())
    if (kind === "numbers" && !isSaid && cells.every((cell) => cell === "" || /^([12]\d{9}|[2-7]\d{4})$/.test(cell))) {
      const ofDays = roleOf(title, "dates", at, symbol);
      const what = `"${cells[0]}" is a day or an amount: add (date) or (Unix seconds) to the title, or write days`;
      if (ofDays === "start" || ofDays === "end" || ofDays === "cliff") reader.object(0, title, what);
    }
  reader.settle();
  const period = known.find(({ role }) => role === "period");
  const firstDates = known.find(({ kind, role }) => (kind === "dates" || kind === "steps") && role === undefined);
  const isList = hasRepeated((period ?? firstDates)?.cells ?? []);
  const isText = ({ kind }: KnownColumn): boolean => kind === "words" || kind === "mixed";
  const words = known.find((column, at) => isText(column) && column.role === undefined && (at === 0 || isList));
  const hasBucket = known.some(({ role }) => role === "bucket");
  return known.map((column) => {
    // The first words name the rows, at their beginning or where a day has several; the only dates say of when they are.
    if (column === words && !hasBucket) return { ...column, role: "bucket" };
    return column === firstDates && period === undefined ? { ...column, role: "period" } : column;
  });
}

function lacksSign({ title, cells }: Column, mark: DecimalMark): boolean {
  const numbers = cells.map((cell) => readNumber(cell, mark)).filter((found) => found !== undefined);
  const isHundredth = numbers.every(({ digits, fraction }) => Number(digits) / 10 ** fraction <= 100);
  return /%|\b(percent|percentage|pct)\b/i.test(title) || (isHundredth && numbers.some(({ digits }) => digits > 0n));
}

/** Refuses numbers that count for a hundredth or less if they are percentages. */
export function refuseUnsigned({ title, cells, role, isUnsigned }: KnownColumn, reader: SheetReader): void {
  const cell = cells.find((each) => /^[^%]*[1-9][^%]*$/.test(each));
  if (!isUnsigned || cell === undefined) return;
  const what = `"${cell}" is tokens or a percentage without its sign: write ${cell}%`;
  reader.object(0, title, what, `--columns "${title}=${role ?? "amount"}" says that it is tokens`);
}

function hasRepeated(cells: readonly string[]): boolean {
  return new Set(cells).size < cells.length;
}

/** The line to complete: what is known of each column, and a question mark. */
export function columnsLine(columns: readonly KnownColumn[]): string {
  const each = columns.map(
    ({ title, role, isUnsigned }) =>
      (/[,"]/.test(title) ? `'${title}'` : title) +
      `=${role === undefined || (role === "tge" && isUnsigned) ? "?" : role}`,
  );
  return `say what each column is, and complete: --columns "${each.join(",")}" (${ROLES.join(", ")})`;
}
