import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { monthText } from "../../../src/supply/calendar.ts";
import { monthsBetween } from "../months.ts";
import type { Unlock } from "../plan/unlocks.ts";
import type { Declared, DeclaredColumn } from "./declared.ts";
import type { Times } from "./times.ts";

/** Makes the unlocks of a table of periods: each column of amounts is a bucket. */
export function periodUnlocks(
  declared: Declared,
  columns: readonly DeclaredColumn[],
  amounts: readonly (readonly bigint[])[],
  times: Times,
): readonly Unlock[] {
  const { mapping, reasons, lines, decimals } = declared;
  const isRunning = mapping.amounts === "cumulative";
  checkOrder(declared, times);
  columns.forEach(({ letter, title }, at) => {
    const units = amounts[at] ?? [];
    const row = units.findIndex((each, index) => each < (units[index - 1] ?? 0n));
    if (!isRunning || row === -1) return;
    const [from, to] = [units[row - 1] ?? 0n, units[row] ?? 0n].map((each) => tokenText(each, decimals));
    const advice =
      "a burn or a transfer is no part of a plan: take it out of the sheet, and enter it afterwards with revise burn or revise correct";
    reasons.add(`column ${letter} "${title}": falls from ${from} to ${to} in line ${lines[row]}; ${advice}`);
  });
  reasons.refuseIfAny();
  return columns.flatMap(({ is, title }, at) =>
    (amounts[at] ?? []).map((each, row) => {
      const [ms, before] = [times.atMs[row] ?? 0, isRunning ? (amounts[at]?.[row - 1] ?? 0n) : 0n];
      const bucket = is === "circulating" || title === "" ? "Circulating" : title;
      return { bucket, fromMs: ms, toMs: ms, units: each - before, source: `the column "${title}"` };
    }),
  );
}

/** Refuses rows out of order, several rows of one period, and missing months that no option explains. */
function checkOrder({ mapping: { amounts, gaps }, lines, reasons }: Declared, { atMs, months }: Times): void {
  atMs.forEach((ms, row) => {
    const before = atMs[row - 1];
    if (before === undefined || ms > before) return;
    const what = ms === before ? "has several rows" : `follows ${dayText(before)}: put the rows in order`;
    reasons.add(`line ${lines[row]}: ${dayText(ms)} ${what}`);
  });
  if (amounts !== "cumulative" || gaps === "keep") return;
  const between = atMs.slice(1).map((ms, row) => monthsBetween(atMs[row] ?? 0, ms));
  // Two rows alone do not show the usual distance, unless they name quarters or years.
  const usual = between.length < 2 ? 1 : Math.max(1, Math.min(...between, 12));
  const odd = between.findIndex((count, row) => count > Math.max(usual, months[row] ?? 1));
  if (odd === -1) return;
  const [from, to] = [atMs[odd] ?? 0, atMs[odd + 1] ?? 0].map(monthText);
  reasons.add(
    `line ${lines[odd + 1]}: ${to} follows ${from}: add the months between, or say with --gaps keep ("gaps": "keep" in the mapping) that the figure before stays`,
  );
}
