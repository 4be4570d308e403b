import { readDuration } from "./cell.ts";
import { columnsLine, type KnownColumn, type Role, refuseUnsigned, saysStart, titleUnit } from "./columns.ts";
import { readNumber } from "./number.ts";
import { type SheetReader, saysTotal, sum } from "./reader.ts";
import { checkShare } from "./shares.ts";
import type { Times } from "./times.ts";
import type { Unlock } from "./unlocks.ts";
import { launchOf, rulesOf, unlocksOf } from "./vesting.ts";

/** A table whose rows are unlocks, spans, grants with their own start, or the rules of buckets. */
export interface RuleSheet {
  readonly unlocks: readonly Unlock[];
  readonly times: Omit<Times, "atMs">;
}

export function readRules(given: readonly KnownColumn[], all: readonly number[], reader: SheetReader): RuleSheet {
  const { maxSupply = 0n } = reader.options;
  const { columns, shares } = settled(given, reader);
  const amount = columns.find(({ role }) => role === "amount");
  if (amount === undefined) return reader.refuse(0, "no column is the amount", columnsLine(columns));
  const amounts = all.map((line, row) => tokens(amount, row, line, maxSupply, reader));
  refuseYears(columns, reader);
  reader.settle();
  const total = totalRow(amounts, columns, all, reader);
  const rows = <Each>(list: readonly Each[]): readonly Each[] => list.filter((_, row) => row !== total);
  const [lines, units] = [rows(all), rows(amounts)];
  const cut = <Some extends KnownColumn>(column: Some): Some => ({ ...column, cells: rows(column.cells) });
  refuseOpen(columns.map(cut), cut(amount), units, given, reader);
  const rules = rulesOf(columns.map(cut), lines, reader);
  const tge = rules.of("tge");
  const genesis = units.map((whole, row) =>
    tge === undefined ? 0n : tokens(tge, row, lines[row] ?? 0, isOfMaximum(tge) ? maxSupply : whole, reader),
  );
  const launchMs = launchOf(rules, genesis, reader);
  if (tge !== undefined && isOfMaximum(tge)) reader.assume(`"${tge.title}" is of the maximum`);
  for (const share of shares.map(cut))
    if (share.role === "amount") checkShare(share, [units], [maxSupply], lines, reader);
    else checkShare(share, [genesis], [isOfMaximum(share) ? maxSupply : units], lines, reader);
  reader.settle();
  const unlocks = units.flatMap((whole, row) => unlocksOf(rules, row, whole, [launchMs, genesis[row] ?? 0n], reader));
  reader.settle();
  return { unlocks, times: rules.times };
}

/** Numbers that nothing adds up, and that may be something else than tokens. */
function refuseOpen(
  columns: readonly KnownColumn[],
  amount: KnownColumn,
  units: readonly bigint[],
  given: readonly KnownColumn[],
  reader: SheetReader,
): void {
  const { maxSupply = 0n, decimals } = reader.options;
  const isSummed = sum(units) === maxSupply;
  if (!isSummed && given.some(({ title, role }) => title === amount.title && role === undefined)) {
    const what = "is not known to be the amount, and does not add up to the maximum";
    reader.object(0, amount.title, what, columnsLine(given));
  }
  if (!isSummed) refuseUnsigned(amount, reader);
  const tge = columns.find(({ role }) => role === "tge");
  // Of a hundred tokens and fewer, such numbers are tokens: of a hundred both readings are the same.
  const isOpen = (cell: string, row: number): boolean =>
    /^[^%]*[1-9][^%]*$/.test(cell) && (units[row] ?? 0n) > 100n * 10n ** BigInt(decimals);
  if (tge?.cells.some(isOpen)) refuseUnsigned(tge, reader);
}

/** No unit in a title or cell, and all counts so small that they may be years. */
function refuseYears(columns: readonly KnownColumn[], reader: SheetReader): void {
  const counts = columns.filter(({ role, kind }) => (role === "cliff" || role === "months") && kind === "numbers");
  const [column] = counts.toReversed();
  const cells = counts.flatMap((each) => each.cells).filter((cell) => Number(cell) > 0);
  const isSmall = cells.length > 0 && cells.every((cell) => Number(cell) <= MOST_YEARS);
  if (column !== undefined && isSmall && counts.every(({ title }) => titleUnit(title) === undefined))
    reader.object(
      0,
      column.title,
      `"${cells.at(-1)}" has no unit: write ${cells.at(-1)} months or ${cells.at(-1)} years`,
    );
}

const MOST_YEARS = 10;

/** `% of total supply` and `of the maximum`; any other percentage at the start is of the allocation. */
const isOfMaximum = ({ title }: KnownColumn): boolean =>
  /\bof (the )?((total|max(imum)?) )?supply\b|\bof (the )?(total|max(imum)?)\W*$/i.test(title);

/** What makes a row more than an unlock of its day. */
const RULE_ROLES: readonly Role[] = ["start", "end", "cliff", "months", "tge", "every"];

