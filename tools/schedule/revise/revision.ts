import { existsSync, readFileSync } from "node:fs";
import type { ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { recordPaths } from "../check.ts";
import type { ScheduleContext } from "../files.ts";
import { parseRevision } from "../published.ts";

/**
 * Sets revision and published_at. A revision that was not published yet keeps its number; a published one is followed
 * by the next.
 */
export function withRevisionNumber(
  context: ScheduleContext,
  before: ScheduleFile,
  edited: object,
  day: string,
): object {
  const [, path = ""] = recordPaths(context);
  const last = existsSync(path) ? parseRevision(readFileSync(path, "utf8")) : undefined;
  const isOurs = last !== undefined && last.symbol === before.token.symbol;
  const isOpen = isOurs && (before.revision > last.revision || last.served === false);
  return { ...edited, revision: before.revision + (isOpen ? 0 : 1), published_at: day };
}
