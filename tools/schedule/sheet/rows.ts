import type { FilePhase } from "../../../shared/schedule-file.ts";
import type { CsvRow } from "../../csv.ts";
import { type SheetBucket, type SheetReader, sum, TOTAL } from "./reader.ts";

/** A sheet with a row per bucket. */
export interface BucketSheet {
  readonly maxSupply: bigint;
  readonly buckets: readonly SheetBucket[];
}

/** What a column is for, by its title; the first that fits. undefined: it is left out. */
const ROLES = [
  ["cliff", /cliff|^lock/i],
  ["tge", /^(tokens? )?(unlock(ed)? )?(at )?(tge|genesis|initial|start|launch)\b/i],
  [undefined, /release|monthly|price|valuation|purpose|notes?$|beneficiary|schedule|total duration/i],
  ["months", /^(months|vesting|duration|linear|vested|installments)\b/i],
  ["allocation", /alloc|amount|token|total|share|supply|^%|percent/i],
] as const;
type Role = "allocation" | "tge" | "cliff" | "months";

/** Of each role the columns with tokens or counts, and those with percentages. */
type Columns = Readonly<Record<Role, { readonly plain: readonly number[]; readonly percent: readonly number[] }>>;

/** The header of a table of buckets; undefined when no row is one. */
export function bucketHeader(rows: readonly CsvRow[]): number | undefined {
  const index = rows.findIndex(({ cells }, at) => {
    return at < rows.length - 1 && cells.length > 2 && cells.slice(1).some((title) => roleOf(title) !== undefined);
  });
  return index === -1 ? undefined : index;
}

function roleOf(title: string): Role | undefined {
  return ROLES.find(([, words]) => words.test(title))?.[0];
}

export function readBuckets(header: CsvRow, below: readonly CsvRow[], reader: SheetReader): BucketSheet {
  for (const row of below) reader.refuseUntitled(row, header, []);
  const columns = columnsOf(header, below, reader);
  const isTotal = ({ cells }: CsvRow): boolean => TOTAL.test(cells[0] ?? "");
  const rows = below.filter((row) => !isTotal(row) && row.cells.filter((cell) => cell !== "").length > 1);
  const maxSupply = maximum(rows, columns, reader);
  const allocations = rows.map((row) => allocationOf(row, columns, maxSupply, reader));
  const buckets = rows.map((row, index) => bucketOf(row, index, allocations[index] ?? 0n, columns, reader));
  for (const row of below.filter(isTotal)) {
    const [at] = columns.allocation.plain;
    if (at !== undefined && (row.cells[at] ?? "") !== "")
      reader.checkSum(
        row,
        row.cells[0] ?? "",
        reader.amount(row, at),
        allocations.map((units) => ({ units, roundedTo: 0n })),
      );
    reader.guess("the row of the total is left out");
  }
  return { maxSupply, buckets };
}

