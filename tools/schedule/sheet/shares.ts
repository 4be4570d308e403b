import { isShareOf, readPercentage } from "./cell.ts";
import type { KnownColumn } from "./columns.ts";
import type { DecimalMark } from "./number.ts";
import { type SheetReader, sum } from "./reader.ts";
import { type Reading, running, type Series, totalOf } from "./sums.ts";

/** A percentage beside figures must be one of them, of the maximum, of its row or of its column's end. */
export function checkShares(
  share: KnownColumn,
  kept: readonly Series[],
  reading: Reading,
  lines: readonly number[],
  reader: SheetReader,
): void {
  const { maxSupply = 0n } = reader.options;
  const run = kept.map((each) => running(each, reading));
  const raw = kept.map(({ amounts }) => amounts.map(({ units }) => units));
  const total = (all: readonly (readonly bigint[])[]) =>
    (all[0] ?? []).map((_, row) => sum(all.map((each) => each[row] ?? 0n)));
  const parts = [total(run), total(raw), ...run, ...raw];
  const wholes = [maxSupply, ...kept.map((each) => totalOf(each, reading)), total(run), total(raw)];
  if (isShare(share, reader.mark, parts, wholes))
    reader.assume(`left out, as a share that agrees with the figures: "${share.title}"`);
  else
    reader.object(
      lines[0] ?? 0,
      share.title,
      `"${share.cells[0]}" is no share of the figures that agrees in every row`,
      `--columns "${share.title}=ignore" leaves it out`,
    );
}

/** Whether every cell is the share of a whole that one of the parts has in its row. */
export function isShare(
  { cells }: KnownColumn,
  mark: DecimalMark,
  parts: readonly (readonly bigint[])[],
  wholes: readonly (bigint | readonly bigint[])[],
): boolean {
  const read = cells.map((cell) => readPercentage(cell, mark));
  return parts.some((part) =>
    wholes.some((whole) =>
      read.every(
        (said, row) =>
          "value" in said &&
          isShareOf(part[row] ?? 0n, said.value, typeof whole === "bigint" ? whole : (whole[row] ?? 0n)),
      ),
    ),
  );
}
