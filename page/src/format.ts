import { wholeTokens as wholeDigits } from "../../src/chain/amount.ts";

const DAY_SECONDS = 86_400;
const MAX_COLUMN_CHARACTERS = 16;
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** `672869584.29` to `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Whole tokens of an amount in base units, with separators, rounded towards zero; `< 1` for a part of a token. */
export function tokensOf(baseUnits: bigint, decimals: number): string {
  const digits = wholeDigits(baseUnits, decimals);
  return digits === "0" && baseUnits > 0n ? "< 1" : wholeTokens(digits);
}

/** The same for a column: an amount that no column has room for in a few digits. */
export function columnOf(baseUnits: bigint, decimals: number): string {
  const exact = tokensOf(baseUnits, decimals);
  return exact.length > MAX_COLUMN_CHARACTERS ? compactOf(baseUnits, decimals) : exact;
}

/** The same with a sign in front, for a change. */
export function changeOf(baseUnits: bigint, decimals: number): string {
  return `${baseUnits > 0n ? "+" : ""}${columnOf(baseUnits, decimals)}`;
}

/** The parts of code between which a line may be broken: before what divides an address, and after a space. */
export function codeParts(code: string): string[] {
  return code.split(/(?<=\s)|(?<![:/])(?=[/?&])/);
}

/** A large amount in a few digits: `672.87M`. For display beside an exact figure, never instead of one. */
export function compact(amount: number): string {
  if (Math.abs(amount) >= 1e16) return amount.toExponential(1).replace("e+", " × 10^");
  return COMPACT.format(amount);
}

/** The same of base units. */
export function compactOf(baseUnits: bigint, decimals: number): string {
  return compact(Number(baseUnits) / 10 ** decimals);
}

/** `2026-12-12T00:00:00Z` to `12 Dec 2026`, in UTC, the time zone of the schedule. */
export function dayOf(instant: string | number): string {
  return DAY.format(new Date(instant)).replace("Sept", "Sep");
}

/** `2026-12-12T00:00:00Z` to `Dec 2026`. */
export function monthOf(instant: string | number): string {
  return dayOf(instant).replace(/^\d+ /, "");
}

/** `14:03`: the time of a reading, on the reader's own clock. */
export function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Remaining time: `in 20 days`, within two days in hours, within the last hour in minutes. */
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

/** How long: `45 seconds`, `3 minutes`, `1 hour`, `12 days`. */
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

/** A rate in percent; a dash when it is unknown. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate.toFixed(2)} %`;
}

/** Exact share of a whole in percent with two decimals, rounded half up; a dash where the whole is not positive. */
export function share(part: bigint, whole: bigint): string {
  if (whole <= 0n) return "–";
  const sign = part < 0n ? "-" : "";
  const magnitude = part < 0n ? -part : part;
  const hundredths = (magnitude * 20_000n + whole) / (2n * whole);
  if (magnitude > 0n && hundredths === 0n) return "< 0.01 %";
  return `${sign}${wholeTokens(String(hundredths / 100n))}.${String(hundredths % 100n).padStart(2, "0")} %`;
}
