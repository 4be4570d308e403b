import { parseDay } from "../../src/base/utc.ts";
import { wholeTokens } from "../../src/chain/amount.ts";
import { allSteps, stepAt } from "../../src/supply/circulating.ts";
import { CSV_COLUMNS, csvRow, scheduleView } from "../../src/supply/representations.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import type { ScheduleContext } from "./files.ts";

export const FORMATS = ["table", "csv", "json"] as const;

/** Prints all rows of a schedule. `json` is the body of `/api/unlock-schedule`, indented. */
export function print(schedule: UnlockSchedule, format: string): string {
  const cells = [CSV_COLUMNS, ...allSteps(schedule).map((row) => csvRow(schedule, row))];
  switch (FORMATS.find((known) => known === format)) {
    case "csv":
      return cells.map((row) => row.join(",")).join("\n");
    case "json":
      return JSON.stringify(scheduleView(schedule), null, 2);
    case "table":
      return aligned(cells);
    case undefined:
      throw new Refusal([`--format must be one of ${FORMATS.join(", ")}, not ${format}`]);
  }
}

/** Pads columns to their widest cell: the first two are left-aligned, the others right-aligned. */
export function aligned(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Writes the circulating supply at an instant: whole tokens, a tab, base units. Throws a {@link Refusal} before the start.
 */
export function circulatingSupplyLine(context: ScheduleContext, schedule: UnlockSchedule, instant: string): string {
  const instantMs = instant === "now" ? context.nowMs : parseInstant(instant);
  if (instantMs === undefined)
    throw new Refusal([`${instant} is not an instant: write now, 2026-03-12 or 2026-03-12T00:00:00Z`]);
  const current = stepAt(schedule, instantMs);
  if (current === undefined) throw new Refusal([`${instant} is before the schedule's start`]);
  return `${wholeTokens(current.circulating, schedule.token.decimals)}\t${current.circulating}`;
}

function parseInstant(text: string): number | undefined {
  const [, day = "", time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z)?$/.exec(text) ?? [];
  const midnightMs = parseDay(day);
  if (midnightMs === undefined || time === undefined) return midnightMs;
  const instantMs = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(instantMs) || instantMs - midnightMs >= 86_400_000 ? undefined : instantMs;
}
