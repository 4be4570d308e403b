import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_DECIMALS, parseAmount } from "../../shared/amount.ts";
import { calendar } from "../../shared/calendar.ts";
import type { FileBucket } from "../../shared/schedule-file.ts";
import { scheduleErrorText } from "../../shared/schedule-result.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { monthText, stepMs } from "../../src/supply/calendar.ts";
import { dayText, parseDay } from "../../src/utc.ts";
import { EXIT, Refusal } from "../command-line.ts";
import { decodeText } from "../csv.ts";
import { replaceFile } from "../replace-file.ts";
import { displayPath, type ScheduleContext } from "./files.ts";
import { parseSchedule } from "./parse-schedule.ts";
import type { SheetOptions } from "./sheet/reader.ts";
import { binaryKindOf, refuseBinary, workbookRows } from "./sheet/workbook.ts";
import { csvRows, readSheet, SHEET_HELP, type Sheet } from "./sheet.ts";
import { reserve, tableBuckets } from "./table.ts";

const TEXT = { type: "string" } as const;
export const NEW_OPTIONS = {
  symbol: TEXT,
  name: TEXT,
  decimals: TEXT,
  "max-supply": TEXT,
  start: TEXT,
  "step-day": TEXT,
  publisher: TEXT,
  source: TEXT,
  csv: TEXT,
  amounts: TEXT,
  rest: TEXT,
  dates: TEXT,
  decimal: TEXT,
  "month-end": TEXT,
  gaps: TEXT,
  columns: TEXT,
  cliff: TEXT,
  sheet: TEXT,
  bucket: { type: "string", multiple: true },
  out: TEXT,
} as const;

type NewFlags = { readonly [name in Exclude<keyof typeof NEW_OPTIONS, "bucket">]?: string | undefined } & {
  readonly bucket?: readonly string[] | undefined;
};

export const NEW_USAGE = `new --symbol XYZ --decimals N (--csv FILE | --bucket ID:ALLOCATION:GENESIS[:FIRST_MONTH:COUNT] ...)
      [--max-supply TOKENS] [--start DAY] [--step-day N] [--name NAME] [--publisher NAME] [--source URL] [--rest ID] [--out FILE]
    --max-supply: what a sheet adds up to; --start: where it does not say it; --rest: a bucket that never unlocks for what is left
    what a sheet may leave open: --columns "TITLE=role,...", --amounts cumulative|monthly, --cliff after|inside,
      --dates day-first|month-first, --decimal point|comma, --month-end next|same, --gaps keep; of a workbook --sheet NAME
    ${SHEET_HELP}`;

const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Writes a valid initial file from a sheet or from buckets of equal installments, and says what was assumed. */
export async function create(context: ScheduleContext, flags: NewFlags): Promise<string> {
  const { symbol, decimals } = required(flags);
  const sheet =
    flags.csv === undefined ? flagSheet(flags, decimals) : await csvSheet(flags.csv, flags, symbol, decimals);
  const { start, stepDay } = sheet;
  const out = flags.out ?? join(context.folder, "new.json");
  const file = {
    // Relative to the file's final place, wherever it is written now.
    $schema: "./schema.json",
    revision: 1,
    published_at: dayText(context.nowMs),
    ...(flags.publisher === undefined ? {} : { publisher: flags.publisher }),
    sources: [{ title: "Published schedule", url: flags.source ?? EXAMPLE_SOURCE }],
    token: { symbol, name: flags.name ?? symbol, decimals },
    max_supply: tokenText(sheet.maxSupply, decimals),
    start,
    step_day: stepDay,
    ...contentOf(sheet, decimals, flags.rest),
  };
  writeNew(file, "the new schedule", out);
  const assumed = [...sheet.assumed, ...("table" in file ? remainder(sheet, decimals) : [])];
  return [
    `${displayPath(out)}: written; at most ${file.max_supply} ${symbol}, starts on ${start}, figures change on day ${stepDay} of each month`,
    ...(assumed.length === 0 ? [] : ["Assumed:", ...assumed.map((each) => `  ${each}`)]),
    ...nextSteps(displayPath(out), flags, "buckets" in file),
  ].join("\n");
}

