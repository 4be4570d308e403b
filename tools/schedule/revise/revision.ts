import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { recordPaths } from "../check.ts";
import { nativePath, type ScheduleContext } from "../files.ts";
import { parseRevision } from "../published.ts";

/**
 * Sets revision and published_at. A revision of the published file that was not served yet keeps its number; a served
 * one is followed by the next. Another file has no record, so each change of it gets the next number.
 */
export function withRevisionNumber(
  context: ScheduleContext,
  file: string,
  before: ScheduleFile,
  edited: object,
  day: string,
): object {
  const [, path = ""] = recordPaths(context);
  const isRecorded = resolve(file) === resolve(nativePath(context)) && existsSync(path);
  const last = isRecorded ? parseRevision(readFileSync(path, "utf8")) : undefined;
  const isOurs = last !== undefined && last.symbol === before.token.symbol;
  const isOpen = isOurs && (before.revision > last.revision || last.served === false);
  return { ...edited, revision: before.revision + (isOpen ? 0 : 1), published_at: day };
}
