import { createHash } from "node:crypto";
import type { FileError } from "../../src/base/file/file-errors.ts";
import { instantText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText, wholeTokens } from "../../src/chain/amount.ts";
import { stepMs } from "../../src/supply/calendar.ts";
import { allSteps, type SupplyStep } from "../../src/supply/circulating.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "../../src/supply/schedule.ts";

const OTHER_SCHEDULE =
  "restore the schedule that was served. If its figures were never served: npm run schedule -- publish --because REASON";

const TABLE_REMEDY =
  "restore the month, then run npm run schedule -- convert and npm run schedule -- revise correct, which records the source";

/** Figure that was served; a later revision may change it only by an adjustment. */
export interface PublishedRow {
  readonly effectiveFrom: string;
  readonly baseUnits: BaseUnits;
  readonly maxSupply: string;
  readonly decimals: string;
}

const HEADER = "effective_from,circulating,circulating_base_units,max_supply,decimals";
const ROW = /^(\d{4}-\d\d-\d\dT00:00:00Z),(\d+),(\d+),(\d+(?:\.\d+)?),(\d+)$/;

/** Parses published.csv; returns errors by line. */
export function parsePublished(text: string): {
  readonly rows: readonly PublishedRow[];
  readonly errors: readonly FileError[];
} {
  const [header, ...lines] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (header !== HEADER) return { rows: [], errors: [{ path: "line 1", message: `must be ${HEADER}` }] };
  const errors: FileError[] = [];
  const rows: PublishedRow[] = [];
  lines.forEach((line, index) => {
    const [, effectiveFrom, whole, units, maxSupply, decimals] = ROW.exec(line) ?? [];
    const path = `line ${index + 2}`;
    if (effectiveFrom === undefined || units === undefined || maxSupply === undefined || decimals === undefined)
      errors.push({ path, message: "is not a row of figures" });
    else if (whole !== wholeTokens(BigInt(units), Number(decimals)))
      errors.push({ path, message: `circulating ${whole} is not the whole tokens of ${units} base units` });
    else if (effectiveFrom <= (rows.at(-1)?.effectiveFrom ?? "")) errors.push({ path, message: "is out of order" });
    else rows.push({ effectiveFrom, baseUnits: BigInt(units), maxSupply, decimals });
  });
  return { rows: rows, errors };
}

/** Contradictions between a schedule and the published past. */
export function publishedErrors(schedule: Schedule, published: readonly PublishedRow[]): FileError[] {
  if (!hasUnlocks(schedule)) return published.length === 0 ? [] : [unlocksBefore(published)];
  const foreign = otherSchedule(schedule, published);
  if (foreign !== undefined) return [foreign];
  const now = stepsUntil(schedule, published.at(-1)?.effectiveFrom);
  const { token, maxSupply: maximum, plan } = schedule;
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  const changes = published.flatMap(({ effectiveFrom, baseUnits, maxSupply, decimals }): FileError[] => {
    const row = now.get(effectiveFrom);
    const error = (message: string) => [{ path: effectiveFrom, message }];
    if (decimals !== String(token.decimals))
      return error(`was published with ${decimals} decimals, now ${token.decimals}`);
    if (maxSupply !== text(maximum)) return error(`was published with max_supply ${maxSupply}, now ${text(maximum)}`);
    if (row === undefined) return error("was published, but the schedule has no step there any more");
    if (row.circulating === baseUnits) return [];
    if (isExplained(schedule, row, baseUnits)) return changedBefore(schedule, effectiveFrom);
    const remedy = plan.kind === "table" ? `; ${TABLE_REMEDY}` : "";
    const figures = `was published as ${text(baseUnits)}, now ${text(row.circulating)}`;
    return error(`${figures}, and no adjustment explains the difference${remedy}`);
  });
  return [...changes, ...gaps([...now.keys()], published)];
}

/** A file of wallets alone has no months to record. */
function unlocksBefore(published: readonly PublishedRow[]): FileError {
  return {
    path: "",
    message: `records the ${published.length} months of an unlock schedule, and the schedule file lists wallets alone: ${OTHER_SCHEDULE}`,
  };
}

/**
 * Requires `published_at` to be the day of the change or later. `Last-Modified` of a changed month depends on it
 * (src/supply/validity.ts).
 */
