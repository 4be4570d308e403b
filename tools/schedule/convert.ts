import { scheduleErrorText } from "../../schedule-format/schedule-result.ts";
import { dayText } from "../../src/base/utc.ts";
import { Refusal } from "../command-line.ts";
import { replaceRead } from "../replace-file.ts";
import { changes } from "./diff.ts";
import { displayPath, nativePath, parseText, readSchedule, readText, type ScheduleContext } from "./files.ts";
import { withReplaced } from "./revise/edit.ts";
import { withRevision } from "./revise/revision.ts";
import { type TableNames, tableBuckets } from "./table.ts";

export const CONVERT_USAGE =
  "convert [FILE] [--id unlocking] [--label TEXT] [--rest reserve]    a table becomes a bucket, which revise knows, and a rest that never unlocks";

/** Rewrites a file's table as buckets, which is a revision; every figure stays. */
export function convert(context: ScheduleContext, file: string | undefined, names: TableNames): string {
  const path = file ?? nativePath(context);
  const text = readText(path);
  const before = readSchedule(path);
  const { plan, maxSupply, token } = before;
  if (plan.kind !== "table") throw new Refusal([`${displayPath(path)}: has buckets already`]);
  const buckets = tableBuckets(plan.figures, maxSupply, token.decimals, names);
  const replaced = withReplaced(text, "table", "buckets", buckets);
  const edited = withRevision(context, replaced, before, dayText(context.nowMs));
  const result = parseText(path, edited);
  if (result.kind === "errors")
    throw new Refusal(result.errors.map((error) => scheduleErrorText(displayPath(path), error)));
  replaceRead(path, text, edited);
  const phases = buckets[0]?.phases.length ?? 0;
  const kept = phases === 1 ? "one rule" : `${phases} rules, one for each change of the monthly amount`;
  return [
    changes(before, result.schedule),
    "",
    `${displayPath(path)}: written; the same figures as ${kept}. What it costs: the API names ${buckets.map(({ id }) => id).join(" and ")} in every unlock; the table's months are no longer listed one by one.`,
    `Next: npm run schedule -- check${file === undefined ? "" : ` ${displayPath(path)}`}; a revision by: npm run schedule -- revise`,
  ].join("\n");
}
