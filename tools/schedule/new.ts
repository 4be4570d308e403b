import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { integerIn } from "../../src/base/settings.ts";
import { dayText, parseDay } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { NATIVE_CHAIN } from "../../src/chain/holding.ts";
import { DEFAULT_FAMILY, FAMILY_NAMES, familyOf } from "../../src/families/family.ts";
import { monthText, stepMs } from "../../src/supply/calendar.ts";
import { MAX_DECIMALS } from "../../src/supply/file/amount.ts";
import { scheduleErrorText } from "../../src/supply/file/schedule-result.ts";
import { calendarOf } from "../../src/supply/file/steps.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { EXIT, Refusal, textOptions } from "../lib/command-line.ts";
import { decodeText, mixedLineEnds, readCsv, separatorOf } from "../lib/csv.ts";
import { displayPath } from "../lib/display-path.ts";
import { replaceFile } from "../lib/replace-file.ts";
import type { SheetRows } from "./cells/rows.ts";
import { formatOf, workbookRows } from "./cells/workbook.ts";
import { scheduleFileText } from "./file-text.ts";
import { readText, type ScheduleContext, unlockScheduleOf } from "./files.ts";
import { amountFlag, integerFlag, type TextFlags, wordFlag } from "./flags.ts";
import { parseSchedule } from "./parse-schedule.ts";
import type { SheetFacts } from "./sheet/arithmetic.ts";
import { askOpenPlaces, type Terminal } from "./sheet/ask.ts";
import { type MappedColumn, type Mapping, parseMapping } from "./sheet/mapping.ts";
import { mappingText, type OpenPlace, unanswered } from "./sheet/open-places.ts";
import { proposeMapping } from "./sheet/propose.ts";
import { readByMapping, type Sheet } from "./sheet/read.ts";
import { summaryOf } from "./sheet/summary.ts";
import { TEMPLATES } from "./sheet/template.ts";
import { neverBucket, tableBuckets } from "./table.ts";

/** Options that state the token's first chain. */
const CHAIN_FLAGS = ["chain-family", "chain-id", "asset"] as const;
const FILE_FLAGS = ["symbol", "name", "decimals", "max-supply", "publisher", "source", "out", ...CHAIN_FLAGS] as const;
const SHEET_FLAGS = ["amounts", "columns", "encoding", "gaps", "rest", "start", "step-day"] as const;
/** Options that `new` and `import` take. */
export const FILE_OPTIONS = textOptions(...FILE_FLAGS);
export const NEW_OPTIONS = textOptions(...FILE_FLAGS, ...SHEET_FLAGS, "csv", "xlsx", "sheet");

export type FileFlags = TextFlags<keyof typeof FILE_OPTIONS>;
type NewFlags = TextFlags<keyof typeof NEW_OPTIONS>;

export const NEW_USAGE = `new --csv FILE|--xlsx FILE --symbol XYZ --decimals N --max-supply TOKENS [--out FILE]
      [--columns FILE] [--start DAY] [--step-day N] [--amounts cumulative|monthly] [--gaps keep] [--rest ID]
      [--name NAME] [--publisher NAME] [--source URL] [--sheet NAME] [--encoding NAME]
      [--chain-family ${FAMILY_NAMES.join("|")} --chain-id N --asset TYPE|ADDRESS]
    writes the meaning of every column to FILE.columns.json, and the schedule once that file has no null;
    --columns FILE uses that file; --csv - reads the standard input, for cells pasted from a sheet or a page
  template [--rows rules|periods|unlocks]       a table whose titles \`new\` reads in one step`;

