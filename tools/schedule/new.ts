import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_DECIMALS } from "../../schedule-format/amount.ts";
import { calendar } from "../../schedule-format/calendar.ts";
import { scheduleErrorText } from "../../schedule-format/schedule-result.ts";
import { dayText, parseDay } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { monthText, stepMs } from "../../src/supply/calendar.ts";
import { EXIT, Refusal, textOptions } from "../command-line.ts";
import { decodeText } from "../csv.ts";
import { replaceFile } from "../replace-file.ts";
import { fileText } from "./file-text.ts";
import { displayPath, type ScheduleContext } from "./files.ts";
import { amountFlag, type TextFlags, wholeFlag, wordFlag } from "./flags.ts";
import { parseSchedule } from "./parse-schedule.ts";
import type { SheetOptions } from "./sheet/reader.ts";
import { binaryKindOf, refuseBinary, workbookRows } from "./sheet/workbook.ts";
import { csvRows, readSheet, SHEET_HELP, type Sheet } from "./sheet.ts";
import { reserve, tableBuckets } from "./table.ts";

const FILE_FLAGS = ["symbol", "name", "decimals", "max-supply", "publisher", "source", "dates", "out"] as const;
const SHEET_FLAGS = [
  "amounts",
  "cliff",
  "columns",
  "decimal",
  "gaps",
  "month-end",
  "rest",
  "start",
  "step-day",
] as const;
/** What `new` and `import` take. */
export const FILE_OPTIONS = textOptions(...FILE_FLAGS);
export const NEW_OPTIONS = textOptions(...FILE_FLAGS, ...SHEET_FLAGS, "csv", "sheet");

export type FileFlags = TextFlags<keyof typeof FILE_OPTIONS>;
type NewFlags = TextFlags<keyof typeof NEW_OPTIONS>;

export const NEW_USAGE = `new --csv FILE --symbol XYZ --decimals N --max-supply TOKENS
      [--start DAY] [--step-day N] [--name NAME] [--publisher NAME] [--source URL] [--rest ID] [--out FILE]
    --max-supply: what a sheet adds up to; --start: where it does not say it; --rest: a bucket that never unlocks for what is left
    what a sheet may leave open: --columns "TITLE=role,...", --amounts cumulative|monthly, --cliff after|inside,
      --dates day-first|month-first, --decimal point|comma, --month-end next|same, --gaps keep; of a workbook --sheet NAME
    ${SHEET_HELP}`;

/** Writes a valid initial file from a sheet, and says what was assumed. */
export async function create(context: ScheduleContext, flags: NewFlags): Promise<string> {
  const { csv, symbol, decimals } = flags;
  const missing = [
    ...(symbol === undefined ? ["--symbol: missing; the token's ticker, such as XYZ"] : []),
    ...(decimals === undefined ? ["--decimals: missing; of the token on its chain, such as 8"] : []),
    ...(csv === undefined ? ["--csv: missing; the sheet of the plan"] : []),
  ];
  if (symbol === undefined || decimals === undefined || csv === undefined)
    throw new Refusal([...missing, "all options: npm run schedule -- --help"], EXIT.unusable);
  const sheet = await sheetOf(csv, optionsOf(flags, symbol, decimalsFlag(decimals)), flags.sheet);
  const content = contentOf(sheet, decimalsFlag(decimals), flags.rest);
  const left = "table" in content ? remainder(sheet, decimalsFlag(decimals)) : [];
  return writeNew(
    context,
    { ...flags, symbol, decimals },
    {
      ...sheet,
      content,
      assumed: [...sheet.assumed, ...left],
    },
  );
}

export function decimalsFlag(decimals: string): number {
  return wholeFlag("--decimals", decimals, 0, MAX_DECIMALS);
}

function optionsOf(flags: NewFlags, symbol: string, decimals: number): SheetOptions {
  const mark = wordFlag(flags, "decimal", ["point", "comma"]);
  const { start, "max-supply": maximum, "step-day": stepDay } = flags;
  if (start !== undefined && parseDay(start) === undefined)
    throw new Refusal([`--start: must be a day as YYYY-MM-DD, not ${start}`], EXIT.unusable);
  return {
    decimals,
    symbol,
    start,
    maxSupply: maximum === undefined ? undefined : amountFlag("--max-supply", maximum, decimals),
    amounts: wordFlag(flags, "amounts", ["cumulative", "monthly"]),
    decimalMark: mark === undefined ? undefined : mark === "point" ? "." : ",",
    dates: wordFlag(flags, "dates", ["day-first", "month-first"]),
    monthEnd: wordFlag(flags, "month-end", ["next", "same"]),
    cliff: wordFlag(flags, "cliff", ["after", "inside"]),
    stepDay: stepDay === undefined ? undefined : wholeFlag("--step-day", stepDay, 1, 28),
    keepsGaps: wordFlag(flags, "gaps", ["keep"]) === "keep",
    columns: columnsFlag(flags.columns),
    hasRest: flags.rest !== undefined,
  };
}

