import { isShareOf, readPercentage } from "./cell.ts";
import type { KnownColumn } from "./columns.ts";
import type { DecimalMark } from "./number.ts";
import type { SheetReader } from "./reader.ts";

type Whole = bigint | readonly bigint[];

/** A percentage beside figures must be one of them in every row, of a whole that is the row's own or that of all. */
export function checkShare(
  share: KnownColumn,
  parts: readonly (readonly bigint[])[],
  wholes: readonly Whole[],
  lines: readonly number[],
  reader: SheetReader,
): void {
  if (isShare(share, parts, wholes, reader.mark)) {
    reader.assume(`left out, as a share that agrees with the figures: "${share.title}"`);
    return;
  }
  const row = share.cells.findIndex((cell, at) => !agrees(cell, at, parts[0] ?? [], wholes[0] ?? 0n, reader.mark));
  const what = `"${share.cells[Math.max(row, 0)]}" is no share of the figures that agrees in every row`;
  reader.object(lines[Math.max(row, 0)] ?? 0, share.title, what, `--columns "${share.title}=ignore" leaves it out`);
}

/** Whether every cell is the share of a whole that one of the parts has in its row. */
export function isShare(
  { cells }: KnownColumn,
  parts: readonly (readonly bigint[])[],
  wholes: readonly Whole[],
  mark: DecimalMark,
): boolean {
  return parts.some((part) => wholes.some((whole) => cells.every((cell, row) => agrees(cell, row, part, whole, mark))));
}

function agrees(cell: string, row: number, part: readonly bigint[], whole: Whole, mark: DecimalMark): boolean {
  const said = readPercentage(cell, mark);
  if (cell === "") return true;
  return (
    "value" in said && isShareOf(part[row] ?? 0n, said.value, typeof whole === "bigint" ? whole : (whole[row] ?? 0n))
  );
}
