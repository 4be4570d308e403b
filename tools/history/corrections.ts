import { isRecord, parseJson, repeatedKeys } from "../../src/base/json.ts";
import { dayText, parseDay } from "../../src/base/utc.ts";
import { RECORDED_FIGURES } from "../../src/figures.ts";
import type { Correction } from "../../src/home/history/corrections.ts";

const KEYS = ["day", "figure", "to", "recorded", "reason", "correctedOn"];
const APY = /^apy:[^\p{Cc}]{1,128}$/u;
/** Canonical form of a value: no leading zeros, no trailing zeros after a point, no minus zero. */
const PERCENT = /^(?!-0$)-?(0|[1-9]\d{0,6})(\.\d{0,4}[1-9])?$/;
const BASE_UNITS = /^(0|[1-9]\d{0,38})$/;

/** Corrections of a file without errors. */
export type Corrections = readonly Correction[] & { readonly brand: "Corrections" };

/** Lists the faults of a correction at an instant. */
export function correctionProblems(found: Readonly<Record<string, unknown>>, nowMs: number): string[] {
  const { day, figure, to, recorded = null, reason, correctedOn } = found;
  const isApy = typeof figure === "string" && APY.test(figure);
  const form = isApy ? PERCENT : BASE_UNITS;
  const isValue = (value: unknown) => value === null || (typeof value === "string" && form.test(value));
  return [
    ...dayProblems("day", day, nowMs),
    ...(isApy || RECORDED_FIGURES.some((name) => name === figure)
      ? []
      : [`figure: must be one of ${RECORDED_FIGURES.join(", ")}, or apy:ID of a yield product`]),
    ...(isValue(to)
      ? []
      : [
          `to: must be ${isApy ? "an APY in percent, such as 5.25" : "whole base units, digits without leading zeros"}`,
        ]),
    ...(isValue(recorded) ? [] : ["recorded: must be a value in the unit of to, or null"]),
    ...(typeof reason === "string" && /^[^\p{Cc}]{3,300}$/u.test(reason)
      ? []
      : ["reason: must be a text of 3 to 300 characters in one line"]),
    ...dayProblems("correctedOn", correctedOn, nowMs),
    ...(isDay(day) && isDay(correctedOn) && correctedOn < day && day <= dayText(nowMs)
      ? [`correctedOn: ${correctedOn} is before the day itself, ${day}`]
      : []),
    ...Object.keys(found).flatMap((key) => (KEYS.includes(key) ? [] : [`${key}: unknown key`])),
  ];
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && parseDay(value) !== undefined;
}

function dayProblems(name: string, value: unknown, nowMs: number): string[] {
  if (!isDay(value)) return [`${name}: must be a day that exists, as YYYY-MM-DD`];
  return value > dayText(nowMs) ? [`${name}: must not be in the future`] : [];
}

/** Parses the text of a corrections file, or returns all its problems with their places. */
export function parseCorrections(
  text: string,
  nowMs: number,
): { readonly kind: "corrections"; readonly corrections: Corrections } | { readonly problems: string[] } {
  const list = parseJson(text);
  if (!Array.isArray(list)) return { problems: ["must be a list of corrections"] };
  const problems = list.flatMap((item: unknown, index) =>
    (isRecord(item) ? correctionProblems(item, nowMs) : ["must be an object"]).map(
      (problem) => `[${index}].${problem}`,
    ),
  );
  const keys = list.map((item) => (isRecord(item) ? keyOf(item) : ""));
  for (const [index, key] of keys.entries())
    if (keys.indexOf(key) !== index) problems.push(`[${index}]: ${key} is corrected twice`);
  problems.push(...[...repeatedKeys(text)].map((path) => `${path}: is duplicate`));
  // Cast: every item has been checked.
  return problems.length > 0 ? { problems } : { kind: "corrections", corrections: list as unknown as Corrections };
}

/** Writes the file with one more correction, which replaces an earlier one of the same day and figure. */
export function withCorrection(corrections: readonly Correction[], added: Correction): string {
  const others = corrections.filter((known) => keyOf(known) !== keyOf(added));
  const sorted = [...others, added].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

function keyOf({ day, figure }: Readonly<Record<string, unknown>> | Correction): string {
  return `${day} ${figure}`;
}
