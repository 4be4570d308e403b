import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenText } from "../../src/chain/amount.ts";
import { monthEndMs } from "../../src/supply/calendar.ts";
import { dayText } from "../../src/utc.ts";
import { Refusal } from "../command-line.ts";
import { MAX_DECIMALS, parseAmount } from "./amount.ts";
import { displayPath, readText, type ScheduleContext } from "./files.ts";
import { parseSchedule } from "./parse-schedule.ts";
import { scheduleErrorText } from "./schedule-result.ts";

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
  bucket: { type: "string", multiple: true },
  out: TEXT,
} as const;

type NewFlags = { readonly [name in Exclude<keyof typeof NEW_OPTIONS, "bucket">]?: string | undefined } & {
  readonly bucket?: readonly string[] | undefined;
};

export const NEW_USAGE = `new --symbol XYZ --max-supply TOKENS (--csv FILE | --start DAY --bucket ID:ALLOCATION[:GENESIS[:FIRST_MONTH:COUNT]] ...)
      [--name NAME] [--decimals 8] [--step-day N] [--source URL] [--out FILE]`;

const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Writes a valid initial file: a table from a CSV of `month,circulating`, or buckets of equal installments. */
export function create(context: ScheduleContext, flags: NewFlags): string {
  const { symbol, "max-supply": maxSupply } = flags;
  if (symbol === undefined || maxSupply === undefined || (flags.csv === undefined) === (flags.bucket === undefined))
    throw new Refusal([`usage: npm run schedule -- ${NEW_USAGE}`]);
  const decimals = wholeFlag("--decimals", flags.decimals ?? "8", 0, MAX_DECIMALS);
  amount("--max-supply", maxSupply, decimals);
  const table = flags.csv === undefined ? undefined : readMonths(flags.csv, decimals);
  const start = flags.start ?? (table === undefined ? undefined : `${table[0]?.month}-01`);
  if (start === undefined) throw new Refusal(["--start: missing; the day from which tokens circulate, as YYYY-MM-DD"]);
  const out = flags.out ?? join(context.folder, "new.json");
  const stepDay = wholeFlag("--step-day", flags["step-day"] ?? defaultStepDay(start), 1, 28);
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
    ...(table === undefined ? { buckets: bucketsOf(flags.bucket ?? [], maxSupply, decimals) } : { table }),
  };
  writeNew(file, "the new schedule", out);
  const written = `${displayPath(out)}: written; starts on ${start}, figures change on day ${stepDay} of each month`;
  return [written, ...nextSteps(displayPath(out), flags)].join("\n");
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
export function withReserve<Bucket>(buckets: readonly Bucket[], restUnits: bigint, decimals: number) {
  if (restUnits <= 0n) return buckets;
  const allocation = tokenText(restUnits, decimals);
  const phases = [{ kind: "never", amount: allocation }];
  return [...buckets, { id: "reserve", label: "Reserve", category: "treasury", allocation, genesis: "0", phases }];
}

export function wholeFlag(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal([`${flag}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`]);
}

/** Rows of `month,circulating`, with or without a header; errors name the line. */
function readMonths(path: string, decimals: number): { month: string; circulating: string }[] {
  const rows = readText(path)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, cells: line.split(",").map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const header = rows[0]?.cells[0] === "month" ? rows.shift()?.cells : undefined;
  const column = header === undefined ? 1 : header.indexOf("circulating");
  const name = displayPath(path);
  if (rows.length === 0 || column < 1) throw new Refusal([`${name}: must contain rows of month,circulating`]);
  return rows.map(({ line, cells }) => {
    const [month = "", circulating = ""] = [cells[0], cells[column]];
    if (cells.length === 1 && month.includes(";"))
      throw new Refusal([`${name}: line ${line}: separates cells with semicolons; they must be commas`]);
    if (monthEndMs(month) === undefined)
      throw new Refusal([`${name}: line ${line}: ${JSON.stringify(month)} is not a month as YYYY-MM`]);
    amount(`${name}: line ${line}`, circulating, decimals);
    return { month, circulating };
  });
}

function bucketsOf(specs: readonly string[], maxSupply: string, decimals: number) {
  const buckets = specs.map((spec) => bucketOf(spec, decimals));
  const rest = buckets.reduce(
    (left, { allocation }) => left - amount("--bucket", allocation, decimals),
    amount("--max-supply", maxSupply, decimals),
  );
  return withReserve(buckets, rest, decimals);
}

function bucketOf(spec: string, decimals: number) {
  const flag = `--bucket ${spec}`;
  const [id = "", allocation = "", genesis = "0", firstMonth = "1", count = "48"] = spec.split(":");
  if (allocation === "") throw new Refusal([`${flag}: must be ID:ALLOCATION[:GENESIS[:FIRST_MONTH:COUNT]]`]);
  const locked = amount(flag, allocation, decimals) - amount(flag, genesis, decimals);
  if (locked < 0n) throw new Refusal([`${flag}: more at genesis than allocated`]);
  const installments = {
    kind: "installments",
    amount: tokenText(locked, decimals),
    first_month: wholeFlag(`${flag}: FIRST_MONTH`, firstMonth, 0, 2400),
    count: wholeFlag(`${flag}: COUNT`, count, 1, 2400),
    every_months: 1,
  };
  return { id, label: id, category: "other", allocation, genesis, phases: locked === 0n ? [] : [installments] };
}

/** `where`: the flag, or the line of a file. */
function amount(where: string, text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  if (units !== undefined) return units;
  throw new Refusal([
    `${where}: ${JSON.stringify(text)} is not an amount: digits such as 1250.5, with at most ${decimals} after the point`,
  ]);
}

function nextSteps(out: string, flags: NewFlags): string[] {
  const steps = [
    ...(flags.source === undefined ? ["name where the schedule is published in sources"] : []),
    ...(flags.csv === undefined ? ["set each bucket's label and category, and its true phases"] : []),
    `npm run schedule -- check ${out}`,
    `npm run schedule -- print ${out}, and compare with what you published`,
    `npm run schedule -- diff schedule/native.json ${out}`,
    `mv ${out} schedule/native.json, and rm schedule/published.csv if the figures served so far were sample data`,
    "npm run schedule -- publish, commit, then npm run deploy",
  ];
  return ["Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}
