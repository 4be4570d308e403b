import { parseSignedAmount } from "../../schedule-format/amount.ts";
import { stepIndexOfMonth } from "../../schedule-format/calendar.ts";
import { scheduleErrorText } from "../../schedule-format/schedule-result.ts";
import { dayText, parseDay } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { parseWords, Refusal } from "../command-line.ts";
import { replaceRead } from "../replace-file.ts";
import { recordErrors } from "./check.ts";
import { changes } from "./diff.ts";
import { displayPath, nativePath, parseText, readText, type ScheduleContext } from "./files.ts";
import { wholeFlag } from "./flags.ts";
import { withAppended } from "./revise/edit.ts";
import {
  needed,
  positive,
  REVISE_OPTIONS,
  type ReviseFlags,
  refuseOthers,
  scheduleMonth,
  usage,
} from "./revise/flags.ts";
import { changedPast, targetOf, withAmount, withDelay } from "./revise/plan.ts";
import { withRevision } from "./revise/revision.ts";
import { withBucket, withLockedBurn } from "./revise/taken.ts";
import { withWallet } from "./revise/wallet.ts";

/** Applies one change to the schedule file: the smallest that keeps every published figure. */
export function revise(context: ScheduleContext, args: readonly string[]): string {
  const { values: flags, positionals } = parseWords(usage(), {
    // A negative amount looks like an option to the parser.
    args: args.flatMap((word, index) =>
      args[index - 1] === "--delta" ? [] : word === "--delta" ? [`--delta=${args[index + 1] ?? ""}`] : [word],
    ),
    options: REVISE_OPTIONS,
    allowPositionals: true,
  });
  const path = flags.file ?? nativePath(context);
  const text = readText(path);
  const before = scheduleOf(path, text);
  const time = { nowMs: context.nowMs, day: publishingDay(context, before, flags) };
  const edited = withRevision(context, changed(before, text, positionals, flags, time), before, time.day);
  const after = scheduleOf(path, edited);
  const past = flags.restate === true ? [] : changedPast(before, after, context.nowMs);
  if (past.length > 0) throw new Refusal([...rewritten(past), REWRITES]);
  const errors = recordErrors(context, path, after);
  if (errors.length > 0) throw new Refusal(errors);
  if (flags["dry-run"] !== true) replaceRead(path, text, edited);
  const done =
    flags["dry-run"] === true
      ? "not written, because of --dry-run"
      : "written; next: npm run schedule -- check, commit, npm run deploy";
  return [changes(before, after), "", `${displayPath(path)}: ${done}`].join("\n");
}

const REWRITES =
  "A published month keeps its figure: give a later --from or --month, or, for a burn or correction that is reported late, --restate.";

function rewritten(past: readonly string[]): readonly string[] {
  const shown = past.slice(0, 12);
  const more = past.length - shown.length;
  return [
    `this would change ${past.length} published month${past.length === 1 ? "" : "s"}:`,
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
  ];
}

function scheduleOf(path: string, text: string): Schedule {
  const result = parseText(path, text);
  if (result.kind === "schedule") return result.schedule;
  throw new Refusal(result.errors.map((error) => scheduleErrorText(displayPath(path), error)));
}

function publishingDay({ nowMs }: ScheduleContext, { calendar }: Schedule, flags: ReviseFlags): string {
  const day = flags["published-at"] ?? dayText(nowMs);
  if (parseDay(day) === undefined) throw new Refusal([`--published-at: ${day} is not a day as YYYY-MM-DD`]);
  // By this day readers tell whether an adjustment changes months that had been served.
  const index = flags.restate === true ? stepIndexOfMonth(calendar, flags.month ?? "") : -1;
  const stepDay = dayText(stepMs(calendar, Math.max(0, index)));
  if (index >= 0 && stepDay <= dayText(nowMs) && day < stepDay)
    throw new Refusal([
      `--published-at: ${day} is before the step of ${flags.month}, ${stepDay}, which --restate changes`,
    ]);
  return day;
}

function changed(
  before: Schedule,
  text: string,
  words: readonly string[],
  flags: ReviseFlags,
  { nowMs, day }: { readonly nowMs: number; readonly day: string },
): string {
  const [action = "", subject = "", ...more] = words;
  refuseOthers(action === "wallet" ? `wallet ${subject}` : action, flags);
  if (action === "wallet" && more.length === 1) return withWallet(before, text, subject, more[0] ?? "", flags);
  if (subject === "" || more.length > 0) throw new Refusal([usage()]);
  const target = () => targetOf(before, subject, flags, nowMs);
  switch (action) {
    case "delay":
      return withDelay(text, before, target(), wholeFlag("--months", needed(flags, "months"), 1, 600));
    case "amount":
      return withAmount(text, before, target(), positive(before, flags, "monthly"));
    case "bucket":
      return withBucket(text, before, targetOf(before, needed(flags, "of"), {}, nowMs), subject, flags);
    case "burn": {
      const amount = positive(before, flags, "amount");
      if (flags.locked === true) return withLockedBurn(text, before, target(), amount, needed(flags, "source"));
      return withAdjustment(day, text, before, target().bucket.id, -amount, "burn", flags);
    }
    case "correct": {
      const delta = parseSignedAmount(needed(flags, "delta"), before.token.decimals) ?? 0n;
      if (delta === 0n) throw new Refusal([`--delta: must be an amount such as -1250.5 or 20, not ${flags.delta}`]);
      return withAdjustment(day, text, before, target().bucket.id, delta, "correction", flags);
    }
    default:
      throw new Refusal([`${action} is no revision`, usage()]);
  }
}

function withAdjustment(
  day: string,
  text: string,
  before: Schedule,
  bucket: string,
  delta: bigint,
  kind: "burn" | "correction",
  flags: ReviseFlags,
): string {
  const entry = {
    month: scheduleMonth(before, flags, "month"),
    bucket,
    delta: tokenText(delta, before.token.decimals),
    kind,
    source: needed(flags, "source"),
    published_at: day,
  };
  return withAppended(text, ["adjustments"], entry);
}
