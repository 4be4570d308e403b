import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stepMs } from "../../src/supply/calendar.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { dayText } from "../../src/utc.ts";
import { Refusal } from "../command-line.ts";
import {
  displayPath,
  examplePaths,
  nativePath,
  parseFile,
  readSchedule,
  readText,
  type ScheduleContext,
} from "./files.ts";
import { parsePublished, publishedErrors, publishedRevision, revisionErrors, withPublished } from "./published.ts";
import { scheduleErrorText } from "./schedule-result.ts";
import { scheduleWarnings } from "./warnings.ts";

/** Without a file: the bundled schedule, its published past and every example. */
export function check(context: ScheduleContext, file: string | undefined): string {
  const paths = file === undefined ? [nativePath(context), ...examplePaths(context)] : [file];
  const errors = paths.flatMap((path) => errorsIn(context, path));
  if (errors.length > 0) throw new Refusal(errors);
  return paths
    .flatMap((path) => {
      const schedule = readSchedule(path);
      const warnings = scheduleWarnings(schedule, context.nowMs).map(
        (warning) => `warning: ${scheduleErrorText(displayPath(path), warning)}`,
      );
      return [`${displayPath(path)}: valid, ${summary(schedule)}`, ...warnings];
    })
    .join("\n");
}

function errorsIn(context: ScheduleContext, path: string): string[] {
  const result = parseFile(path);
  if (result.kind === "errors") return result.errors.map((error) => scheduleErrorText(displayPath(path), error));
  return resolve(path) === resolve(nativePath(context)) ? publishedPastErrors(context, result.schedule) : [];
}

function summary({ token, revision, lastIndex, calendar }: Schedule): string {
  const [first, last] = [stepMs(calendar, 0), stepMs(calendar, lastIndex)].map(dayText);
  return `${token.symbol} revision ${revision}, ${lastIndex + 1} rows from ${first} to ${last}`;
}

function publishedPastErrors(context: ScheduleContext, schedule: Schedule): string[] {
  const path = publishedPath(context);
  if (!existsSync(path)) return [`${displayPath(path)}: is missing; npm run schedule -- publish writes it`];
  const { rows, errors } = parsePublished(readText(path));
  const past = [...errors, ...publishedErrors(schedule, rows)].map((error) =>
    scheduleErrorText(displayPath(path), error),
  );
  const last = revisionPath(context);
  const revision = existsSync(last) ? revisionErrors(schedule, readText(last)) : [];
  return [...shortened(past), ...revision.map((error) => scheduleErrorText(displayPath(last), error))];
}

const MAX_LINES = 10;

/** A wrong start makes every row wrong: ten lines are enough. */
function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MAX_LINES), `... and ${more} more`];
}

/** Appends the steps that have passed to the published past. Refuses when the past differs. */
export function publish(context: ScheduleContext): string {
  const schedule = readSchedule(nativePath(context));
  const path = publishedPath(context);
  const before = existsSync(path) ? readText(path) : undefined;
  const errors = before === undefined ? [] : publishedPastErrors(context, schedule);
  if (errors.length > 0) throw new Refusal(errors);
  const { text, added } = withPublished(schedule, before, context.nowMs);
  if (text !== before) writeFileSync(path, text);
  writeFileSync(revisionPath(context), `${JSON.stringify(publishedRevision(schedule), null, 2)}\n`);
  return added === 0
    ? `${displayPath(path)}: nothing new has passed`
    : `${displayPath(path)}: ${added} more published; commit it`;
}

/** The files that {@link publish} writes. */
export function recordPaths(context: ScheduleContext): readonly string[] {
  return [publishedPath(context), revisionPath(context)];
}

function revisionPath(context: ScheduleContext): string {
  return join(context.folder, "published.json");
}

function publishedPath(context: ScheduleContext): string {
  return join(context.folder, "published.csv");
}