function changedBefore({ publishedAt }: Schedule, effectiveFrom: string): FileError[] {
  if (publishedAt >= effectiveFrom.slice(0, "YYYY-MM-DD".length)) return [];
  const message = `was served before an adjustment changed it, but published_at is ${publishedAt}: set it to the day of the deployment`;
  return [{ path: effectiveFrom, message }];
}

/**
 * All steps by their instant. Where the plan now ends earlier than before, its last figure is repeated up to `instant`.
 */
function stepsUntil(schedule: UnlockSchedule, instant = ""): ReadonlyMap<string, SupplyStep> {
  const steps = [...allSteps(schedule)];
  const last = steps.at(-1);
  for (let index = schedule.lastIndex + 1; last !== undefined; index += 1) {
    const effectiveFromMs = stepMs(schedule.calendar, index);
    if (instantText(effectiveFromMs) > instant) break;
    steps.push({ ...last, index, effectiveFromMs });
  }
  return new Map(steps.map((row) => [instantText(row.effectiveFromMs), row]));
}

/** Returns one error, instead of one per row, when the published past belongs to another schedule. */
function otherSchedule(schedule: UnlockSchedule, published: readonly PublishedRow[]): FileError | undefined {
  const last = published.at(-1);
  if (last === undefined) return undefined;
  const { maxSupply, token } = schedule;
  const steps = new Set(allSteps(schedule).map((row) => instantText(row.effectiveFromMs)));
  const [maximum, decimals] = [tokenText(maxSupply, token.decimals), String(token.decimals)];
  const isOurs = published.some(
    (row) => steps.has(row.effectiveFrom) && (row.maxSupply === maximum || row.decimals === decimals),
  );
  if (isOurs) return undefined;
  const which = `${published.length} rows to ${last.effectiveFrom.slice(0, 10)}, max_supply ${last.maxSupply}, ${last.decimals} decimals`;
  return { path: "", message: `records another schedule (${which}): ${OTHER_SCHEDULE}` };
}

/** Finds steps that the record lacks. Steps are recorded in order, so a gap means that a row was removed. */
function gaps(steps: readonly string[], published: readonly PublishedRow[]): FileError[] {
  const recorded = new Set(published.map(({ effectiveFrom }) => effectiveFrom));
  const last = published.at(-1)?.effectiveFrom ?? "";
  return steps
    .filter((step) => step < last && !recorded.has(step))
    .map((step) => ({ path: step, message: "was published, but published.csv has no row for it any more" }));
}

/** Limit of the adjustments that are combined, because all combinations are tried; a revision appends only a few. */
const MAX_COMBINED_ADJUSTMENTS = 12;

/** Whether the published figure equals the present one without some of its newest adjustments. */
function isExplained({ adjustments }: UnlockSchedule, row: SupplyStep, published: BaseUnits): boolean {
  const newest = adjustments.filter(({ index }) => index <= row.index).slice(-MAX_COMBINED_ADJUSTMENTS);
  let differences = new Set([row.circulating - published]);
  for (const { delta } of newest) differences = new Set([...differences].flatMap((left) => [left, left - delta]));
  return differences.has(0n);
}

/** Appends all steps up to an instant to the text of published.csv; existing rows stay unchanged. */
export function withPassedSteps(
  schedule: Schedule,
  text: string | undefined,
  nowMs: number,
): { readonly text: string; readonly added: number } {
  const existing = text ?? `${HEADER}\n`;
  if (!hasUnlocks(schedule)) return { text: existing, added: 0 };
  const last = parsePublished(existing).rows.at(-1)?.effectiveFrom ?? "";
  const { maxSupply, token } = schedule;
  const lines = allSteps(schedule)
    .filter(({ effectiveFromMs }) => effectiveFromMs <= nowMs && instantText(effectiveFromMs) > last)
    .map(({ effectiveFromMs, circulating }) =>
      [
        instantText(effectiveFromMs),
        wholeTokens(circulating, token.decimals),
        String(circulating),
        tokenText(maxSupply, token.decimals),
        String(token.decimals),
      ].join(","),
    );
  return { text: existing + lines.map((line) => `${line}\n`).join(""), added: lines.length };
}

