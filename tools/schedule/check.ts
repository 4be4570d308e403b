import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AddressFile } from "../../src/addresses/registered-address.ts";
import { dayText } from "../../src/base/utc.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import { allSteps } from "../../src/supply/circulating.ts";
import { scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import { hasUnlocks, type Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../lib/command-line.ts";
import { counted } from "../lib/counted.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceFilesIfUnchanged } from "../lib/replace-file.ts";
import { addressesPath, readAddresses } from "./addresses.ts";
import { examplePaths, nativePath, parseFile, readSchedule, readText, type ScheduleContext } from "./files.ts";
import {
  changedContentError,
  changedMonths,
  parsePublished,
  parseRevision,
  publishedErrors,
  publishedRevision,
  revisionErrors,
  withPassedSteps,
} from "./published.ts";
import { type CheckedMapping, mappingPath, readRatesMapping } from "./rates.ts";
import { placeholderSources, scheduleWarnings } from "./warnings.ts";

/** Checks one file; without a file, the bundled schedule, its published past and every example. */
export function checkFiles(context: ScheduleContext, file: string | undefined): string {
  const paths = file === undefined ? [nativePath(context), ...examplePaths(context)] : [file];
  const errors = paths.flatMap((path) => errorsIn(context, path));
  if (errors.length > 0) throw new Refusal(errors);
  const addresses = file === undefined ? readAddresses(context.folder) : null;
  const mapping = file === undefined ? readRatesMapping(context.folder) : null;
  const open =
    file === undefined && existsSync(intentPath(context))
      ? [`warning: ${displayPath(intentPath(context))}: ${OPEN_DEPLOYMENT}`]
      : [];
  return paths
    .flatMap((path) => {
      const schedule = readSchedule(path, context.first);
      // Examples are other networks' schedules, so warnings about them would ask for nothing that we can do.
      const found =
        file === undefined && path !== nativePath(context)
          ? []
          : scheduleWarnings(schedule, context.nowMs, context.first);
      const warnings = found.map((warning) => `warning: ${scheduleErrorText(displayPath(path), warning)}`);
      return [`${displayPath(path)}: valid, ${summary(schedule)}`, ...warnings];
    })
    .concat(
      addresses === null
        ? []
        : [`${displayPath(addressesPath(context.folder))}: valid, ${addressesSummary(addresses)}`],
    )
    .concat(mapping === null ? [] : mappingLines(displayPath(mappingPath(context.folder)), mapping))
    .concat(open)
    .join("\n");
}

/** Describes a schedule that {@link checkFiles} accepts, for programs. */
export function checkedFile(context: ScheduleContext, path: string) {
  const schedule = readSchedule(path, context.first);
  const { token, revision } = schedule;
  const days = allSteps(schedule).map(({ effectiveFromMs }) => dayText(effectiveFromMs));
  const warnings = scheduleWarnings(schedule, context.nowMs, context.first);
  return {
    file: displayPath(path),
    symbol: token.symbol,
    revision,
    // A file of wallets alone has no rows.
    rows: days.length,
    first_day: days.at(0) ?? null,
    last_day: days.at(-1) ?? null,
    warnings: warnings.map((warning) => scheduleErrorText(displayPath(path), warning)),
  };
}

function addressesSummary({ entries }: AddressFile): string {
  const paths = new Set(entries.map(({ path }) => path)).size;
  return `${counted(entries.length, "registered address", "registered addresses")} on ${counted(paths, "path")}`;
}

function mappingLines(path: string, { products, dropped }: CheckedMapping): string[] {
  const warnings = dropped.map((line) => `warning: ${path}: of the recorded answer ${line}`);
  return [`${path}: valid, ${counted(products.length, "product")} in the recorded answer`, ...warnings];
}

function errorsIn(context: ScheduleContext, path: string): readonly string[] {
  const result = parseFile(path, context.first);
  if (result.kind === "errors") return result.errors.map((error) => scheduleErrorText(displayPath(path), error));
  return publishedRecordErrors(context, path, result.schedule);
}

/** Contradictions between a schedule and the record of the published past. Only the bundled file has a record. */
export function publishedRecordErrors(context: ScheduleContext, path: string, schedule: Schedule): readonly string[] {
  return resolve(path) === resolve(nativePath(context)) ? publishedPastErrors(context, schedule) : [];
}

function summary(schedule: Schedule): string {
  const { token, revision } = schedule;
  if (!hasUnlocks(schedule))
    return `${token.symbol} revision ${revision}, ${counted(schedule.wallets.length, "wallet")} alone`;
  const { lastIndex, calendar } = schedule;
  const [first, last] = [stepMs(calendar, 0), stepMs(calendar, lastIndex)].map(dayText);
  return `${token.symbol} revision ${revision}, ${counted(lastIndex + 1, "row")} from ${first} to ${last}`;
}

function publishedPastErrors(context: ScheduleContext, schedule: Schedule): string[] {
  const { rowsText, revisionText, lost } = recordOf(context);
  const [rowsPath, lastPath] = [publishedPath(context), revisionPath(context)].map(displayPath);
  if (lost.length > 0) return [`${lost[0]}: is missing. The last commit has it: git checkout -- ${lost.join(" ")}`];
  if (isReplacedSample(schedule, revisionText))
    return [`${rowsPath}: records the sample data, not this schedule. Replace it: npm run schedule -- publish`];
  if (parseRevision(revisionText ?? "")?.served === false) return [];
  if (rowsText === undefined)
    return revisionText === undefined
      ? []
      : [`${rowsPath}: is missing, although ${lastPath} says that publish wrote it`];
  const { rows, errors } = parsePublished(rowsText);
  const past = [...errors, ...publishedErrors(schedule, rows)].map((error) => scheduleErrorText(`${rowsPath}`, error));
  const revision = revisionText === undefined ? [] : revisionErrors(schedule, rowsText, revisionText);
  return [...shortened(past), ...revision.map((error) => scheduleErrorText(`${lastPath}`, error))];
}

interface PublishedRecord {
  readonly rowsText: string | undefined;
  readonly revisionText: string | undefined;
  /** Record files that the last commit has and the folder lacks. A record that no deployment served may be missing. */
  readonly lost: readonly string[];
}

function recordOf(context: ScheduleContext): PublishedRecord {
  const paths = recordPaths(context);
  const [rowsText, revisionText] = paths.map((path) => (existsSync(path) ? readText(path) : undefined));
  const missing = paths.filter((path) => !existsSync(path) && textAtHead(context, basename(path)) !== undefined);
  if (missing.length === 0 || parseRevision(revisionText ?? "")?.served === false)
    return { rowsText, revisionText, lost: [] };
  const last = parseRevision(revisionText ?? textAtHead(context, "published.json") ?? "");
  return { rowsText, revisionText, lost: last?.sample === true ? [] : missing.map(displayPath) };
}

/** Text of a file in the last commit; undefined when the commit lacks it, or outside a repository. */
function textAtHead({ folder }: ScheduleContext, name: string): string | undefined {
  const { status, stdout } = spawnSync("git", ["show", `HEAD:./${name}`], { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

function isReplacedSample(schedule: Schedule, revisionText: string | undefined): boolean {
  return !schedule.sample && parseRevision(revisionText ?? "")?.sample === true;
}

const MAX_LINES = 10;

/** Cuts a list of errors to ten lines: a wrong start makes every row wrong, and ten show it. */
export function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MAX_LINES), `... and ${more} more`];
}

/** Reason and circumstances of writing the record. */
interface PublishOptions {
  /** Reason for changing recorded months; published.json keeps it. */
  readonly because?: string | undefined;
  /** Whether a deployment serves, or has served, these figures. Until then the record may be written anew. */
  readonly isServed?: boolean | undefined;
}

/**
 * Appends the steps that have passed to the published past. A served month that would be dropped or changed is refused,
 * unless `because` says why. Then the past is recorded anew, and the record keeps the reason.
 */
export function publish(context: ScheduleContext, publishing: PublishOptions = {}): string {
  refuseOpenDeployment(context);
  const { report, files } = preparePublication(context, publishing);
  replaceFilesIfUnchanged(files.map(({ path, read, text }) => ({ path, read, text })));
  return report;
}

/**
 * Prepares the record anew, to be written together with `schedule`; null where no recorded month contradicts the
 * schedule.
 */
export function rewrittenRecord(
  context: ScheduleContext,
  path: string,
  schedule: Schedule,
  because: string,
): RecordUpdate | null {
  if (publishedRecordErrors(context, path, schedule).length === 0) return null;
  refuseOpenDeployment(context);
  return preparePublication(context, { because }, schedule);
}

function refuseOpenDeployment(context: ScheduleContext): void {
  if (existsSync(intentPath(context))) throw new Refusal([`${displayPath(intentPath(context))}: ${OPEN_DEPLOYMENT}`]);
}

/** Prepares the texts that {@link publish} writes, and its report. Writes nothing. */
export function preparePublication(
  context: ScheduleContext,
  { because, isServed = false }: PublishOptions = {},
  schedule = readSchedule(nativePath(context), context.first),
): RecordUpdate {
  const placeholders = schedule.sample ? [] : placeholderSources(schedule);
  if (placeholders.length > 0)
    throw new Refusal(placeholders.map((error) => scheduleErrorText(displayPath(nativePath(context)), error)));
  const errors = publishedPastErrors(context, schedule);
  const { rowsText, revisionText } = recordOf(context);
  const last = parseRevision(revisionText ?? "");
  const isSample = isReplacedSample(schedule, revisionText);
  const startsAnew = isSample || last?.served === false;
  if (errors.length > 0 && because === undefined && !startsAnew) throw new Refusal([...errors, ON_PURPOSE]);
  // A revision that no deployment serves yet must not be recorded here: the deployment that serves it records its
  // months.
  const isAhead = last !== undefined && !startsAnew && schedule.revision > last.revision;
  if (isAhead && !isServed && because === undefined)
    return {
      report: `${displayPath(revisionPath(context))}: still records revision ${last.revision}, which was served; revision ${schedule.revision} is recorded by the deployment that serves it; next: npm run deploy`,
      files: [],
    };
  const isRewritten = because !== undefined && errors.length > 0;
  const { text, added } = withPassedSteps(schedule, startsAnew || isRewritten ? undefined : rowsText, context.nowMs);
  const before = startsAnew || rowsText === undefined ? [] : parsePublished(rowsText).rows;
  const months = isRewritten ? changedMonths(before, parsePublished(text).rows) : [];
  const rewriting = isRewritten ? [{ at: dayText(context.nowMs), because, months }] : [];
  const rewritten = [...(startsAnew ? [] : (last?.rewritten ?? [])), ...rewriting];
  const unraised = isRewritten && last?.symbol === schedule.token.symbol && schedule.revision <= last.revision;
  if (unraised && publishedRevision(schedule, text, []).sha256 !== last.sha256)
    throw new Refusal([scheduleErrorText(displayPath(revisionPath(context)), changedContentError(last.revision))]);
  const isBinding = isServed || (rowsText !== undefined && !startsAnew);
  const revision = { ...publishedRevision(schedule, text, rewritten), ...(isBinding ? {} : { served: false }) };
  const files = [
    { path: publishedPath(context), read: rowsText, text },
    { path: revisionPath(context), read: revisionText, text: `${JSON.stringify(revision, null, 2)}\n` },
  ];
  const path = displayPath(publishedPath(context));
  const past = isBinding ? "" : "; it may still change freely until a deployment serves it";
  const report = () => {
    if (isRewritten) return [`${path}: recorded again, because ${because}; ${COMMIT}`, ...shortened(months)].join("\n");
    if (isSample) return `${path}: the sample's record is replaced, ${added} published${past}; ${COMMIT}`;
    if (startsAnew && text !== rowsText) return `${path}: written anew, ${added} published${past}; ${COMMIT}`;
    return added === 0 || text === rowsText
      ? `${path}: nothing new has passed`
      : `${path}: ${added} more published${past}; ${COMMIT}`;
  };
  return { report: report(), files };
}

/** Files of the record with their new texts, each with the text that it was derived from. */
export interface RecordUpdate {
  readonly report: string;
  readonly files: readonly { readonly path: string; readonly read: string | undefined; readonly text: string }[];
}

const COMMIT = "commit it; next: npm run deploy";

const ON_PURPOSE =
  "Recorded months must stay as they were served. To replace them on purpose: npm run schedule -- publish --because REASON. published.json keeps the reason.";

const OPEN_DEPLOYMENT =
  "a deployment is running, or stopped before it recorded its result: wait for it, or run npm run deploy, which asks the platform which version serves";

/** File in which a deployment states, before it serves, what it will record once it serves. */
export function intentPath(context: ScheduleContext): string {
  return join(context.folder, "published.intent.json");
}

/** Files that {@link publish} writes: the rows, then the revision. */
export function recordPaths(context: ScheduleContext): readonly string[] {
  return [publishedPath(context), revisionPath(context)];
}

function revisionPath(context: ScheduleContext): string {
  return join(context.folder, "published.json");
}

function publishedPath(context: ScheduleContext): string {
  return join(context.folder, "published.csv");
}