/** What no sheet says; every missing option is named at once. */
function required({ symbol, decimals, csv, bucket }: NewFlags): { readonly symbol: string; readonly decimals: number } {
  const missing = [
    ...(symbol === undefined ? ["--symbol: missing; the token's ticker, such as XYZ"] : []),
    ...(decimals === undefined ? ["--decimals: missing; of the token on its chain, such as 8"] : []),
    ...(csv === undefined && bucket === undefined
      ? ["--csv: missing; the sheet of the plan, or --bucket for each allocation"]
      : []),
    ...(csv !== undefined && bucket !== undefined ? ["--csv and --bucket: give one of them"] : []),
  ];
  if (missing.length > 0) throw new Refusal([...missing, "all options: npm run schedule -- --help"], EXIT.unusable);
  return { symbol: symbol ?? "", decimals: wholeFlag("--decimals", decimals ?? "", 0, MAX_DECIMALS) };
}

async function csvSheet(csv: string, flags: NewFlags, symbol: string, decimals: number): Promise<Sheet> {
  const mark = wordFlag(flags, "decimal", ["point", "comma"]);
  const options: SheetOptions = {
    decimals,
    symbol,
    maxSupply: flags["max-supply"] === undefined ? undefined : amount("--max-supply", flags["max-supply"], decimals),
    amounts: wordFlag(flags, "amounts", ["cumulative", "monthly"]),
    decimalMark: mark === undefined ? undefined : mark === "point" ? "." : ",",
    dates: wordFlag(flags, "dates", ["day-first", "month-first"]),
    monthEnd: wordFlag(flags, "month-end", ["next", "same"]),
    cliff: wordFlag(flags, "cliff", ["after", "inside"]),
    start: flags.start,
    stepDay: stepDayFlag(flags),
    keepsGaps: wordFlag(flags, "gaps", ["keep"]) === "keep",
    columns: columnsFlag(flags.columns),
    hasRest: flags.rest !== undefined,
  };
  const name = csv === "-" ? "standard input" : displayPath(csv);
  const bytes = bytesOf(csv);
  const kind = binaryKindOf(bytes);
  if (kind === "binary") refuseBinary(name);
  if (kind === undefined && flags.sheet !== undefined) throw new Refusal([`${name}: --sheet: is no workbook`]);
  const rows = kind === "workbook" ? await workbookRows(name, bytes, flags.sheet) : csvRows(name, decodeText(bytes));
  return readSheet(name, rows, options);
}

/** `TITLE=role,TITLE=role`; a title may have commas. */
function columnsFlag(text = ""): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/\s*(.+?)=([a-z?]+)\s*(?:,|$)/g)];
  if (found.map(([all]) => all).join("") !== text)
    throw new Refusal([`--columns: must be "TITLE=role,TITLE=role", not ${JSON.stringify(text)}`], EXIT.unusable);
  return new Map(found.map(([, title = "", role = ""]) => [title, role]));
}

function bytesOf(csv: string): Uint8Array {
  try {
    return readFileSync(csv === "-" ? 0 : csv);
  } catch {
    throw new Refusal([`${displayPath(csv)}: cannot be read`]);
  }
}

export function wordFlag<const Word extends string, Flag extends string>(
  flags: { readonly [name in Flag]?: string | undefined },
  name: Flag,
  words: readonly Word[],
): Word | undefined {
  const text = flags[name];
  const found = words.find((word) => word === text);
  if (text === undefined || found !== undefined) return found;
  throw new Refusal([`--${name}: must be ${words.join(" or ")}, not ${text}`], EXIT.unusable);
}

function stepDayFlag(flags: NewFlags): number | undefined {
  const text = flags["step-day"];
  return text === undefined ? undefined : wholeFlag("--step-day", text, 1, 28);
}

/** A table for a sheet with one figure, unless a rest is named, which only buckets can have. */
function contentOf(sheet: Sheet, decimals: number, rest: string | undefined): object {
  const { maxSupply, figures, buckets } = sheet;
  if (!sheet.isOneFigure) return { buckets: withRest(buckets, maxSupply, decimals, rest) };
  if (rest !== undefined) return { buckets: tableBuckets(figures, maxSupply, decimals, { rest }) };
  const steps = calendar(parseDay(sheet.start) ?? 0, sheet.stepDay);
  const table = figures.map((figure, index) => ({
    month: monthText(stepMs(steps, index)),
    circulating: tokenText(figure, decimals),
  }));
  return { table };
}

/** What a table leaves of the maximum is not known to stay locked. */
function remainder(sheet: Sheet, decimals: number): readonly string[] {
  const left = sheet.maxSupply - (sheet.figures.at(-1) ?? 0n);
  if (left <= 0n) return [];
  return [
    `${tokenText(left, decimals)} are still to come when the sheet ends, and health will ask for their months; --rest ID says that they never unlock`,
  ];
}