/** Writes a first schedule file from a sheet. Requires a mapping without open places; otherwise the exit code is 3. */
export async function newFromSheet(context: ScheduleContext, flags: NewFlags, terminal?: Terminal): Promise<string> {
  const { csv = flags.xlsx, symbol, decimals } = flags;
  const missing = [
    ...(symbol === undefined ? ["--symbol: missing; the token's ticker, such as XYZ"] : []),
    ...(decimals === undefined ? ["--decimals: missing; the token's decimals on its chain, such as 8"] : []),
    ...(csv === undefined ? ["--csv: missing; the file with the plan"] : []),
  ];
  if (symbol === undefined || decimals === undefined || csv === undefined)
    throw new Refusal([...missing, "all options: npm run schedule -- --help"], EXIT.unusable);
  const digits = decimalsFlag(decimals);
  const name = csv === "-" ? "standard input" : displayPath(csv);
  const path = flags.columns ?? `${csv === "-" ? pathOf(context, flags) : csv}.columns.json`;
  const isBegun = flags.columns !== undefined || existsSync(path);
  const given = isBegun ? parseMapping(displayPath(path), readText(path)) : undefined;
  const facts = factsOf(flags, symbol, digits, given);
  const rows = await rowsOf(csv, name, flags);
  const proposed = proposeMapping(name, rows, facts, given);
  const again = (answers: Mapping) => proposeMapping(name, rows, facts, answers);
  const begun = given === undefined ? unanswered(proposed.mapping) : { ...given, columns: proposed.mapping.columns };
  const { mapping, places } = terminal === undefined ? proposed : await askOpenPlaces(proposed, terminal, begun, again);
  // Never rewrite a mapping that a person has completed.
  if (!isDeepStrictEqual(mapping, given)) writeMapping(path, mappingText(mapping, places));
  const { notes: readingNotes = [] } = rows;
  if (places.length > 0)
    throw new Refusal([...readingNotes, ...openLines(displayPath(path), mapping, places)], EXIT.open);
  const sheet = readByMapping(name, rows, mapping, digits);
  const content = contentOf(sheet, digits, mapping.rest ?? undefined);
  const left = "table" in content ? remainder(sheet, digits) : [];
  return writeNew(
    context,
    { ...flags, symbol, decimals },
    {
      ...sheet,
      content,
      notes: (schedule) => [
        ...readingNotes,
        `read by ${displayPath(path)}${given === undefined ? "" : ", which was there already"}`,
        ...summaryOf(sheet, mapping, schedule),
        ...left,
      ],
    },
  );
}

function writeMapping(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    const advice =
      "copy the sheet into another folder, or read it by --csv - with --out FILE: the mapping is then written beside FILE";
    throw new Refusal([`${displayPath(path)}: cannot be written: ${advice}`]);
  }
}

/** Lists the open places, one line each. */
function openLines(path: string, { columns }: Mapping, places: readonly OpenPlace[]): readonly string[] {
  const mayBeAmount = ({ is, cells }: MappedColumn): boolean =>
    is === null ? cells.some((cell) => /^[\d.,]+ *%?$/.test(cell)) : is === "amount" || is === "circulating";
  return [
    `${path}: written; replace each null in it and run the command again, which then uses this file, as with --columns ${path}`,
    ...places.map(({ question, choices }) => {
      const each = Object.entries(choices).map(([value, means]) => `${value} (${means})`);
      return `${question}: ${each.join(" | ")}`;
    }),
    ...(columns.some(mayBeAmount) ? [] : ["no column is the amount: one must say how many tokens each row has"]),
  ];
}

/** Writes a table whose titles `new` understands without a mapping by hand. */
export function tableTemplate(rows: string | undefined): string {
  const kind = wordFlag({ rows }, "rows", ["rules", "periods", "unlocks"]) ?? "rules";
  return TEMPLATES[kind].join("\n");
}

export function decimalsFlag(decimals: string): number {
  return integerFlag("--decimals", decimals, 0, MAX_DECIMALS);
}

