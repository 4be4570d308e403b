import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AddressFile } from "../../src/addresses/registered-address.ts";
import { dayText } from "../../src/base/utc.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import { scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceReads } from "../lib/replace-file.ts";
import { addressesPath, readAddresses } from "./addresses.ts";
import { examplePaths, nativePath, parseFile, readSchedule, readText, type ScheduleContext } from "./files.ts";
import {
  changedMonths,
  otherContent,
  parsePublished,
  parseRevision,
  publishedErrors,
  publishedRevision,
  revisionErrors,
  withPublished,
} from "./published.ts";
import { placeholderSources, scheduleWarnings } from "./warnings.ts";

/** Without a file: the bundled schedule, its published past and every example. */
export function check(context: ScheduleContext, file: string | undefined): string {
  const paths = file === undefined ? [nativePath(context), ...examplePaths(context)] : [file];
  const errors = paths.flatMap((path) => errorsIn(context, path));
  if (errors.length > 0) throw new Refusal(errors);
  const addresses = file === undefined ? readAddresses(context.folder) : null;
  const open =
    file === undefined && existsSync(intentPath(context))
      ? [`warning: ${displayPath(intentPath(context))}: ${OPEN_DEPLOYMENT}`]
      : [];
  return paths
    .flatMap((path) => {
      const schedule = readSchedule(path, context.first);
      // An example's oddities are its network's own.
      const found =
        file === undefined && path !== nativePath(context)
          ? []
          : scheduleWarnings(schedule, context.nowMs, context.first);
      const warnings = found.map((warning) => `warning: ${scheduleErrorText(displayPath(path), warning)}`);
      return [`${displayPath(path)}: valid, ${summary(schedule)}`, ...warnings];
    })
    .concat(addresses === null ? [] : [`${displayPath(addressesPath(context.folder))}: valid, ${counted(addresses)}`])
    .concat(open)
    .join("\n");
}

function counted({ entries }: AddressFile): string {
  const paths = new Set(entries.map(({ path }) => path)).size;
  return `${entries.length} registered ${entries.length === 1 ? "address" : "addresses"} on ${paths} ${paths === 1 ? "path" : "paths"}`;
}

function errorsIn(context: ScheduleContext, path: string): readonly string[] {
  const result = parseFile(path, context.first);
  if (result.kind === "errors") return result.errors.map((error) => scheduleErrorText(displayPath(path), error));
  return recordErrors(context, path, result.schedule);
}

/** What the record of the published past has against a schedule; only the bundled file has a record. */
export function recordErrors(context: ScheduleContext, path: string, schedule: Schedule): readonly string[] {
  return resolve(path) === resolve(nativePath(context)) ? publishedPastErrors(context, schedule) : [];
}

function summary({ token, revision, lastIndex, calendar }: Schedule): string {
  const [first, last] = [stepMs(calendar, 0), stepMs(calendar, lastIndex)].map(dayText);
  return `${token.symbol} revision ${revision}, ${lastIndex + 1} rows from ${first} to ${last}`;
}

function publishedPastErrors(context: ScheduleContext, schedule: Schedule): string[] {
  const { rowsText, revisionText, lost } = recordOf(context);
  const [rowsPath, lastPath] = [publishedPath(context), revisionPath(context)].map(displayPath);
  if (lost.length > 0) return [`${lost[0]}: is missing, and git has it: git checkout -- ${lost.join(" ")}`];
  if (isReplacedSample(schedule, revisionText))
    return [`${rowsPath}: records the figures of the sample data, which yours replace: npm run schedule -- publish`];
  if (parseRevision(revisionText ?? "")?.served === false) return [];
  if (rowsText === undefined)
    return revisionText === undefined ? [] : [`${rowsPath}: is missing; ${lastPath} says that publish wrote it`];
  const { rows, errors } = parsePublished(rowsText);
  const past = [...errors, ...publishedErrors(schedule, rows)].map((error) => scheduleErrorText(`${rowsPath}`, error));
  const revision = revisionText === undefined ? [] : revisionErrors(schedule, rowsText, revisionText);
  return [...shortened(past), ...revision.map((error) => scheduleErrorText(`${lastPath}`, error))];
}

interface PublishedRecord {
  readonly rowsText: string | undefined;
  readonly revisionText: string | undefined;
  /** The files that are gone although the last commit has them; a record that binds nobody is not missed. */
  readonly lost: readonly string[];
}

function recordOf(context: ScheduleContext): PublishedRecord {
  const paths = recordPaths(context);
  const [rowsText, revisionText] = paths.map((path) => (existsSync(path) ? readText(path) : undefined));
  const gone = paths.filter((path) => !existsSync(path) && committed(context, basename(path)) !== undefined);
  if (gone.length === 0 || parseRevision(revisionText ?? "")?.served === false)
    return { rowsText, revisionText, lost: [] };
  const last = parseRevision(revisionText ?? committed(context, "published.json") ?? "");
  return { rowsText, revisionText, lost: last?.sample === true ? [] : gone.map(displayPath) };
}

/** A file of this folder as the last commit has it; undefined without one, or outside a repository. */
function committed({ folder }: ScheduleContext, name: string): string | undefined {
  const { status, stdout } = spawnSync("git", ["show", `HEAD:./${name}`], { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

function isReplacedSample(schedule: Schedule, revisionText: string | undefined): boolean {
  return !schedule.sample && parseRevision(revisionText ?? "")?.sample === true;
}

const MAX_LINES = 10;

/** A wrong start makes every row wrong: ten lines are enough. */
export function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MAX_LINES), `... and ${more} more`];
}

