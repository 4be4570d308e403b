import { DAY_MS } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { parseAmount } from "../../../src/supply/file/amount.ts";
import type { Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { addMonths } from "../months.ts";
import { NEVER_MS, sum, type Unlock } from "../plan/unlocks.ts";
import type { Emissions, Rule, Section } from "./driver.ts";

/** Unlocks of a file in another format, from which a schedule is written. */
export interface ImportedUnlocks {
  /** Unlocks; a negative amount is taken back by the file, as for a burn. */
  readonly unlocks: readonly Unlock[];
  readonly categories: ReadonlyMap<string, Category>;
  /** Base units; undefined when the file states none. */
  readonly maxSupply: bigint | undefined;
  readonly notes: readonly string[];
}

/** Our category for each of DefiLlama's. For their `noncirculating` the operator decides whether it unlocks. */
const CATEGORY_OF: ReadonlyMap<string, Category> = new Map([
  ["insiders", "team"],
  ["privateSale", "investors"],
  ["publicSale", "public_sale"],
  ["airdrop", "airdrop"],
  ["farming", "community"],
  ["staking", "staking"],
  ["liquidity", "liquidity"],
  ["noncirculating", "treasury"],
]);

export interface EmissionsChoices {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly decimals: number;
  /** Base units; undefined: the file's total is the maximum. */
  readonly maxSupply: bigint | undefined;
  readonly noncirculating: "locked" | "counted" | undefined;
  /** Unreadable sections that the operator takes as never unlocking. */
  readonly setAside: readonly string[];
}

/** Returns the unlocks of an evaluated file, or refuses with every reason why they cannot be trusted. */
export function unlocksOfEmissions(emissions: Emissions, choices: EmissionsChoices): ImportedUnlocks {
  const { sections, total, categories, incomplete } = emissions;
  const { name: file, decimals, noncirculating, setAside } = choices;
  const locked = new Set(categories["noncirculating"] ?? []);
  const asked = sections.filter(({ name }) => locked.has(name)).map(({ name }) => name);
  const reasons = sections.flatMap((section) => {
    const reason = reasonOf(section);
    return reason === undefined ? [] : [{ name: section.name, reason }];
  });
  const open = reasons.filter(({ name }) => !setAside.includes(name));
  const unknown = setAside.filter((name) => !reasons.some((each) => each.name === name));
  const read = sections.filter(({ name }) => !setAside.includes(name));
  const starts = read.flatMap((each) => ("rules" in each ? each.rules.map(({ start }) => start * 1000) : []));
  const baseMs = dayOf(Math.min(...starts));
  const isLocked = (name: string): boolean => noncirculating === "locked" && locked.has(name);
  const unlocks = open.length > 0 ? [] : read.flatMap((each) => unlocksOf(each, baseMs, decimals, isLocked(each.name)));
  const sums =
    open.length > 0 ? "" : `; its sections add up to ${tokenText(sum(unlocks.map(({ units }) => units)), decimals)}`;
  const refused = [
    ...(sections.length === 0 ? ["has no sections, so it is not an emissions file"] : []),
    ...open.map(({ name, reason }) => `${name}: ${reason}`),
    ...(asked.length > 0 && noncirculating === undefined
      ? [`--noncirculating locked|counted: missing; DefiLlama does not count these as unlocked: ${asked.join(", ")}`]
      : []),
    ...unknown.map((name) => `--set-aside ${name}: the file has no unreadable section of that name`),
    ...(total === undefined && choices.maxSupply === undefined
      ? [`--max-supply: missing; the file has no meta.total, the maximum in tokens${sums}`]
      : []),
  ].map((reason) => `${file}: ${reason}`);
  const advice =
    open.length === 0 ? [] : ["--set-aside SECTION treats a section that cannot be read as never unlocking"];
  if (refused.length > 0) throw new Refusal([...refused.slice(0, 20), ...advice]);
  const byName = Object.entries(categories).flatMap(([theirs, names]) =>
    names.map((name): [string, Category] => [name, CATEGORY_OF.get(theirs) ?? "other"]),
  );
  return {
    unlocks,
    categories: new Map(byName),
    maxSupply: total === undefined ? undefined : totalOf(total, decimals),
    notes: [
      ...(noncirculating === undefined ? [] : [`--noncirculating ${noncirculating} applies to: ${asked.join(", ")}`]),
      ...setAside.map((name) => `${name} cannot be read and is taken as never unlocking`),
      ...incomplete.map((name) => `${name} continues in DefiLlama beyond its rules; only the rules are read`),
    ],
  };
}

const FIRST_INSTANT = Date.UTC(2001, 0) / 1000;
const MAX_STEPS = 10_000;

/** Reason why a section is not read; undefined: it is. */
function reasonOf(section: Section): string | undefined {
  if ("refused" in section) return section.refused;
  return [...section.rules, ...section.undated].map(faultOf).find((fault) => fault !== undefined);
}

function faultOf(rule: Rule): string | undefined {
  const { start, amount } = rule;
  if (!(start >= FIRST_INSTANT)) return `${start} is not a Unix time from 2001 on`;
  if (!Number.isFinite(amount)) return "an amount is not a number";
  if (rule.type === "cliff") return undefined;
  if (amount < 0) return `${amount} unlocks over time, but a negative amount is only possible at one instant`;
  if (rule.type === "linear" && rule.end < FIRST_INSTANT) return `${rule.end} is not a Unix time from 2001 on`;
  if (rule.type === "linear")
    return rule.end < start ? `ends on ${dayName(rule.end)}, before it begins on ${dayName(start)}` : undefined;
  if (!Number.isInteger(rule.steps) || rule.steps < 1) return `${rule.steps} steps: must be a whole number above 0`;
  return rule.steps > MAX_STEPS || !(rule.stepDuration > 0)
    ? `${rule.steps} steps of ${rule.stepDuration} s`
    : undefined;
}

const dayName = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function unlocksOf(section: Section, baseMs: number, decimals: number, isLocked: boolean): readonly Unlock[] {
  if ("refused" in section) return [];
  const { name: bucket, rules, undated } = section;
  const source = `the section "${bucket}"`;
  const never = (units: bigint, what = source) => ({ bucket, fromMs: NEVER_MS, toMs: NEVER_MS, units, source: what });
  const rounded = rules.map((rule) => unitsOf(amountOf(rule), decimals));
  // Computed amounts carry rounding errors. Where their sum is a short number, the largest amount takes the difference
  // to it.
  const isExact = rules.every((rule) => isExactDouble(amountOf(rule)));
  const whole = isExact ? undefined : shortOf(rules.reduce((all, rule) => all + amountOf(rule), 0));
  const difference = whole === undefined ? 0n : unitsOf(whole, decimals) - sum(rounded);
  const largest = rounded.reduce((best, units, at) => (units > (rounded[best] ?? 0n) ? at : best), 0);
  const unlocks = rules.flatMap((rule, at): readonly Unlock[] => {
    const amount = (rounded[at] ?? 0n) + (at === largest ? difference : 0n);
    if (amount === 0n) return [];
    if (isLocked && amount > 0n) return [never(amount)];
    return datedAmountsOf(rule, amount, baseMs).map(([fromMs, toMs, units]) => ({
      bucket,
      fromMs,
      toMs,
      units,
      source,
    }));
  });
  const what = `${source}, of which a part has no date yet`;
  return [...unlocks, ...undated.map((rule) => never(unitsOf(amountOf(rule), decimals), what))];
}

function amountOf(rule: Rule): number {
  return rule.type === "step" ? rule.amount * rule.steps : rule.amount;
}

/** Mean month, by which most files count. */
const MONTH_MS = 2_629_743_000;

/** Amount that unlocks evenly from one instant to another. */
type DatedAmount = readonly [fromMs: number, toMs: number, units: bigint];

/** Turns a rule into unlocks on UTC days. Mean months and years become those of the calendar. */
function datedAmountsOf(rule: Rule, units: bigint, baseMs: number): readonly DatedAmount[] {
  const startMs = rule.start * 1000;
  const fromMs = calendarDay(startMs, baseMs);
  if (rule.type === "cliff") return [[fromMs, fromMs, units]];
  if (rule.type === "linear") return [[dayOf(startMs), dayOf(rule.end * 1000), units]];
  const upTo = (part: number): bigint => (units * BigInt(part)) / BigInt(rule.steps);
  return Array.from({ length: rule.steps }, (_, part) => {
    const dayMs = calendarDay(startMs + (part + 1) * rule.stepDuration * 1000, fromMs);
    return [dayMs, dayMs, upTo(part + 1) - upTo(part)];
  });
}

const MAX_DRIFT_MS = 3 * DAY_MS;

/**
 * Returns the UTC day of an instant. An instant that is not at midnight, and lies within three days of a whole number of
 * calendar months after `baseMs`, counts as that day.
 */
function calendarDay(ms: number, baseMs: number): number {
  if (ms % DAY_MS === 0) return ms;
  const near = addMonths(baseMs, Math.round((ms - baseMs) / MONTH_MS));
  return Math.abs(near - ms) <= MAX_DRIFT_MS ? near : dayOf(ms);
}

/** Digits that every double keeps. A number written with at most these is exact. */
export const DOUBLE_DIGITS = 15;

/** Whether a double is a number with so few digits that it is exact. */
function isExactDouble(amount: number): boolean {
  return String(amount).replace(/^0\.0*|\D/g, "").length <= DOUBLE_DIGITS;
}

/** Returns the number of 13 digits that a double stands for, if it is within 1e-15 of one. */
function shortOf(amount: number): number | undefined {
  const short = Number(amount.toPrecision(13));
  return Math.abs(short - amount) <= 1e-15 * Math.abs(amount) ? short : undefined;
}

/** Reads the total, which is written and not computed: below 2^53 base units a double keeps it exactly. */
function totalOf(total: number, decimals: number): bigint {
  const units = parseAmount(String(total), decimals);
  return units !== undefined && Number.isSafeInteger(Number(units)) ? units : unitsOf(total, decimals);
}

/** Converts a double to base units; digits beyond the token's decimals are cut. */
function unitsOf(amount: number, decimals: number): bigint {
  if (amount < 0) return -unitsOf(-amount, decimals);
  const value = isExactDouble(amount) ? amount : (shortOf(amount) ?? amount);
  const text = /e/.test(String(value)) ? value.toFixed(Math.min(decimals, 30)) : String(value);
  const [whole = "0", fraction = ""] = text.split(".");
  return parseAmount(decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals).padEnd(1, "0")}`, decimals) ?? 0n;
}
