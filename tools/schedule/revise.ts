import { dayText, parseDay } from "../../src/base/utc.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import { parseSignedAmount } from "../../src/supply/file/amount.ts";
import type { ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { stepIndexOfMonth } from "../../src/supply/file/steps.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { EXIT, Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceFilesIfUnchanged } from "../lib/replace-file.ts";
import { publishedRecordErrors, rewrittenRecord } from "./check.ts";
import { changes } from "./diff.ts";
import { scheduleFileText } from "./file-text.ts";
import { nativePath, readText, type ScheduleContext, scheduleOf, unlockScheduleOf } from "./files.ts";
import { integerFlag } from "./flags.ts";
import { type BucketChange, withAdjustment } from "./revise/adjustment.ts";
import { parseReviseWords, type ReviseFlags, requiredAmount, requiredFlag, reviseUsage } from "./revise/flags.ts";
import { type RevisionTime, withMove } from "./revise/move.ts";
import { type BucketFile, changedPast, revisableBuckets, revisionScope, withAmount, withShift } from "./revise/plan.ts";
import { redenominated, redenominationText } from "./revise/redenominate.ts";
import { withRevisionNumber } from "./revise/revision.ts";
import { withBucket, withLockedBurn } from "./revise/taken.ts";
import { withWallet } from "./revise/wallet.ts";
import { scheduleWarnings } from "./warnings.ts";

const REDENOMINATE = "redenominate";

/** Schedules before and after a revision, with its report. */
export interface RevisionOutcome {
  readonly before: Schedule;
  readonly after: Schedule;
  /** Writes the report, with the given lines about figures on chain. */
  readonly report: (onChain: readonly string[]) => string;
}

/** Applies one change to the schedule file: the smallest change that keeps every published figure. */
export function revise(context: ScheduleContext, args: readonly string[]): RevisionOutcome {
  const { flags, words } = parseReviseWords(args);
  const path = flags.file ?? nativePath(context);
  const text = readText(path);
  const before = scheduleOf(path, text, context.first);
  const time = { nowMs: context.nowMs, day: publishingDay(context, before, flags) };
  const file = JSON.parse(text) as ScheduleFile; // it has no errors
  const [action, subject = "", address = ""] = words;
  const changed =
    action === "wallet" && words.length === 3
      ? withWallet(context, before, file, { action: subject, address, flags })
      : applyAction(before, file, words, flags, time);
  const edited = scheduleFileText(withRevisionNumber(context, path, file, changed, time.day));
  const after = scheduleOf(path, edited, context.first);
  const record = words[0] === REDENOMINATE ? redenominatedRecord(context, path, [before, after], flags) : null;
  if (words[0] !== REDENOMINATE) refusePublishedChanges(context, path, [before, after], flags);
  if (flags["dry-run"] !== true)
    replaceFilesIfUnchanged([{ path, read: text, text: edited }, ...(record?.files ?? [])]);
  const done =
    flags["dry-run"] === true
      ? "not written, because of --dry-run"
      : "written; next: npm run schedule -- check, commit, npm run deploy";
  const warnings = newWarnings(before, after, context.nowMs).map((warning) => `warning: ${warning}`);
  const recorded = record === null || flags["dry-run"] === true ? [] : [record.report];
  const report = (onChain: readonly string[]) =>
    [changes(before, after), ...onChain, "", `${displayPath(path)}: ${done}`, ...recorded, ...warnings].join("\n");
  return { before, after, report };
}

type Revision = readonly [before: Schedule, after: Schedule];

/** Prepares the record anew for a redenomination: the only action that changes every published figure. */
function redenominatedRecord(context: ScheduleContext, path: string, [before, after]: Revision, flags: ReviseFlags) {
  const errors = publishedRecordErrors(context, path, before);
  if (errors.length > 0) throw new Refusal(errors);
  return rewrittenRecord(context, path, after, redenominationText(before, flags));
}

/** Refuses a revision that would change what was published. */
function refusePublishedChanges(
  context: ScheduleContext,
  path: string,
  [before, after]: Revision,
  flags: ReviseFlags,
): void {
  const past = flags.restate === true ? [] : changedPast(before, after, context.nowMs);
  if (past.length > 0) throw new Refusal([...pastChangeLines(past), REWRITES]);
  const errors = publishedRecordErrors(context, path, after);
  if (errors.length > 0) throw new Refusal(errors);
}

/** Warnings of `check` that the change has added. */
function newWarnings(before: Schedule, after: Schedule, nowMs: number): readonly string[] {
  const [was = [], is = []] = [before, after].map((schedule) =>
    scheduleWarnings(schedule, nowMs).map(({ path, message }) => `${path}: ${message}`),
  );
  return is.filter((warning) => !was.includes(warning));
}

const REWRITES =
  "A published month keeps its figure: give a later --from or --month. For a burn or correction that is reported late, give --restate.";

function pastChangeLines(past: readonly string[]): readonly string[] {
  const shown = past.slice(0, 12);
  const more = past.length - shown.length;
  return [
    `this would change ${past.length} published month${past.length === 1 ? "" : "s"}:`,
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
  ];
}

function publishingDay({ nowMs }: ScheduleContext, schedule: Schedule, flags: ReviseFlags): string {
  const day = flags["published-at"] ?? dayText(nowMs);
  if (parseDay(day) === undefined) throw new Refusal([`--published-at: ${day} is not a day as YYYY-MM-DD`]);
  // Readers tell by published_at whether an adjustment changes months that had been served. So a restatement of a month
  // whose step has passed is refused if its date is earlier than that step.
  if (flags.restate !== true) return day;
  const { calendar } = unlockScheduleOf(schedule);
  const index = stepIndexOfMonth(calendar, flags.month ?? "");
  const stepDay = dayText(stepMs(calendar, Math.max(0, index)));
  if (index >= 0 && stepDay <= dayText(nowMs) && day < stepDay)
    throw new Refusal([
      `--published-at: ${day} is before the step of ${flags.month}, ${stepDay}, which --restate changes`,
    ]);
  return day;
}

/** Returns the file with the change that the words ask for. */
function applyAction(
  schedule: Schedule,
  file: ScheduleFile,
  words: readonly string[],
  flags: ReviseFlags,
  time: RevisionTime,
): object {
  const { nowMs, day } = time;
  const [action = "", subject = "", ...more] = words;
  const hasSubject = !["move", REDENOMINATE].includes(action);
  if ((subject !== "") !== hasSubject || more.length > 0) throw new Refusal([reviseUsage()], EXIT.unusable);
  if (action === REDENOMINATE) return redenominated(file, schedule, flags);
  revisableBuckets(schedule);
  const before = unlockScheduleOf(schedule);
  const bucketFile = file as BucketFile; // as the line above has made sure
  const target = () => revisionScope(before, subject, flags, nowMs);
  const months = (): number => {
    const text = requiredFlag(flags, "months");
    if (action === "delay" && text.startsWith("-"))
      throw new Refusal([
        `--months: must be above 0; to unlock earlier: revise forward ${subject} --months ${text.slice(1)}`,
      ]);
    return integerFlag("--months", text, 1, 600);
  };
  const adjusted = (delta: bigint, kind: BucketChange["kind"]): object =>
    withAdjustment(bucketFile, before, { bucket: target().bucket.id, delta, kind }, flags, day);
  switch (action) {
    case "move":
      return withMove(bucketFile, before, flags, time);
    case "delay":
      return withShift(bucketFile, before, target(), months());
    case "forward":
      return withShift(bucketFile, before, target(), -months());
    case "amount":
      return withAmount(bucketFile, before, target(), requiredAmount(before, flags, "monthly"));
    case "bucket":
      return withBucket(
        bucketFile,
        before,
        revisionScope(before, requiredFlag(flags, "of"), {}, nowMs),
        subject,
        flags,
      );
    case "burn": {
      const amount = requiredAmount(before, flags, "amount");
      if (flags.locked !== true) return adjusted(-amount, "burn");
      return withLockedBurn(bucketFile, before, target(), amount, requiredFlag(flags, "source"));
    }
    case "buyback":
      return adjusted(-requiredAmount(before, flags, "amount"), "buyback");
    // correct
    default: {
      const delta = parseSignedAmount(requiredFlag(flags, "delta"), before.token.decimals) ?? 0n;
      if (delta === 0n) throw new Refusal([`--delta: must be an amount such as -1250.5 or 20, not ${flags.delta}`]);
      return adjusted(delta, "correction");
    }
  }
}