/** Every token belongs to a bucket: what the others leave is named by the operator, never invented. */
function withRest(
  buckets: readonly FileBucket[],
  maximum: bigint,
  decimals: number,
  rest: string | undefined,
): readonly FileBucket[] {
  const left = buckets.reduce((units, { allocation }) => units - amount("allocation", allocation, decimals), maximum);
  if (left <= 0n) return buckets;
  if (rest !== undefined) return [...buckets, ...reserve(left, decimals, rest)];
  throw new Refusal([
    `the buckets leave ${tokenText(left, decimals)} of the maximum: add a bucket for them, or name one that never unlocks with --rest ID`,
  ]);
}

/** The day of the start, so that the first period is a whole month; at most 28, which every month has. */
function defaultStepDay(start: string): number {
  const day = Number(start.slice(8, 10));
  return Number.isInteger(day) && day >= 1 ? Math.min(day, 28) : 1;
}

/** Writes a schedule to a file that does not exist yet; `name` is what its errors begin with. */
export function writeNew(file: object, name: string, out: string): void {
  const result = parseSchedule(file);
  if (result.kind === "errors") throw new Refusal(result.errors.map((error) => scheduleErrorText(name, error)));
  if (existsSync(out)) throw new Refusal([`${displayPath(out)}: exists already; name another file with --out`]);
  replaceFile(out, `${JSON.stringify(file, null, 2)}\n`);
}

export function wholeFlag(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal([`${flag}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`]);
}

function flagSheet(flags: NewFlags, decimals: number): Sheet {
  const buckets = (flags.bucket ?? []).map((spec) => bucketOf(spec, decimals));
  const { start, "max-supply": given } = flags;
  if (start === undefined) throw new Refusal(["--start: missing; the day from which tokens circulate, as YYYY-MM-DD"]);
  const units = buckets.reduce((sum, { allocation }) => sum + amount("allocation", allocation, decimals), 0n);
  const said = `the maximum supply is ${tokenText(units, decimals)}, to which the buckets add up: --max-supply TOKENS if it is another`;
  return {
    start,
    stepDay: stepDayFlag(flags) ?? defaultStepDay(start),
    buckets,
    figures: [],
    notes: [],
    isOneFigure: false,
    maxSupply: given === undefined ? units : amount("--max-supply", given, decimals),
    assumed: given === undefined ? [said] : [],
  };
}

const BUCKET_FORM = "must be ID:ALLOCATION:GENESIS, and :FIRST_MONTH:COUNT where not all circulates from the start";

function bucketOf(spec: string, decimals: number): FileBucket {
  const flag = `--bucket ${spec}`;
  const [id = "", allocation = "", genesis, firstMonth, count] = spec.split(":");
  if (allocation === "" || genesis === undefined) throw new Refusal([`${flag}: ${BUCKET_FORM}`]);
  const locked = amount(flag, allocation, decimals) - amount(flag, genesis, decimals);
  if (locked < 0n) throw new Refusal([`${flag}: more at genesis than allocated`]);
  const named = { id, label: id, category: "other", allocation, genesis } as const;
  if (locked === 0n) return { ...named, phases: [] };
  if (firstMonth === undefined || count === undefined) throw new Refusal([`${flag}: ${BUCKET_FORM}`]);
  const installments = {
    kind: "installments" as const,
    amount: tokenText(locked, decimals),
    first_month: wholeFlag(`${flag}: FIRST_MONTH`, firstMonth, 0, 2400),
    count: wholeFlag(`${flag}: COUNT`, count, 1, 2400),
    every_months: 1,
  };
  return { ...named, phases: [installments] };
}

/** `where`: the flag, or the line of a file. */
function amount(where: string, text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  if (units !== undefined) return units;
  throw new Refusal([
    `${where}: ${JSON.stringify(text)} is not an amount: digits such as 1250.5, with at most ${decimals} after the point`,
  ]);
}

function nextSteps(out: string, flags: NewFlags, hasBuckets: boolean): string[] {
  const steps = [
    ...(flags.source === undefined ? ["name where the schedule is published in sources"] : []),
    ...(hasBuckets ? ["compare each bucket's label, category and phases with what you published"] : []),
    `npm run schedule -- check ${out}`,
    `npm run schedule -- print ${out}, and compare with what you published`,
    `npm run schedule -- diff schedule/native.json ${out}`,
    `npm run rehearse -- ${out} (without a chain or a yield listing: --var NODE_URLS:none --var RATES_URL:none)`,
    `mv ${out} schedule/native.json; npm run schedule -- publish; commit; npm run deploy -- --help`,
  ];
  return ["Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
