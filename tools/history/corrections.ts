import { isRecord, parseJson } from "../../src/base/json.ts";
import { parseDay } from "../../src/base/utc.ts";
import { RECORDED_FIGURES } from "../../src/figures.ts";
import type { Correction } from "../../src/home/history/corrections.ts";

const KEYS = ["day", "figure", "to", "recorded", "reason", "correctedOn"];
const APY = /^apy:[^\p{Cc}]{1,128}$/u;

/** What is wrong with a correction, one line each; empty: nothing. */
export function correctionProblems(found: Readonly<Record<string, unknown>>): string[] {
  const { day, figure, to, recorded = null, reason, correctedOn } = found;
  const isApy = typeof figure === "string" && APY.test(figure);
  const form = isApy ? /^-?\d{1,7}(\.\d{1,5})?$/ : /^\d{1,39}$/;
  return [
    ...(isDay(day) ? [] : ["day: must be a day that exists, as YYYY-MM-DD"]),
    ...(isApy || RECORDED_FIGURES.some((name) => name === figure)
      ? []
      : [`figure: must be one of ${RECORDED_FIGURES.join(", ")}, or apy:ID of a yield product`]),
    ...(to === null || (typeof to === "string" && form.test(to))
      ? []
      : [`to: must be ${isApy ? "an APY in percent, such as 5.25" : "whole base units, digits only"}`]),
    ...(recorded === null || typeof recorded === "string"
      ? []
      : ["recorded: must be a value in the unit of to, or null"]),
    ...(typeof reason === "string" && /^[^\p{Cc}]{3,300}$/u.test(reason)
      ? []
      : ["reason: must be a text of 3 to 300 characters in one line"]),
    ...(isDay(correctedOn) ? [] : ["correctedOn: must be a day that exists, as YYYY-MM-DD"]),
    ...Object.keys(found).flatMap((key) => (KEYS.includes(key) ? [] : [`${key}: unknown key`])),
  ];
}

function isDay(value: unknown): boolean {
  return typeof value === "string" && parseDay(value) !== undefined;
}

/** The corrections of a file's text, or all its problems with their places. */
export function parseCorrections(
  text: string,
): { readonly kind: "corrections"; readonly corrections: readonly Correction[] } | { readonly problems: string[] } {
  const list = parseJson(text);
  if (!Array.isArray(list)) return { problems: ["must be a list of corrections"] };
  const problems = list.flatMap((item: unknown, index) =>
    (isRecord(item) ? correctionProblems(item) : ["must be an object"]).map((problem) => `[${index}].${problem}`),
  );
  const keys = list.map((item) => (isRecord(item) ? keyOf(item) : ""));
  for (const [index, key] of keys.entries())
    if (keys.indexOf(key) !== index) problems.push(`[${index}]: ${key} is corrected twice`);
  return problems.length > 0 ? { problems } : { kind: "corrections", corrections: list };
}

/** The text of the file with one more correction, which replaces another of the same day and figure. */
export function withCorrection(corrections: readonly Correction[], added: Correction): string {
  const others = corrections.filter((known) => keyOf(known) !== keyOf(added));
  const sorted = [...others, added].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

function keyOf({ day, figure }: Readonly<Record<string, unknown>> | Correction): string {
  return `${day} ${figure}`;
}
