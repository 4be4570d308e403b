import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenText } from "../../src/chain/amount.ts";
import { dayText } from "../../src/utc.ts";
import { Refusal } from "../command-line.ts";
import { MAX_DECIMALS, parseAmount } from "./amount.ts";
import { displayPath, readText, type ScheduleContext } from "./files.ts";
import { parseSchedule } from "./parse-schedule.ts";
import { scheduleErrorText } from "./schedule-result.ts";
import { readSheet, SHEET_HELP, type Sheet, type SheetBucket } from "./sheet.ts";

const TEXT = { type: "string" } as const;
export const NEW_OPTIONS = {
  symbol: TEXT,
  name: TEXT,
  decimals: TEXT,
  "max-supply": TEXT,
  start: TEXT,
  "step-day": TEXT,
  source: TEXT,
  csv: TEXT,
  amounts: TEXT,
  rest: TEXT,
  bucket: { type: "string", multiple: true },
  out: TEXT,
} as const;

type NewFlags = { readonly [name in Exclude<keyof typeof NEW_OPTIONS, "bucket">]?: string | undefined } & {
  readonly bucket?: readonly string[] | undefined;
};

export const NEW_USAGE = `new --symbol XYZ --max-supply TOKENS --decimals N (--csv FILE | --bucket ID:ALLOCATION:GENESIS[:FIRST_MONTH:COUNT] ...)
      [--start DAY] [--step-day N] [--name NAME] [--source URL] [--amounts cumulative|monthly] [--rest ID] [--out FILE]
    --start: needed where the sheet has no months; --rest: a bucket that never unlocks for what the others leave
    ${SHEET_HELP}`;

const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Writes a valid initial file from a sheet or from buckets of equal installments, and says what was guessed. */
export function create(context: ScheduleContext, flags: NewFlags): string {
  const { symbol, "max-supply": maxSupply, csv } = flags;
  if (symbol === undefined || maxSupply === undefined || (csv === undefined) === (flags.bucket === undefined))
    throw new Refusal([`usage: npm run schedule -- ${NEW_USAGE}`]);
  if (flags.decimals === undefined) throw new Refusal(["--decimals: missing; of the token on its chain, such as 8"]);
  const decimals = wholeFlag("--decimals", flags.decimals, 0, MAX_DECIMALS);
  const maximum = amount("--max-supply", maxSupply, decimals);
  const sheet =
    csv === undefined
      ? flagSheet(flags.bucket ?? [], decimals)
      : readSheet(
          csv === "-" ? "standard input" : displayPath(csv),
          csv === "-" ? readFileSync(0, "utf8") : readText(csv),
          {
            decimals,
            maxSupply: maximum,
            amounts: amountsFlag(flags.amounts),
          },
        );
  const firstMonth = sheet.kind === "table" ? sheet.months[0]?.month : sheet.firstMonth;
  const start = flags.start ?? (firstMonth && `${firstMonth}-${(flags["step-day"] ?? "1").padStart(2, "0")}`);
  if (start === undefined) throw new Refusal(["--start: missing; the day from which tokens circulate, as YYYY-MM-DD"]);
  const stepDay = wholeFlag("--step-day", flags["step-day"] ?? defaultStepDay(start), 1, 28);
  const out = flags.out ?? join(context.folder, "new.json");
  const file = {
    // Relative to the file's final place, wherever it is written now.
    $schema: "./schema.json",
    revision: 1,
    published_at: dayText(context.nowMs),
    sources: [{ title: "Published schedule", url: flags.source ?? EXAMPLE_SOURCE }],
    token: { symbol, name: flags.name ?? symbol, decimals },
    max_supply: maxSupply,
    start,
    step_day: stepDay,
    ...(sheet.kind === "table"
      ? { table: sheet.months }
      : { buckets: withRest(sheet.buckets, maximum, decimals, flags.rest) }),
  };
  writeNew(file, "the new schedule", out);
  return [
    `${displayPath(out)}: written; starts on ${start}, figures change on day ${stepDay} of each month`,
    ...(sheet.guesses.length === 0 ? [] : ["Guessed:", ...sheet.guesses.map((guess) => `  ${guess}`)]),
    ...nextSteps(displayPath(out), flags, sheet.kind === "buckets"),
  ].join("\n");
}