/** Content of `schedule/published.json`: the revision that was published last, and every rewriting of the past. */
export interface PublishedRevision {
  readonly symbol: string;
  readonly revision: number;
  readonly published_at: string;
  /** Hash of everything that is served, future figures included. */
  readonly sha256: string;
  /** Set for sample data. A schedule replaces such a record without a reason. */
  readonly sample?: true;
  /** Set until a deployment has served these figures: until then the record may be written anew. */
  readonly served?: false;
  /** Hash of the rows in published.csv. */
  readonly rows_sha256?: string;
  readonly rewritten?: readonly Rewriting[];
}

/** Replacement of recorded months, with its reason. */
export interface Rewriting {
  readonly at: string;
  readonly because: string;
  /** Changes such as `2026-03-01: 100 -> 90`, in tokens; `-` where there is no figure. */
  readonly months: readonly string[];
}

/** Makes the content of `schedule/published.json`. */
export function publishedRevision(
  schedule: Schedule,
  rowsText: string,
  rewritten: readonly Rewriting[],
): PublishedRevision {
  const content = JSON.stringify({ ...schedule, sample: undefined }, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return {
    symbol: schedule.token.symbol,
    revision: schedule.revision,
    published_at: schedule.publishedAt,
    sha256: sha256(content),
    ...(schedule.sample ? { sample: true as const } : {}),
    rows_sha256: sha256(rowsText.replaceAll("\r\n", "\n")),
    ...(rewritten.length === 0 ? {} : { rewritten }),
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Lists the months whose figures differ between two records. */
export function changedMonths(before: readonly PublishedRow[], after: readonly PublishedRow[]): readonly string[] {
  const [was, is] = [before, after].map(
    (found) => new Map(found.map((row) => [row.effectiveFrom, tokenText(row.baseUnits, Number(row.decimals))])),
  );
  return before.flatMap(({ effectiveFrom }) => {
    const [old, now] = [was?.get(effectiveFrom), is?.get(effectiveFrom) ?? "-"];
    return old === now ? [] : [`${effectiveFrom.slice(0, 10)}: ${old} -> ${now}`];
  });
}

/** Contradictions between the last published revision and a schedule with its rows. */
export function revisionErrors(schedule: Schedule, rowsText: string, text: string): FileError[] {
  const before = parseRevision(text);
  if (before === undefined)
    return [{ path: "", message: "must contain symbol, revision and sha256, as publish writes them" }];
  const {
    symbol,
    revision,
    sha256: content,
    published_at: publishedAt,
    rows_sha256: rows,
  } = publishedRevision(schedule, rowsText, []);
  if (symbol !== before.symbol)
    return [
      { path: "symbol", message: `records ${before.symbol}, but the schedule is of ${symbol}: ${OTHER_SCHEDULE}` },
    ];
  const errors: FileError[] = [];
  const add = (path: string, message: string) => errors.push({ path, message });
  if (before.rows_sha256 !== undefined && before.rows_sha256 !== rows)
    add("rows_sha256", "published.csv has other rows than publish wrote: restore its last version");
  if (revision < before.revision)
    add("revision", `${before.revision} was published, but the schedule says ${revision}`);
  // Two revisions may be published on the same day.
  else if (revision > before.revision && publishedAt < before.published_at)
    add(
      "published_at",
      `${publishedAt} is before ${before.published_at}, the day of revision ${before.revision}: set that of ${revision}`,
    );
  else if (revision === before.revision && content !== before.sha256 && !(before.sample && schedule.sample))
    errors.push(changedContentError(revision));
  return errors;
}

/** Error for content that changed under an unchanged revision number. */
export function changedContentError(revision: number): FileError {
  const remedy = `raise revision above ${revision} and set published_at`;
  return { path: "revision", message: `revision ${revision} was published with other content: ${remedy}` };
}

/** Parses published.json; undefined for a text that publish did not write. */
export function parseRevision(text: string): PublishedRevision | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== "object" || json === null) return undefined;
  const { symbol, revision, sha256: content } = json as Record<string, unknown>; // an object, as checked above
  return typeof symbol === "string" && typeof revision === "number" && typeof content === "string"
    ? (json as PublishedRevision)
    : undefined;
}
