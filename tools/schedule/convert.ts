import { dayText } from "../../src/base/utc.ts";
import type { ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceRead } from "../lib/replace-file.ts";
import { changes } from "./diff.ts";
import { fileText } from "./file-text.ts";
import { nativePath, readText, type ScheduleContext, scheduleOf } from "./files.ts";
import { numbered } from "./revise/revision.ts";
import { type TableNames, tableBuckets } from "./table.ts";

export const CONVERT_USAGE =
  "convert [FILE] [--id unlocking] [--label TEXT] [--rest reserve]    a table becomes a bucket, which revise knows, and a rest that never unlocks";

/** Rewrites a file's table as buckets, which is a revision; every figure stays. */
export function convert(context: ScheduleContext, given: string | undefined, names: TableNames): string {
  const path = given ?? nativePath(context);
  const text = readText(path);
  const before = scheduleOf(path, text, context.first);
  const { plan, maxSupply, token } = before;
  if (plan.kind !== "table") throw new Refusal([`${displayPath(path)}: has buckets already`]);
  const buckets = tableBuckets(plan.figures, maxSupply, token.decimals, names);
  const file = JSON.parse(text) as ScheduleFile; // it has no errors
  const edited = fileText(numbered(context, file, { ...file, table: undefined, buckets }, dayText(context.nowMs)));
  const after = scheduleOf(path, edited, context.first);
  replaceRead(path, text, edited);
  const phases = buckets[0]?.phases.length ?? 0;
  const kept = phases === 1 ? "one rule" : `${phases} rules, one for each change of the monthly amount`;
  return [
    changes(before, after),
    "",
    `${displayPath(path)}: written; the same figures as ${kept}. What it costs: the API names ${buckets.map(({ id }) => id).join(" and ")} in every unlock; the table's months are no longer listed one by one.`,
    `Next: npm run schedule -- check${given === undefined ? "" : ` ${displayPath(path)}`}; a revision by: npm run schedule -- revise`,
  ].join("\n");
}