/** Reads the facts that the command line states; refuses those that contradict the mapping. */
function factsOf(flags: NewFlags, symbol: string, decimals: number, given: Mapping | undefined): SheetFacts {
  const { start, "step-day": stepDay, rest } = flags;
  if (start !== undefined && parseDay(start) === undefined)
    throw new Refusal([`--start: must be a day as YYYY-MM-DD, not ${start}`], EXIT.unusable);
  const maximum = flags["max-supply"] ?? given?.max_supply;
  if (maximum === undefined)
    throw new Refusal(
      ["--max-supply: missing; the maximum supply in tokens, to which the amounts must add up"],
      EXIT.unusable,
    );
  const stated = {
    start,
    rest,
    max_supply: flags["max-supply"],
    amounts: wordFlag(flags, "amounts", ["cumulative", "monthly"]),
    gaps: wordFlag(flags, "gaps", ["keep"]),
    step_day: stepDay === undefined ? undefined : integerFlag("--step-day", stepDay, 1, 28),
  };
  const differing = Object.entries(stated).flatMap(([member, value]) => {
    const inMapping = given?.[member as keyof typeof stated] ?? undefined; // a member of a mapping
    const flag = `--${member.replace("_", "-")}`;
    return value === undefined || inMapping === undefined || inMapping === value
      ? []
      : [`${flag}: is ${value}, but ${inMapping} in the mapping`];
  });
  if (differing.length > 0) throw new Refusal(differing, EXIT.unusable);
  const maxSupply = amountFlag("--max-supply", maximum, decimals);
  return { ...stated, decimals, symbol, maxSupply, stepDay: stated.step_day };
}

async function rowsOf(path: string, name: string, { sheet, encoding }: NewFlags): Promise<SheetRows> {
  const bytes = bytesOf(path);
  const kind = formatOf(bytes);
  if (kind === "workbook") return workbookRows(name, bytes, sheet);
  if (kind !== undefined) throw new Refusal([`${name}: ${kind.reason}`]);
  if (sheet !== undefined) throw new Refusal([`${name}: --sheet: is no workbook`]);
  const text = decodeText(name, bytes, encoding);
  const lineEnds = mixedLineEnds(text);
  const notes = lineEnds === undefined ? [] : [`${name}: ${lineEnds}`];
  return { rows: readCsv(text, name), separator: separatorOf(text), notes };
}

function bytesOf(csv: string): Uint8Array {
  try {
    return readFileSync(csv === "-" ? 0 : csv);
  } catch {
    throw new Refusal([`${displayPath(csv)}: cannot be read`]);
  }
}

/** Makes the file's plan: a table for a sheet with one figure, otherwise buckets. A named rest needs buckets too. */
function contentOf(sheet: Sheet, decimals: number, rest: string | undefined): object {
  const { maxSupply, figures, buckets, unlocking } = sheet;
  if (sheet.isOneFigure && rest !== undefined) return { buckets: tableBuckets(figures, maxSupply, decimals, { rest }) };
  if (sheet.isOneFigure) {
    const steps = calendarOf(parseDay(sheet.start) ?? 0, sheet.stepDay);
    const rows = figures.map((figure, index) => ({
      month: monthText(stepMs(steps, index)),
      circulating: tokenText(figure, decimals),
    }));
    return { table: rows };
  }
  return { buckets: [...buckets, ...(rest === undefined ? [] : neverBucket(maxSupply - unlocking, decimals, rest))] };
}

/** Warns about tokens that the table does not reach by its last month: nothing says that they stay locked. */
function remainder({ maxSupply, unlocking }: Sheet, decimals: number): readonly string[] {
  if (maxSupply === unlocking) return [];
  return [
    `${tokenText(maxSupply - unlocking, decimals)} tokens are still locked at the end of the sheet, and /api/health will report that their months are missing; if they never unlock, give --rest ID`,
  ];
}

/** Schedule that is derived from a sheet or from another format. */
export interface NewSchedule {
  readonly start: string;
  readonly stepDay: number;
  readonly maxSupply: bigint;
  /** Members of the file that state what unlocks. */
  readonly content: object;
  /** Sentences that a person compares with the plan. */
  readonly notes: (schedule: UnlockSchedule) => readonly string[];
}