function columnsOf(header: CsvRow, rows: readonly CsvRow[], reader: SheetReader): Columns {
  const { columns: wanted } = reader.options;
  const titled = header.cells.map((title, at) => ({ title, at, role: at === 0 ? undefined : roleOf(title) }));
  const counted = titled.filter(({ title, role }) => role !== undefined && (wanted?.includes(title) ?? true));
  const of = (role: Role) => {
    const own = counted.filter((column) => column.role === role);
    const isShare = ({ title, at }: { readonly title: string; readonly at: number }): boolean =>
      (role === "allocation" || role === "tge") && reader.isPercent(title, rows, at);
    const plain = own.filter((column) => !isShare(column));
    if (plain.length > 1)
      reader.refuse(
        header,
        `${plain.map(({ title }) => `"${title}"`).join(" and ")} could each be the ${role}: name the columns to read with --columns "A,B"`,
      );
    return { plain: plain.map(({ at }) => at), percent: own.filter(isShare).map(({ at }) => at) };
  };
  const columns: Columns = { allocation: of("allocation"), tge: of("tge"), cliff: of("cliff"), months: of("months") };
  const missing = Object.entries(columns).filter(([, { plain, percent }]) => plain.length + percent.length === 0);
  if (missing.length > 0)
    reader.refuse(
      header,
      `the column ${missing.map(([name]) => name).join(", ")} is missing; the header is ${header.cells.join(", ")}`,
    );
  const left = titled.filter(({ at }) => at > 0 && !counted.some((column) => column.at === at));
  if (left.length > 0) reader.guess(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  return columns;
}

/** The command line's, or what the allocations in tokens add up to. */
function maximum(rows: readonly CsvRow[], { allocation }: Columns, reader: SheetReader): bigint {
  const { maxSupply } = reader.options;
  if (maxSupply !== undefined) return maxSupply;
  const [at] = allocation.plain;
  if (at === undefined || rows.some(({ cells }) => cells[at]?.endsWith("%")))
    return reader.refuse(undefined, "--max-supply: missing, and the sheet has percentages, not tokens alone");
  const units = sum(rows.map((row) => reader.amount(row, at).units));
  reader.guess(
    `the maximum supply is ${reader.text(units)}, to which the allocations add up: --max-supply TOKENS if it is another`,
  );
  return units;
}

/** Tokens, checked against percentages beside them; or a percentage of the maximum. */
function allocationOf(row: CsvRow, { allocation }: Columns, maxSupply: bigint, reader: SheetReader): bigint {
  const [plain] = allocation.plain;
  if (plain === undefined) return reader.share(row, allocation.percent[0] ?? -1, maxSupply);
  const isShare = (row.cells[plain] ?? "").endsWith("%");
  const units = isShare ? reader.share(row, plain, maxSupply) : reader.amount(row, plain).units;
  for (const at of allocation.percent) checkShare(row, at, units, maxSupply, reader);
  return units;
}

function checkShare(row: CsvRow, at: number, units: bigint, whole: bigint, reader: SheetReader): void {
  if ((row.cells[at] ?? "") === "") return;
  const { numerator, half, scale } = reader.percentage(row, at);
  const [least, most] = [whole * (numerator - half), whole * (numerator + half)];
  if (units * scale < least || units * scale > most)
    reader.refuse(row, `${row.cells[0]}: ${reader.text(units)} is not ${row.cells[at]} of ${reader.text(whole)}`);
}

function bucketOf(row: CsvRow, index: number, allocation: bigint, columns: Columns, reader: SheetReader): SheetBucket {
  const title = row.cells[0] ?? "";
  const genesis = genesisOf(row, allocation, columns, reader);
  const rest = allocation - genesis;
  if (rest < 0n)
    reader.refuse(
      row,
      `${title} has more at the start, ${reader.text(genesis)}, than its allocation, ${reader.text(allocation)}`,
    );
  return {
    ...reader.named(title, index),
    allocation: reader.text(allocation),
    genesis: reader.text(genesis),
    phases: rest === 0n ? [] : [phaseOf(row, title, reader.text(rest), columns, reader)],
  };
}

/** Tokens, checked against a percentage beside them; or a percentage of the allocation. */
function genesisOf(row: CsvRow, allocation: bigint, { tge }: Columns, reader: SheetReader): bigint {
  const [plain] = tge.plain;
  const [percent] = tge.percent;
  if (plain === undefined) return reader.share(row, percent ?? -1, allocation);
  const cell = row.cells[plain] ?? "";
  const units = cell.endsWith("%") ? reader.share(row, plain, allocation) : reader.amount(row, plain).units;
  if (percent !== undefined) checkShare(row, percent, units, allocation, reader);
  return units;
}

function phaseOf(row: CsvRow, title: string, amount: string, columns: Columns, reader: SheetReader): FilePhase {
  const at = columns.months.plain[0] ?? -1;
  if (/^(never|locked)$/i.test(row.cells[at] ?? "")) return { kind: "never", amount };
  if (/^[-–—]$/.test(row.cells[at] ?? "") && months(row, columns.cliff.plain[0] ?? -1, "cliff", reader) === 0)
    return { kind: "never", amount };
  const cliff = months(row, columns.cliff.plain[0] ?? -1, "cliff", reader);
  const count = months(row, at, "months", reader);
  if (count === 0 && cliff === 0)
    return reader.refuse(
      row,
      `${amount} of ${title} are neither unlocked at the start nor in any month; write never if they are not to unlock`,
    );
  if (count === 0) {
    reader.guess(`${title}: ${amount} at once, ${cliff} months after the start`);
    return { kind: "cliff", amount, month: cliff };
  }
  reader.guess(
    `${title}: ${amount} in ${count} monthly installments, the first ${cliff + 1} month${cliff === 0 ? "" : "s"} after the start`,
  );
  return { kind: "installments", amount, first_month: cliff + 1, count, every_months: 1 };
}

/** `12`, `12 months`, `12mo`, `4 years`; a dash or none is 0. */
function months(row: CsvRow, column: number, what: string, reader: SheetReader): number {
  const cell = row.cells[column] ?? "";
  if (/^([-–—]|none|n\/?a|0%)$/i.test(cell)) return 0;
  const [, digits, unit = ""] = /^(\d{1,4}) ?(?:(m|mo|mos|months?|y|yrs?|years?))?( linear)?$/i.exec(cell) ?? [];
  if (digits === undefined) return reader.refuse(row, `"${cell}" is not a number of ${what}`);
  return Number(digits) * (/^y/i.test(unit) ? 12 : 1);
}
