import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tokenText } from "../../src/chain/amount.ts";
import { PERCENT_DECIMALS, unitOf } from "../../src/figures.ts";
import type { Correction } from "../../src/home/history/corrections.ts";
import { parseAmount } from "../../src/supply/file/amount.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { EXIT, parseCommandLine, Refusal } from "../lib/command-line.ts";
import { replaceFileIfUnchanged } from "../lib/replace-file.ts";
import { correctionProblems, parseCorrections, withCorrection } from "./corrections.ts";
import { servedRows } from "./served.ts";

export const CORRECT_USAGE = `usage: npm run history -- correct --day DATE --figure NAME --to AMOUNT|--drop --reason TEXT [--url ADDRESS] [--unusual]
  replaces a recorded figure or leaves it out, and publishes the recorded value, the new one and the reason:
  writes schedule/history-corrections.json; commit it and deploy
  --figure NAME   total_supply, stable_supply, ..., or apy:ID of a yield product
  --to AMOUNT     an amount with its unit: 950000000.5tokens, 95000000050000000base_units, or 5.25% for a percentage
  --url ADDRESS   the deployment that has recorded it; by default the custom domain of production in wrangler.toml
  --unusual       accept 0, more than twice or less than half of the recorded value, more than the maximum, or an unknown recorded value`;
const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean", default: false } as const;
const OPTIONS = { day: TEXT, figure: TEXT, to: TEXT, drop: FLAG, reason: TEXT, url: TEXT, unusual: FLAG } as const;

export interface CorrectPorts {
  readonly folder: string;
  readonly nowMs: number;
  readonly fetch: typeof fetch;
  readonly readSchedule: (path: string) => Schedule;
  readonly urlOf: (given: string | undefined) => string;
}

/** Recorded number: base units with the token's decimals, or an APY in percent. */
interface RecordedValue {
  /** Recorded value; null: the deployment serves a correction instead of it. */
  readonly value: string | null;
  readonly decimals: number | null;
}

/** Records a correction of a past day's figure; the recorded row itself stays unchanged. */
export async function correct(args: string[], ports: CorrectPorts): Promise<string> {
  const { values } = parseCommandLine(CORRECT_USAGE, { args, options: OPTIONS });
  const { day = "", figure = "", to, drop, reason = "", unusual } = values;
  const today = new Date(ports.nowMs).toISOString().slice(0, 10);
  const problems = correctionProblems({ day, figure, to: null, reason, correctedOn: today }, ports.nowMs);
  if ((to === undefined) === !drop) problems.push("to: give either --to AMOUNT or --drop");
  if (problems.length > 0)
    throw new Refusal(
      problems.map((problem) => `--${problem}`),
      EXIT.unusable,
    );
  const path = join(ports.folder, "history-corrections.json");
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const before = text === undefined ? { corrections: [] } : parseCorrections(text, ports.nowMs);
  if ("problems" in before) throw new Refusal(before.problems.map((problem) => `${path}: ${problem}`));
  const earlier = before.corrections.find((each) => each.day === day && each.figure === figure);
  const served = await servedValue(day, figure, values.url, ports).catch((cause: unknown) => {
    if (!(cause instanceof Error)) throw cause;
    return { problem: cause.message };
  });
  // A day with an earlier correction has a row, although the deployment may leave it out.
  if ("missing" in served && earlier === undefined) throw new Refusal([missingRowText(day, figure, served.missing)]);
  const schedule = ports.readSchedule(join(ports.folder, "native.json"));
  const { value: known, decimals } = "decimals" in served ? served : { value: null, decimals: null };
  // The deployment serves an earlier correction, so the recorded value comes from the file.
  const recorded = earlier?.recorded ?? known;
  const why = "problem" in served ? served.problem : "the day is served as corrected";
  const shown = (value: string) => valueText(value, figure, decimals ?? decimalsOf(figure, schedule));
  const changed = to === undefined ? null : amountOf(to, figure, decimals ?? decimalsOf(figure, schedule));
  const strange = [
    ...(recorded === null ? [`the recorded value is not known (${why})`] : []),
    ...(changed === null ? [] : suspicions(changed, recorded, figure, schedule)),
  ];
  if (strange.length > 0 && !unusual)
    throw new Refusal(strange.map((each) => `${figure} of ${day}: ${each}; to correct it anyway: --unusual`));
  const added: Correction = { day, figure, to: changed, recorded, reason, correctedOn: today };
  replaceFileIfUnchanged(path, text, withCorrection(before.corrections, added));
  const was = recorded === null ? "a value that is not known" : shown(recorded);
  const now = changed === null ? "left out" : shown(changed);
  const onlyIf = "problem" in served ? " where the deployment has a row of the day, which did not answer" : "";
  return `${path}: ${figure} of ${day}: recorded ${was}, now ${now}${onlyIf}; commit it, then npm run deploy`;
}