/** Why a record is written. */
interface Publishing {
  /** Why recorded months change; the record keeps it. */
  readonly because?: string | undefined;
  /** A deployment serves, or has served, these figures. Until then a record binds nobody and is written anew. */
  readonly isServed?: boolean | undefined;
}

/**
 * Appends the steps that have passed to the published past. Refuses when a recorded month that was served would be
 * dropped or changed, unless `because` says why: then the past is recorded anew, and the record keeps the reason.
 */
export function publish(context: ScheduleContext, publishing: Publishing = {}): string {
  refuseOpenDeployment(context);
  const { report, files } = publication(context, publishing);
  replaceReads(files.map(({ path, read, text }) => ({ path, read, text })));
  return report;
}

/** The record anew, for a schedule that is written with it; null where no recorded month contradicts the schedule. */
export function rewriting(
  context: ScheduleContext,
  path: string,
  schedule: Schedule,
  because: string,
): Published | null {
  if (recordErrors(context, path, schedule).length === 0) return null;
  refuseOpenDeployment(context);
  return publication(context, { because }, schedule);
}

function refuseOpenDeployment(context: ScheduleContext): void {
  if (existsSync(intentPath(context))) throw new Refusal([`${displayPath(intentPath(context))}: ${OPEN_DEPLOYMENT}`]);
}

/** The texts that {@link publish} writes, and its report. Nothing is written. */
export function publication(
  context: ScheduleContext,
  { because, isServed = false }: Publishing = {},
  schedule = readSchedule(nativePath(context), context.first),
): Published {
  const placeholders = schedule.sample ? [] : placeholderSources(schedule);
  if (placeholders.length > 0)
    throw new Refusal(placeholders.map((error) => scheduleErrorText(displayPath(nativePath(context)), error)));
  const errors = publishedPastErrors(context, schedule);
  const { rowsText, revisionText } = recordOf(context);
  const last = parseRevision(revisionText ?? "");
  const isSample = isReplacedSample(schedule, revisionText);
  const startsAnew = isSample || last?.served === false;
  if (errors.length > 0 && because === undefined && !startsAnew) throw new Refusal([...errors, ON_PURPOSE]);
  // What a revision makes of the months that pass is published by the deployment that serves it.
  const isAhead = last !== undefined && !startsAnew && schedule.revision > last.revision;
  if (isAhead && !isServed && because === undefined)
    return {
      report: `${displayPath(revisionPath(context))}: revision ${last.revision} is what was served; the deployment that serves revision ${schedule.revision} records it; next: npm run deploy`,
      files: [],
    };
  const isRewritten = because !== undefined && errors.length > 0;
  const { text, added } = withPublished(schedule, startsAnew || isRewritten ? undefined : rowsText, context.nowMs);
  const before = startsAnew || rowsText === undefined ? [] : parsePublished(rowsText).rows;
  const months = isRewritten ? changedMonths(before, parsePublished(text).rows) : [];
  const rewriting = isRewritten ? [{ at: dayText(context.nowMs), because, months }] : [];
  const rewritten = [...(startsAnew ? [] : (last?.rewritten ?? [])), ...rewriting];
  const unraised = isRewritten && last?.symbol === schedule.token.symbol && schedule.revision <= last.revision;
  if (unraised && publishedRevision(schedule, text, []).sha256 !== last.sha256)
    throw new Refusal([scheduleErrorText(displayPath(revisionPath(context)), otherContent(last.revision))]);
  const binds = isServed || (rowsText !== undefined && !startsAnew);
  const revision = { ...publishedRevision(schedule, text, rewritten), ...(binds ? {} : { served: false }) };
  const files = [
    { path: publishedPath(context), read: rowsText, text },
    { path: revisionPath(context), read: revisionText, text: `${JSON.stringify(revision, null, 2)}\n` },
  ];
  const path = displayPath(publishedPath(context));
  const past = binds ? "" : "; changes stay free until a deployment serves it";
  const report = () => {
    if (isRewritten) return [`${path}: recorded anew, because ${because}; ${COMMIT}`, ...shortened(months)].join("\n");
    if (isSample) return `${path}: the sample's record is replaced, ${added} published${past}; ${COMMIT}`;
    if (startsAnew && text !== rowsText) return `${path}: written anew, ${added} published${past}; ${COMMIT}`;
    return added === 0 || text === rowsText
      ? `${path}: nothing new has passed`
      : `${path}: ${added} more published${past}; ${COMMIT}`;
  };
  return { report: report(), files };
}

/** What is written into the record, and from which text. */
export interface Published {
  readonly report: string;
  readonly files: readonly { readonly path: string; readonly read: string | undefined; readonly text: string }[];
}

const COMMIT = "commit it; next: npm run deploy";

const ON_PURPOSE =
  "Recorded months stay as they were served. To replace them on purpose: npm run schedule -- publish --because REASON, which published.json keeps.";

const OPEN_DEPLOYMENT =
  "a deployment runs, or was ended before its last word: wait for it, or npm run deploy, which asks the platform what serves";

/** Where a deployment says what it records once it serves. */
export function intentPath(context: ScheduleContext): string {
  return join(context.folder, "published.intent.json");
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