/** Every column in its place: one of each role, shares and sums that agree, or refused with the line to complete. */
function settled(given: readonly KnownColumn[], reader: SheetReader) {
  const has = (...roles: readonly Role[]): boolean =>
    given.some(({ role }) => role !== undefined && roles.includes(role));
  const isList = has("period") && !has(...RULE_ROLES);
  const numbers = given.filter(({ kind, role }) => kind === "numbers" && role === undefined);
  const onlyNumbers = has("amount") || numbers.length !== 1 ? undefined : numbers[0];
  const known = given.map((column): KnownColumn => {
    // The maximum, to which it must add up, is the check.
    if (column === onlyNumbers) return { ...column, role: "amount" };
    if (column.role === "period" && !isList) return { ...column, role: "start" };
    if (column.role === "circulating") return { ...column, role: undefined };
    return column.role === undefined && isSumOfCounts(column, given, reader) ? { ...column, role: "ignore" } : column;
  });
  const shares = known.filter(
    (column) =>
      (column.role === "amount" || column.role === "tge") &&
      column.kind === "percent" &&
      known.some(({ role, kind }) => role === column.role && kind !== "percent"),
  );
  const columns = known.map(
    (column): KnownColumn => (shares.includes(column) ? { ...column, role: "ignore" } : column),
  );
  const advice = columnsLine(known);
  const first = isList ? undefined : given.find(({ role }) => role === "period");
  if (first !== undefined && !saysStart(first.title)) {
    const what = "is a day that is not known to be the start: from a start, the first unlock is a period away";
    reader.object(0, first.title, what, `--columns "${first.title}=start" says that it is`);
  }
  for (const column of columns.filter(({ role }) => role !== undefined && role !== "ignore")) {
    const other = columns.find(({ role }) => role === column.role);
    if (other !== undefined && other !== column)
      reader.object(0, column.title, `could be the ${column.role} as well as "${other.title}"`, advice);
  }
  for (const { title, cells } of columns.filter(({ role }) => role === undefined)) {
    const odd = cells.find((cell) => cell !== "" && readNumber(cell, reader.mark) === undefined);
    reader.object(0, title, `is not known, with the cell "${odd ?? cells.find((cell) => cell !== "")}"`, advice);
  }
  if (!isList && !has("months", "end")) reader.object(0, undefined, "no column is the months or end", advice);
  if (reader.options.amounts === "cumulative")
    reader.object(0, undefined, "--amounts: a row here is an unlock, no total");
  const left = known.filter(({ role }) => role === "ignore");
  if (left.length > 0) reader.assume(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  return { columns, shares };
}

/** Whether every filled cell is the sum of the cliff and the length beside it: `Total (months)`. */
function isSumOfCounts(column: KnownColumn, all: readonly KnownColumn[], reader: SheetReader): boolean {
  const count = ({ title, cells }: KnownColumn, row: number): number => {
    const said = readDuration(cells[row] ?? "", titleUnit(title), reader.mark);
    return "value" in said ? said.value.count : Number.NaN;
  };
  const [cliff, months] = (["cliff", "months"] as const).map((wanted) => all.find(({ role }) => role === wanted));
  if (cliff === undefined || months === undefined || column.kind === "words" || column.kind === "mixed") return false;
  return column.cells.every(
    (cell, row) => cell === "" || count(column, row) === count(cliff, row) + count(months, row),
  );
}

/** A cell in tokens: as it is, or its percentage of a whole. */
function tokens(column: KnownColumn, row: number, line: number, whole: bigint, reader: SheetReader): bigint {
  const cell = column.cells[row] ?? "";
  return cell.endsWith("%") ? reader.share(line, column, cell, whole) : reader.amount(line, column, cell).units;
}

/** The row that is the sum of the others, when with it the table is twice the maximum and without it once; or -1. */
function totalRow(
  amounts: readonly bigint[],
  columns: readonly KnownColumn[],
  lines: readonly number[],
  reader: SheetReader,
): number {
  const { maxSupply = 0n, hasRest } = reader.options;
  const whole = sum(amounts);
  const labels = columns.find(({ role }) => role === "bucket")?.cells ?? [];
  const named = labels.findIndex((label) => saysTotal(label));
  const found = whole === 2n * maxSupply ? amounts.lastIndexOf(maxSupply) : named;
  const rest = whole - (amounts[found] ?? 0n);
  const isTotal = found !== -1 && lines.length > 2 && amounts[found] === rest && whole !== maxSupply;
  if (isTotal) {
    checkTotal(
      found,
      columns.find(({ role }) => role === "tge"),
      lines,
      reader,
    );
    reader.assume(`line ${lines[found]} ("${labels[found] ?? ""}") is the sum of the others and left out`);
  } else if (named !== -1)
    reader.object(
      lines[named] ?? 0,
      undefined,
      `"${labels[named]}" says that it is a total: ${reader.text(amounts[named] ?? 0n)}, the others add up to ${reader.text(rest)}`,
    );
  const counted = isTotal ? rest : whole;
  const like = counted < maxSupply ? amounts.findIndex((each, row) => row !== found && each * 2n === counted) : -1;
  if (like !== -1 && lines.length > 1) {
    const what = `"${labels[like] ?? ""}" is the sum of the other rows, and may be no row of its own`;
    reader.object(lines[like] ?? 0, undefined, what, "with a row for what is left, the maximum decides");
  }
  if (counted !== maxSupply && (counted > maxSupply || !hasRest))
    reader.object(
      0,
      undefined,
      `the rows add up to ${reader.text(counted)}, the maximum is ${reader.text(maxSupply)}`,
      counted < maxSupply ? "name what the rows leave of it with --rest ID, a bucket that never unlocks" : undefined,
    );
  return isTotal ? found : -1;
}

/** Tokens at the start in a row of sums are a sum, too. */
function checkTotal(total: number, tge: KnownColumn | undefined, lines: readonly number[], reader: SheetReader): void {
  const own = tge?.cells[total] ?? "";
  if (tge === undefined || !/\d/.test(own) || tge.cells.some((cell) => cell.endsWith("%"))) return;
  const units = tge.cells.map((cell, row) => (row === total ? 0n : reader.amount(lines[row] ?? 0, tge, cell).units));
  if (sum(units) !== reader.amount(lines[total] ?? 0, tge, own).units)
    reader.object(lines[total] ?? 0, tge.title, `"${own}" is not the sum ${reader.text(sum(units))}`);
}