function amountsFlag(text: string | undefined): "cumulative" | "monthly" | undefined {
  if (text === undefined || text === "cumulative" || text === "monthly") return text;
  throw new Refusal([`--amounts: must be cumulative or monthly, not ${text}`]);
}

/** Every token belongs to a bucket: what the others leave is named by the operator, never invented. */
function withRest<Bucket extends { readonly allocation: string }>(
  buckets: readonly Bucket[],
  maximum: bigint,
  decimals: number,
  rest: string | undefined,
): readonly object[] {
  const left = buckets.reduce((units, { allocation }) => units - amount("allocation", allocation, decimals), maximum);
  if (left <= 0n) return buckets;
  if (rest !== undefined) return withReserve(buckets, left, decimals, rest);
  throw new Refusal([
    `the buckets leave ${tokenText(left, decimals)} of the maximum: add a bucket for them, or name one that never unlocks with --rest ID`,
  ]);
}

/** The day of the start, so that the first period is a whole month; at most 28, which every month has. */
function defaultStepDay(start: string): string {
  const day = Number(start.slice(8, 10));
  return String(Number.isInteger(day) && day >= 1 ? Math.min(day, 28) : 1);
}

/** Writes a schedule to a file that does not exist yet; `name` is what its errors begin with. */
export function writeNew(file: object, name: string, out: string): void {
  const result = parseSchedule(file);
  if (result.kind === "errors") throw new Refusal(result.errors.map((error) => scheduleErrorText(name, error)));
  if (existsSync(out)) throw new Refusal([`${displayPath(out)}: exists already; name another file with --out`]);
  writeFileSync(out, `${JSON.stringify(file, null, 2)}\n`);
}

/** The buckets, and what they leave of the maximum as one that never unlocks. */
export function withReserve<Bucket>(buckets: readonly Bucket[], restUnits: bigint, decimals: number, id = "reserve") {
  if (restUnits <= 0n) return buckets;
  const allocation = tokenText(restUnits, decimals);
  const phases = [{ kind: "never", amount: allocation }];
  return [...buckets, { id, label: id, category: "treasury", allocation, genesis: "0", phases }];
}

export function wholeFlag(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal([`${flag}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`]);
}

function flagSheet(specs: readonly string[], decimals: number): Sheet & { readonly kind: "buckets" } {
  return {
    kind: "buckets",
    firstMonth: undefined,
    buckets: specs.map((spec) => bucketOf(spec, decimals)),
    guesses: [],
  };
}

const BUCKET_FORM = "must be ID:ALLOCATION:GENESIS, and :FIRST_MONTH:COUNT where not all circulates from the start";

function bucketOf(spec: string, decimals: number): SheetBucket {
  const flag = `--bucket ${spec}`;
  const [id = "", allocation = "", genesis, firstMonth, count] = spec.split(":");
  if (allocation === "" || genesis === undefined) throw new Refusal([`${flag}: ${BUCKET_FORM}`]);
  const locked = amount(flag, allocation, decimals) - amount(flag, genesis, decimals);
  if (locked < 0n) throw new Refusal([`${flag}: more at genesis than allocated`]);
  const named = { id, label: id, category: "other", allocation, genesis } as const;
  if (locked === 0n) return { ...named, phases: [] };
  if (firstMonth === undefined || count === undefined) throw new Refusal([`${flag}: ${BUCKET_FORM}`]);
  const installments = {
    kind: "installments",
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
    `npm run rehearse -- ${out}`,
    `mv ${out} schedule/native.json; npm run schedule -- publish; commit; npm run deploy`,
  ];
  return ["Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
