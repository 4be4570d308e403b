import { dayText } from "../../src/base/utc.ts";
import type { ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceFileIfUnchanged } from "../lib/replace-file.ts";
import { changes } from "./diff.ts";
import { scheduleFileText } from "./file-text.ts";
import { nativePath, readText, type ScheduleContext, scheduleOf, unlockScheduleOf } from "./files.ts";
import { withRevisionNumber } from "./revise/revision.ts";
import { type ConvertedBucketNames, tableBuckets } from "./table.ts";

export const CONVERT_USAGE =
  "convert [FILE] [--id unlocking] [--label TEXT] [--rest reserve]    turns a table into a bucket, which revise can change, and a rest that never unlocks";

/** Rewrites a file's table as buckets, in a new revision in which every figure stays the same. */
export function convert(context: ScheduleContext, given: string | undefined, names: ConvertedBucketNames): string {
  const path = given ?? nativePath(context);
  const text = readText(path);
  const before = unlockScheduleOf(scheduleOf(path, text, context.first));
  const { plan, maxSupply, token } = before;
  if (plan.kind !== "table") throw new Refusal([`${displayPath(path)}: has buckets already`]);
  const buckets = tableBuckets(plan.figures, maxSupply, token.decimals, names);
  const file = JSON.parse(text) as ScheduleFile; // it has no errors
  const edited = scheduleFileText(
    withRevisionNumber(context, path, file, { ...file, table: undefined, buckets }, dayText(context.nowMs)),
  );
  const after = scheduleOf(path, edited, context.first);
  replaceFileIfUnchanged(path, text, edited);
  const phases = buckets[0]?.phases.length ?? 0;
  const rules = phases === 1 ? "one rule" : `${phases} rules, one for each change of the monthly amount`;
  return [
    changes(before, after),
    "",
    `${displayPath(path)}: written; ${rules}, with the same figures. The API now names ${buckets.map(({ id }) => id).join(" and ")} in every unlock, and the file no longer lists each month.`,
    `Next: npm run schedule -- check${given === undefined ? "" : ` ${displayPath(path)}`}; to change the plan: npm run schedule -- revise`,
  ].join("\n");
}
