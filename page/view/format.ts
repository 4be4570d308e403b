import { compact, compactDigits, MINUS, wholeTokens } from "../../src/base/shown-figures.ts";
import { wholeTokens as wholeDigits } from "../../src/chain/amount.ts";

const DAY_SECONDS = 86_400;
const MAX_COLUMN_CHARACTERS = 16;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * Formats whole tokens of an amount in base units, with separators, rounded towards zero; `< 1` for a part of a token.
 */
export function tokensOf(baseUnits: bigint, decimals: number): string {
  const digits = wholeDigits(baseUnits, decimals);
  return digits === "0" && baseUnits > 0n ? "< 1" : wholeTokens(digits);
}

/** Formats every digit, so that a reader can add amounts up: `672,869,584.29000000`. */
export function exactOf(baseUnits: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const whole = wholeTokens(String(baseUnits / unit));
  return decimals === 0 ? whole : `${whole}.${String(baseUnits % unit).padStart(decimals, "0")}`;
}

/** Formats an amount for a column; an amount that is too wide is abbreviated. */
export function columnOf(baseUnits: bigint, decimals: number): string {
  const exact = tokensOf(baseUnits, decimals);
  return exact.length > MAX_COLUMN_CHARACTERS ? compactOf(baseUnits, decimals) : exact;
}

/** Formats a change for a column, with a sign in front. */
export function changeOf(baseUnits: bigint, decimals: number): string {
  const text = columnOf(baseUnits < 0n ? -baseUnits : baseUnits, decimals);
  const sign = baseUnits < 0n ? MINUS : baseUnits > 0n ? "+" : "";
  return text.startsWith("<") ? text : sign + text;
}

/**
 * Splits code into parts between which a line may break: before `/`, `?` and `&` in an address, after `::`, a comma and
 * a space.
 */
export function codeParts(code: string): string[] {
  return code.split(/(?<=[\s,])|(?=\n)|(?<=::)|(?<![:/])(?=[/?&])/);
}

/**
 * Abbreviates an amount of base units, for display beside an exact figure. In a column all amounts have as many
 * decimals.
 */
export function compactOf(baseUnits: bigint, decimals: number, isColumn = false): string {
  if (baseUnits < 0n) return `${MINUS}${compactOf(-baseUnits, decimals, isColumn)}`;
  const digits = wholeDigits(baseUnits, decimals);
  if (digits.length > 3) return compactDigits(digits, isColumn);
  // Digits are cut before the conversion to a number, which would round 999.999999999999999999 to a thousand.
  return compact(Number((baseUnits * 100n) / 10n ** BigInt(decimals)) / 100);
}

/** Abbreviates an amount with one decimal: `677.4M`. */
export function tenthsOf(amount: bigint, decimals: number): string {
  return compactOf(amount, decimals).replace(/(\.\d)\d/, "$1");
}

/** `2026-12-12T00:00:00Z` to `12 Dec 2026`, in UTC, the time zone of the schedule. */
export function dayOf(instant: string | number): string {
  const date = new Date(instant);
  return `${date.getUTCDate()} ${monthName(date).slice(0, 3)} ${date.getUTCFullYear()}`;
}

/** Formats `2026-12-12T00:00:00Z` as `December 2026`. */
export function longMonthOf(instant: string | number): string {
  const date = new Date(instant);
  return `${monthName(date)} ${date.getUTCFullYear()}`;
}

/**
 * Returns the English name of a month. `Intl` would load the locale's data, which takes tens of milliseconds before the
 * first paint.
 */
function monthName(date: Date): string {
  return MONTHS[date.getUTCMonth()] ?? "";
}

/** Formats `2026-12-12T00:00:00Z` as `Dec 2026`. */
export function monthOf(instant: string | number): string {
  return dayOf(instant).replace(/^\d+ /, "");
}

/** Formats an instant as `12 Dec 2026, 14:03 UTC`: a time is never shown without its day. */
export function timeOf(ms: number): string {
  return `${dayOf(ms)}, ${new Date(ms).toISOString().slice(11, 16)} UTC`;
}

/** Formats a remaining time: `in 20 days`, below two days in hours, below two hours in minutes. */
export function timeLeft(seconds: number): string {
  const [minutes, hours, days] = [seconds / 60, seconds / 3_600, seconds / DAY_SECONDS].map(Math.floor) as [
    number,
    number,
    number,
  ];
  if (seconds <= 0) return "now";
  if (days >= 2) return `in ${days} days`;
  if (hours >= 2) return `in ${hours} hours`;
  return minutes === 1 ? "in 1 minute" : minutes < 1 ? "in less than a minute" : `in ${minutes} minutes`;
}

/** Formats a duration: `45 seconds`, `3 minutes`, `1 hour`, `12 days`. */
export function duration(seconds: number): string {
  const [amount, unit] =
    seconds < 60
      ? [seconds, "second"]
      : seconds < 3_600
        ? [seconds / 60, "minute"]
        : seconds < DAY_SECONDS
          ? [seconds / 3_600, "hour"]
          : [seconds / DAY_SECONDS, "day"];
  const whole = Math.floor(amount as number);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}

/**
 * Share of a whole in percent, rounded down. Nothing and all have no decimals, and no other amount is rounded to them.
 * A dash where the whole is not positive.
 */
export function share(part: bigint, whole: bigint, decimals = 2): string {
  if (whole <= 0n) return "–";
  if (part < 0n) return `${MINUS}${share(-part, whole, decimals)}`;
  if (part === 0n || part === whole) return part === 0n ? "0%" : "100%";
  const unit = 10n ** BigInt(decimals);
  const units = (part * 100n * unit) / whole;
  return units === 0n ? `< ${exactOf(1n, decimals)}%` : `${exactOf(units, decimals)}%`;
}

/** Shares of a part and of the rest, which add up to 100 as they are displayed. */
export function sharesOf(part: bigint, whole: bigint, decimals: number): readonly [string, string] {
  const unit = 10n ** BigInt(decimals);
  const units = whole > 0n ? (part * 100n * unit) / whole : 0n;
  return [share(part, whole, decimals), share(100n * unit - units, 100n * unit, decimals)];
}

/** Share of a growth, with a sign where it is a number; empty where the whole is not positive. */
export function growthOf(part: bigint, whole: bigint): string {
  const text = whole > 0n ? share(part, whole) : "";
  return /^\d/.test(text) ? `+${text}` : text;
}

/** Whether an amount is at least one whole token. No warning is given of less, which is the rounding of an unlock. */
export function isWhole(amount: bigint, decimals: number): boolean {
  return amount >= 10n ** BigInt(decimals);
}

/** Formats a difference in whole tokens; less than one is `0`. */
export function differenceOf(amount: bigint, decimals: number): string {
  return isWhole(amount, decimals) || isWhole(-amount, decimals) ? changeOf(amount, decimals) : "0";
}

/** Formats `1` as `1st`. */
export function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${number}${(isTeen ? undefined : ["th", "st", "nd", "rd"][number % 10]) ?? "th"}`;
}
