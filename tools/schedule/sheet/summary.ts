import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { stepMs } from "../../../src/supply/calendar.ts";
import { circulatingAt } from "../../../src/supply/circulating.ts";
import type { FilePhase } from "../../../src/supply/file/schedule-file.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import type { Mapping } from "./mapping.ts";
import type { Sheet } from "./read.ts";

/** Describes the result: each bucket's rule, what was left out, and the figure at five dates. */
export function summaryOf(sheet: Sheet, mapping: Mapping, schedule: UnlockSchedule): readonly string[] {
  const buckets = sheet.isOneFigure ? [] : sheet.buckets;
  const ignored = mapping.columns
    .filter(({ is }) => is === "ignored")
    .map(({ column, title }) => `column ${column} "${title}"`);
  const left = [
    ...ignored,
    ...mapping.outside.map(({ line, text, is }) => `line ${line} "${text}"${is === "sum" ? ", a sum" : ""}`),
  ];
  const units = mapping.columns.flatMap(({ column, title, unit, of }) =>
    unit === undefined || unit === null
      ? []
      : [`column ${column} "${title}" in ${unit}${of === undefined || of === null ? "" : ` of the ${of}`}`],
  );
  return [
    `units: ${units.join("; ")}`,
    ...buckets.map(({ label, allocation, genesis, phases = [] }) =>
      [
        `"${label}": ${allocation}`,
        ...(genesis === "0" ? [] : [`${genesis} at the start`]),
        ...phases.map(phaseText),
      ].join(", "),
    ),
    ...(left.length === 0 ? [] : [`left out: ${left.join(", ")}`]),
    ...figures(schedule),
    ...sheet.notes,
  ];
}

function phaseText(phase: FilePhase): string {
  switch (phase.kind) {
    case "cliff":
      return `${phase.amount} in month ${phase.month}`;
    case "linear":
      return `${phase.amount} evenly by the day from ${phase.from} to ${phase.to}`;
    case "never":
      return `${phase.amount} never`;
    default:
      return "first_day" in phase
        ? `${phase.amount} in ${phase.count} parts, ${everyText(phase.every_days, "day")} from day ${phase.first_day} on`
        : `${phase.amount} in ${phase.count} parts, ${everyText(phase.every_months, "month")} from month ${phase.first_month} on`;
  }
}

const everyText = (count: number, unit: string): string => (count === 1 ? `each ${unit}` : `each ${count} ${unit}s`);

/** Lists the figure at the first and the last step, and at three between. */
function figures(schedule: UnlockSchedule): readonly string[] {
  const { calendar, lastIndex, token } = schedule;
  const indexes = new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(lastIndex * part)));
  return [...indexes].map((index) => {
    const ms = stepMs(calendar, index);
    return `in circulation on ${dayText(ms)}: ${tokenText(circulatingAt(schedule, ms), token.decimals)}`;
  });
}
