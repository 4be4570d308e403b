import { existsSync, readFileSync } from "node:fs";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { recordPaths } from "../check.ts";
import type { ScheduleContext } from "../files.ts";
import { parseRevision } from "../published.ts";
import { withValue } from "./edit.ts";

/** A revision that was not published yet takes further changes; a published one is followed by the next. */
export function withRevision(context: ScheduleContext, text: string, before: Schedule, day: string): string {
  const [, path = ""] = recordPaths(context);
  const last = existsSync(path) ? parseRevision(readFileSync(path, "utf8")) : undefined;
  const isOurs = last !== undefined && last.symbol === before.token.symbol;
  const isOpen = isOurs && (before.revision > last.revision || last.served === false);
  return withValue(withValue(text, ["revision"], before.revision + (isOpen ? 0 : 1)), ["published_at"], day);
}
