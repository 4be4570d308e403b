import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAmount, tokenText } from "../../src/supply/amount.ts";
import { dayText } from "../../src/supply/calendar.ts";
import { displayPath, Refusal, readText, type ScheduleContext } from "./files.ts";
import { parseSchedule } from "./parse-schedule.ts";
import { scheduleErrorText } from "./schedule-result.ts";

export interface NewFlags {
  readonly symbol?: string | undefined;
  readonly name?: string | undefined;
  readonly decimals?: string | undefined;
  readonly "max-supply"?: string | undefined;
  readonly start?: string | undefined;
  readonly "step-day"?: string | undefined;
  readonly source?: string | undefined;
  readonly csv?: string | undefined;
  readonly bucket?: readonly string[] | undefined;
  readonly out?: string | undefined;
}

export const NEW_USAGE = `new --symbol XYZ --max-supply TOKENS (--csv FILE | --start DAY --bucket ID:ALLOCATION[:GENESIS[:FIRST_MONTH:COUNT]] ...)
      [--name NAME] [--decimals 8] [--step-day N] [--source URL] [--out FILE]`;

const EXAMPLE_SOURCE = "https://example.org/tokenomics";

/** Writes a valid starting file: a table from a CSV of `month,circulating`, or buckets of equal installments. */
export function create(context: ScheduleContext, flags: NewFlags): string {
  const { symbol, "max-supply": maxSupply } = flags;
  if (symbol === undefined || maxSupply === undefined || (flags.csv === undefined) === (flags.bucket === undefined))
    throw new Refusal([`usage: npm run schedule -- ${NEW_USAGE}`]);
  const table = flags.csv === undefined ? undefined : readMonths(flags.csv);
  const start = flags.start ?? (table === undefined ? undefined : `${table[0]?.month}-01`);
  if (start === undefined) throw new Refusal(["--start: missing; the day from which tokens circulate, as YYYY-MM-DD"]);
  const out = flags.out ?? join(context.folder, "new.json");
  const decimals = Number(flags.decimals ?? "8");
  const file = {
    $schema: schemaReference(context, out),
    revision: 1,
    published_at: dayText(context.nowMs),
    sources: [{ title: "Published schedule", url: flags.source ?? EXAMPLE_SOURCE }],
    token: { symbol, name: flags.name ?? symbol, decimals },
    max_supply: maxSupply,
    start,
    step_day: Number(flags["step-day"] ?? "1"),
    ...(table === undefined ? { buckets: bucketsOf(flags.bucket ?? [], maxSupply, decimals) } : { table }),
  };
  const result = parseSchedule(file);
  if (result.kind === "errors")
    throw new Refusal(result.errors.map((error) => scheduleErrorText("the new schedule", error)));
  if (existsSync(out)) throw new Refusal([`${displayPath(out)}: exists already; name another file with --out`]);
  writeFileSync(out, `${JSON.stringify(file, null, 2)}\n`);
  return [`${displayPath(out)}: written`, ...nextSteps(displayPath(out), flags)].join("\n");
}

function readMonths(path: string): { month: string; circulating: string }[] {
  const lines = readText(path)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const rows = lines.map((line) => line.split(",").map((cell) => cell.trim()));
  const header = rows[0]?.[0] === "month" ? rows.shift() : undefined;
  const column = header === undefined ? 1 : header.indexOf("circulating");
  if (rows.length === 0 || column < 1) throw new Refusal([`${displayPath(path)}: must hold rows of month,circulating`]);
  return rows.map(([month = "", ...cells]) => ({ month, circulating: cells[column - 1] ?? "" }));
}

/** What the buckets leave of the maximum becomes a reserve that never unlocks. */
function bucketsOf(specs: readonly string[], maxSupply: string, decimals: number) {
  const buckets = specs.map((spec) => bucketOf(spec, decimals));
  const rest = buckets.reduce(
    (left, { allocation }) => left - amount(allocation, decimals),
    amount(maxSupply, decimals),
  );
  if (rest <= 0n) return buckets;
  const reserve = tokenText(rest, decimals);
  const phases = [{ kind: "never", amount: reserve }];
  return [
    ...buckets,
    { id: "reserve", label: "Reserve", category: "treasury", allocation: reserve, genesis: "0", phases },
  ];
}

function bucketOf(spec: string, decimals: number) {
  const [id = "", allocation = "", genesis = "0", firstMonth = "1", count = "48"] = spec.split(":");
  const locked = amount(allocation, decimals) - amount(genesis, decimals);
  if (locked < 0n) throw new Refusal([`--bucket ${spec}: more at genesis than allocated`]);
  const installments = {
    kind: "installments",
    amount: tokenText(locked, decimals),
    first_month: Number(firstMonth),
    count: Number(count),
    every_months: 1,
  };
  return { id, label: id, category: "other", allocation, genesis, phases: locked === 0n ? [] : [installments] };
}

function amount(text: string, decimals: number): bigint {
  const units = Number.isInteger(decimals) && decimals >= 0 ? parseAmount(text, decimals) : undefined;
  if (units === undefined) throw new Refusal([`${text} is not an amount with at most ${decimals} fraction digits`]);
  return units;
}

function schemaReference(context: ScheduleContext, out: string): string {
  const path = relative(dirname(resolve(out)), join(context.folder, "schema.json")).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
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
