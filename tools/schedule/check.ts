import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dayText, stepMs } from "../../src/supply/calendar.ts";
import { parsePublished, publishedErrors, withPublished } from "../../src/supply/published.ts";
import { type Schedule, scheduleErrorText } from "../../src/supply/schedule.ts";
import { type Desk, examplePaths, nativePath, parseFile, Refusal, readSchedule, readText, shownPath } from "./files.ts";

/** Without a file: the bundled schedule, its published past and every example. */
export function check(desk: Desk, file: string | undefined): string {
  const paths = file === undefined ? [nativePath(desk), ...examplePaths(desk)] : [file];
  const faults = paths.flatMap((path) => faultsIn(desk, path));
  if (faults.length > 0) throw new Refusal(faults);
  return paths.map((path) => `${shownPath(path)}: valid, ${summary(readSchedule(path))}`).join("\n");
}

function faultsIn(desk: Desk, path: string): string[] {
  const result = parseFile(path);
  if (result.kind === "faults") return result.faults.map((fault) => scheduleErrorText(shownPath(path), fault));
  return resolve(path) === resolve(nativePath(desk)) ? lockFaults(desk, result.schedule) : [];
}

function summary({ token, revision, lastIndex, calendar }: Schedule): string {
  const [first, last] = [stepMs(calendar, 0), stepMs(calendar, lastIndex)].map(dayText);
  return `${token.symbol} revision ${revision}, ${lastIndex + 1} rows from ${first} to ${last}`;
}

function lockFaults(desk: Desk, schedule: Schedule): string[] {
  const path = publishedPath(desk);
  if (!existsSync(path)) return [`${shownPath(path)}: is missing; npm run schedule -- publish writes it`];
  const { rows, faults } = parsePublished(readText(path));
  return [...faults, ...publishedErrors(schedule, rows)].map((fault) => scheduleErrorText(shownPath(path), fault));
}

/** Adds the steps that have passed to the published past. Refuses where the past does not agree. */
export function publish(desk: Desk): string {
  const schedule = readSchedule(nativePath(desk));
  const path = publishedPath(desk);
  const before = existsSync(path) ? readText(path) : undefined;
  const faults = before === undefined ? [] : lockFaults(desk, schedule);
  if (faults.length > 0) throw new Refusal(faults);
  const { text, added } = withPublished(schedule, before, desk.nowMs);
  if (text !== before) writeFileSync(path, text);
  return added === 0
    ? `${shownPath(path)}: nothing new has passed`
    : `${shownPath(path)}: ${added} more published; commit it`;
}

function publishedPath(desk: Desk): string {
  return join(desk.folder, "published.csv");
}