/** Explains that a correction replaces a row and cannot add one. */
function missingRowText(day: string, figure: string, url: string): string {
  const remedy = figure.startsWith("apy:")
    ? "a day on which no yield was recorded stays without one"
    : "fill the day with npm run history -- backfill, and deploy";
  return `${url} has no row of ${figure} of ${day}, and a correction cannot add one: ${remedy}`;
}

/** Parses an amount with its unit, and returns the value as the file has it. */
function amountOf(to: string, figure: string, decimals: number | null): string {
  const [, digits = "", unit] = /^(-?[\d.]+)\s*(tokens|base_units|%)$/.exec(to) ?? [];
  const isApy = figure.startsWith("apy:");
  if (unitOf({ name: figure }) === "percent") {
    const amount = unit === "%" ? parseAmount(digits, PERCENT_DECIMALS) : undefined;
    if (amount !== undefined) return String(amount);
    throw new Refusal([`--to: must be a percentage, such as 61.5%, not ${JSON.stringify(to)}`], EXIT.unusable);
  }
  if (isApy && unit === "%" && /^-?\d{1,7}(\.\d{1,5})?$/.test(digits)) return String(Number(digits) || 0);
  if (!isApy && unit === "base_units" && /^\d{1,39}$/.test(digits)) return String(BigInt(digits));
  const amount = !isApy && unit === "tokens" && decimals !== null ? parseAmount(digits, decimals) : undefined;
  if (amount !== undefined) return String(amount);
  if (!isApy && unit === "tokens" && decimals === null)
    throw new Refusal(["--to: the token's decimals are not known here; give base_units"]);
  throw new Refusal([
    `--to: must be ${isApy ? "an APY in percent, such as 5.25%" : `an amount with its unit, such as 950000000.5tokens (at most ${decimals} decimals) or 95000000050000000base_units`}, not ${JSON.stringify(to)}`,
  ]);
}

/** Decimals of a figure; null for the stable token, whose decimals only a recorded row has. */
function decimalsOf(figure: string, { token }: Schedule): number | null {
  if (unitOf({ name: figure }) === "percent") return PERCENT_DECIMALS;
  return figure === "stable_supply" ? null : token.decimals;
}

function valueText(value: string, figure: string, decimals: number | null): string {
  if (figure.startsWith("apy:")) return `${value} %`;
  if (decimals === null) return `${value} base units`;
  return `${tokenText(BigInt(value), decimals)} ${unitOf({ name: figure }) === "percent" ? "%" : "tokens"}`;
}

/** Reasons why a value is probably a mistake. */
function suspicions(changed: string, recorded: string | null, figure: string, { maxSupply }: Schedule): string[] {
  const [now, was] = [Number(changed), recorded === null ? null : Number(recorded)];
  const isPercent = unitOf({ name: figure }) === "percent";
  const isNative = figure !== "stable_supply" && !isPercent && !figure.startsWith("apy:");
  return [
    ...(now === 0 ? ["0 is rarely a correct figure"] : []),
    ...(now !== 0 && was !== null && was !== 0 && (now / was > 2 || now / was < 0.5)
      ? [`${changed} is more than twice, or less than half, of the recorded ${recorded}`]
      : []),
    ...(isNative && maxSupply !== null && BigInt(changed) > maxSupply
      ? [`${changed} base units are above the maximum, ${maxSupply}`]
      : []),
  ];
}

/** Reads the value that the deployment serves for this day; `missing` when it has no row. */
async function servedValue(
  day: string,
  figure: string,
  given: string | undefined,
  { fetch, urlOf }: CorrectPorts,
): Promise<RecordedValue | { readonly missing: string }> {
  const url = urlOf(given);
  const product = /^apy:(.*)$/.exec(figure)?.[1];
  const path =
    product === undefined ? `/api/history?figure=${figure}&` : `/api/rates/${encodeURIComponent(product)}/history?`;
  const rows = await servedRows(`${url}${path}from=${day}&to=${day}`, fetch);
  const row = rows.find(({ date }) => date === day);
  const value = row?.[product === undefined ? "base_units" : "apy"];
  if (row === undefined || value === null || value === undefined) return { missing: url };
  const recorded = row["corrected"] === true ? null : String(value);
  return { value: recorded, decimals: product === undefined ? Number(row["decimals"]) : null };
}