/** Path of the new schedule. */
function pathOf({ folder }: ScheduleContext, { out }: { readonly out?: string | undefined }): string {
  return out ?? join(folder, "new.json");
}

export const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Member `chains` with the first chain that the options state; empty when they state none. */
function firstChainOf({ "chain-family": name, "chain-id": id, asset }: FileFlags): { readonly chains?: object[] } {
  if (name === undefined && id === undefined && asset === undefined) return {};
  const family = wordFlag({ "chain-family": name ?? "" }, "chain-family", FAMILY_NAMES) ?? DEFAULT_FAMILY;
  const { maxChainId, defaultAsset } = familyOf(family);
  const chainId = integerIn(id ?? "", 1, maxChainId);
  const counted = asset ?? defaultAsset;
  const problems = [
    ...(chainId === undefined
      ? [`--chain-id: must be a whole number from 1 to ${maxChainId}, not ${id ?? "nothing"}`]
      : []),
    ...(counted === null ? [`--asset: missing; the token there, ${familyOf(family).asset.form}`] : []),
  ];
  if (problems.length > 0) throw new Refusal(problems, EXIT.unusable);
  return { chains: [{ id: NATIVE_CHAIN, family, chain_id: chainId, asset: counted }] };
}

/**
 * Writes a schedule file that does not exist yet, with the members of its kind. Returns its path as it is shown, and its
 * schedule.
 */
export function writeFile(
  context: ScheduleContext,
  flags: FileFlags & { readonly symbol: string },
  title: string,
  members: object,
) {
  const { symbol, decimals = "8", name = symbol, publisher, source, out: wanted } = flags;
  const path = pathOf(context, { out: wanted });
  const file = {
    // The path is relative to the file's final place, whatever folder it is written to first.
    $schema: "./schema.json",
    revision: 1,
    published_at: dayText(context.nowMs),
    ...(publisher === undefined ? {} : { publisher }),
    sources: [{ title, url: source ?? EXAMPLE_SOURCE }],
    token: { symbol, name, decimals: decimalsFlag(decimals) },
    ...firstChainOf(flags),
    ...members,
  };
  const result = parseSchedule(file, context.first);
  if (result.kind === "errors")
    throw new Refusal(result.errors.map((error) => scheduleErrorText("the new schedule", error)));
  if (existsSync(path)) throw new Refusal([`${displayPath(path)}: exists already; name another file with --out`]);
  replaceFile(path, scheduleFileText(file));
  return { shown: displayPath(path), schedule: result.schedule };
}

/** Writes a schedule to a file that does not exist yet. The report lists the assumptions and the next steps. */
export function writeNew(
  context: ScheduleContext,
  flags: FileFlags & { readonly symbol: string },
  { start, stepDay, maxSupply, content, notes }: NewSchedule,
): string {
  const maximum = tokenText(maxSupply, decimalsFlag(flags.decimals ?? "8"));
  const members = { max_supply: maximum, start, step_day: stepDay, ...content };
  const { shown, schedule } = writeFile(context, flags, "Published schedule", members);
  const next = [
    ...(flags.source === undefined ? ["name where the schedule is published in sources"] : []),
    ...("buckets" in members ? ["compare each bucket's label, category and phases with what you published"] : []),
    `npm run schedule -- check ${shown}`,
    `npm run schedule -- print ${shown}, and compare with what you published`,
    `npm run schedule -- diff schedule/native.json ${shown}`,
    `npm run rehearse -- ${shown} (without a chain and a yield listing: --var NODE_URLS:none --var RATES_URL:none)`,
    `mv ${shown} schedule/native.json; npm run schedule -- publish; commit; npm run deploy -- --help`,
  ];
  return [
    `${shown}: written; at most ${maximum} ${flags.symbol}, starts on ${start}, figures change on day ${stepDay} of each month`,
    ...notes(unlockScheduleOf(schedule)).map((each) => `  ${each}`),
    "Next:",
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  ].join("\n");
}