/** `TITLE=role,TITLE=role`; a title may have commas. */
function columnsFlag(text = ""): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/\s*(.+?)=([a-z?]+)\s*(?:,|$)/g)];
  if (found.map(([all]) => all).join("") !== text)
    throw new Refusal([`--columns: must be "TITLE=role,TITLE=role", not ${JSON.stringify(text)}`], EXIT.unusable);
  return new Map(found.map(([, title = "", role = ""]) => [title, role]));
}

async function sheetOf(csv: string, options: SheetOptions, wanted: string | undefined): Promise<Sheet> {
  const name = csv === "-" ? "standard input" : displayPath(csv);
  const bytes = bytesOf(csv);
  const kind = binaryKindOf(bytes);
  if (kind === "binary") refuseBinary(name);
  if (kind === undefined && wanted !== undefined) throw new Refusal([`${name}: --sheet: is no workbook`]);
  const rows = kind === "workbook" ? await workbookRows(name, bytes, wanted) : csvRows(name, decodeText(bytes));
  return readSheet(name, rows, options);
}

function bytesOf(csv: string): Uint8Array {
  try {
    return readFileSync(csv === "-" ? 0 : csv);
  } catch {
    throw new Refusal([`${displayPath(csv)}: cannot be read`]);
  }
}

/** A table for a sheet with one figure, unless a rest is named, which only buckets can have. */
function contentOf(sheet: Sheet, decimals: number, rest: string | undefined): object {
  const { maxSupply, figures, buckets, unlocking } = sheet;
  if (sheet.isOneFigure && rest !== undefined) return { buckets: tableBuckets(figures, maxSupply, decimals, { rest }) };
  if (sheet.isOneFigure) {
    const steps = calendar(parseDay(sheet.start) ?? 0, sheet.stepDay);
    const rows = figures.map((figure, index) => ({
      month: monthText(stepMs(steps, index)),
      circulating: tokenText(figure, decimals),
    }));
    return { table: rows };
  }
  return { buckets: [...buckets, ...(rest === undefined ? [] : reserve(maxSupply - unlocking, decimals, rest))] };
}

/** What a table leaves of the maximum is not known to stay locked. */
function remainder({ maxSupply, unlocking }: Sheet, decimals: number): readonly string[] {
  if (maxSupply === unlocking) return [];
  return [
    `${tokenText(maxSupply - unlocking, decimals)} are still to come when the sheet ends, and health will ask for their months; --rest ID says that they never unlock`,
  ];
}

/** What a sheet or another file comes to. */
export interface NewSchedule {
  readonly start: string;
  readonly stepDay: number;
  readonly maxSupply: bigint;
  /** The members of the file that say what unlocks. */
  readonly content: object;
  readonly assumed: readonly string[];
}

export const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Writes a schedule to a file that does not exist yet, and says what was assumed and what comes next. */
export function writeNew(
  context: ScheduleContext,
  { symbol, decimals: given, name = symbol, publisher, source, out: wanted }: FileFlags & { readonly symbol: string },
  { start, stepDay, maxSupply, content, assumed }: NewSchedule,
): string {
  const path = wanted ?? join(context.folder, "new.json");
  const decimals = decimalsFlag(given ?? "8");
  const file = {
    // Relative to the file's final place, wherever it is written now.
    $schema: "./schema.json",
    revision: 1,
    published_at: dayText(context.nowMs),
    ...(publisher === undefined ? {} : { publisher }),
    sources: [{ title: "Published schedule", url: source ?? EXAMPLE_SOURCE }],
    token: { symbol, name, decimals },
    max_supply: tokenText(maxSupply, decimals),
    start,
    step_day: stepDay,
    ...content,
  };
  const result = parseSchedule(file);
  if (result.kind === "errors")
    throw new Refusal(result.errors.map((error) => scheduleErrorText("the new schedule", error)));
  if (existsSync(path)) throw new Refusal([`${displayPath(path)}: exists already; name another file with --out`]);
  replaceFile(path, fileText(file));
  const shown = displayPath(path);
  const next = [
    ...(source === undefined ? ["name where the schedule is published in sources"] : []),
    ...("buckets" in file ? ["compare each bucket's label, category and phases with what you published"] : []),
    `npm run schedule -- check ${shown}`,
    `npm run schedule -- print ${shown}, and compare with what you published`,
    `npm run schedule -- diff schedule/native.json ${shown}`,
    `npm run rehearse -- ${shown} (without a chain or a yield listing: --var NODE_URLS:none --var RATES_URL:none)`,
    `mv ${shown} schedule/native.json; npm run schedule -- publish; commit; npm run deploy -- --help`,
  ];
  return [
    `${shown}: written; at most ${file.max_supply} ${symbol}, starts on ${start}, figures change on day ${stepDay} of each month`,
    ...(assumed.length === 0 ? [] : ["Assumed:", ...assumed.map((each) => `  ${each}`)]),
    "Next:",
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  ].join("\n");
}
