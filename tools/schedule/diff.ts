import { tokenText } from "../../src/supply/amount.ts";
import { dayText } from "../../src/supply/calendar.ts";
import { rows } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { ScheduleContext } from "./files.ts";
import { aligned } from "./print.ts";

/** What changes from one schedule to another, month by month, and what to do about it. */
export function diff(context: ScheduleContext, old: Schedule, changed: Schedule): string {
  const lines = rowLines(old, changed);
  const today = dayText(context.nowMs);
  const past = lines.filter(([from = ""]) => from <= today).length;
  return [
    ...headLines(old, changed),
    lines.length === 0 ? "No figure changes." : aligned([["from", "", "old", "new", "difference"], ...lines]),
    "",
    ...nextSteps(old, changed, past, lines.length),
  ].join("\n");
}

function headLines(old: Schedule, changed: Schedule): string[] {
  const heads = (schedule: Schedule): Record<string, string> => ({
    revision: String(schedule.revision),
    published_at: schedule.publishedAt,
    symbol: schedule.token.symbol,
    decimals: String(schedule.token.decimals),
    max_supply: tokenText(schedule.maxSupply, schedule.token.decimals),
    start: dayText(schedule.calendar.startMs),
    step_day: String(schedule.calendar.stepDay),
  });
  const after = heads(changed);
  return Object.entries(heads(old)).flatMap(([name, value]) =>
    value === after[name] ? [] : [`${name}: ${value} -> ${after[name]}`],
  );
}

/** Steps of either schedule at which the figure in force differs. */
function rowLines(old: Schedule, changed: Schedule): string[][] {
  const figures = (schedule: Schedule): Map<string, string> =>
    new Map(
      rows(schedule).map((row) => [dayText(row.effectiveFromMs), tokenText(row.circulating, schedule.token.decimals)]),
    );
  const [before, after] = [figures(old), figures(changed)];
  const days = [...new Set([...before.keys(), ...after.keys()])].sort();
  return days.flatMap((day) => {
    const [was, is] = [before.get(day), after.get(day)];
    if (was === is) return [];
    return [[day, mark(was, is), was ?? "-", is ?? "-", difference(was, is)]];
  });
}

function mark(was: string | undefined, is: string | undefined): string {
  return was === undefined ? "added" : is === undefined ? "removed" : "changed";
}

const FINEST = 36;

function difference(was: string | undefined, is: string | undefined): string {
  if (was === undefined || is === undefined) return "-";
  const units = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(FINEST, "0"));
  };
  const change = units(is) - units(was);
  return (change > 0n ? "+" : "") + tokenText(change, FINEST);
}

function nextSteps(old: Schedule, changed: Schedule, past: number, all: number): string[] {
  if (all === 0 && old.revision === changed.revision) return ["Next: nothing to do."];
  const steps: string[] = [];
  if (changed.revision <= old.revision) steps.push(`raise revision above ${old.revision} and set published_at`);
  if (past > 0) steps.push(`${past} of these are in the past: each needs an entry in adjustments with its source`);
  steps.push("npm run schedule -- check", "commit, then npm run deploy");
  return ["Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
