import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText, wholeTokens } from "../chain/amount.ts";
import { monthText } from "./calendar.ts";
import { allSteps, type SupplyStep } from "./circulating.ts";
import { csvLine } from "./csv.ts";
import { bucketsOf, type UnlockSchedule } from "./schedule.ts";
import { nextPlannedUnlock } from "./unlock-events.ts";

/** Published exact amount: tokens as a decimal and base units as an integer, both as text. */
export interface AmountView {
  readonly tokens: string;
  readonly base_units: string;
}

export function amountView(amount: BaseUnits, decimals: number): AmountView {
  return { tokens: tokenText(amount, decimals), base_units: String(amount) };
}

/** Writes a percentage, truncated to four decimals towards zero: `51.0217`, `-0.0001`. */
export function percentText(part: BaseUnits, whole: BaseUnits): string {
  return tokenText(whole === 0n ? 0n : (part * 1_000_000n) / whole, 4);
}

/** Builds the body of `/api/supply` without the chain figures. */
export function supplyView(schedule: UnlockSchedule, step: SupplyStep) {
  const { maxSupply, token, revision } = schedule;
  const amount = (value: BaseUnits): AmountView => amountView(value, token.decimals);
  return {
    max: amount(maxSupply),
    circulating: amount(step.circulating),
    locked: amount(maxSupply - step.circulating),
    circulating_percent: percentText(step.circulating, maxSupply),
    month: monthText(step.effectiveFromMs),
    effective_from: instantText(step.effectiveFromMs),
    next_unlock: nextUnlockView(schedule, step.effectiveFromMs),
    schedule_revision: revision,
  };
}

/**
 * Builds the part of `/api/supply` that is known before the start. The first unlock is what circulates from the start.
 */
export function beforeStartView(schedule: UnlockSchedule) {
  return {
    state: "not_started",
    starts_at: instantText(schedule.calendar.startMs),
    max: amountView(schedule.maxSupply, schedule.token.decimals),
    next_unlock: nextUnlockView(schedule, Number.NEGATIVE_INFINITY),
    schedule_revision: schedule.revision,
  };
}

function nextUnlockView(schedule: UnlockSchedule, afterMs: number) {
  const unlock = nextPlannedUnlock(schedule, afterMs);
  if (unlock === undefined) return null;
  const { decimals } = schedule.token;
  return {
    at: instantText(unlock.atMs),
    amount: amountView(unlock.amount, decimals),
    buckets: unlock.buckets.map(({ bucket: { id, label }, amount }) => ({
      id,
      label,
      amount: amountView(amount, decimals),
    })),
  };
}

/** Path of the published schedule file, which is served beside the page. */
export const SCHEDULE_FILE = "/schedule/native.json";

/** Builds the body of `/api/unlock-schedule`: all steps, past and future. */
export function scheduleView(schedule: UnlockSchedule) {
  const { token, maxSupply, revision, sources, methodology, sha256 } = schedule;
  return {
    token,
    max_supply: amountView(maxSupply, token.decimals),
    revision,
    sources,
    methodology,
    file: sha256 === undefined ? null : { path: SCHEDULE_FILE, sha256 },
    rows: allSteps(schedule).map((row) => ({
      month: monthText(row.effectiveFromMs),
      effective_from: instantText(row.effectiveFromMs),
      circulating: amountView(row.circulating, token.decimals),
      buckets: Object.fromEntries(row.buckets.map(({ id, circulating }) => [id, String(circulating)])),
    })),
  };
}

export const CSV_COLUMNS = ["month", "effective_from", "circulating", "circulating_base_units"];
/** Columns after those of the buckets. */
const UNIT_COLUMNS = ["token", "decimals", "unit"];

/** Writes the CSV cells of a step. `circulating` is in whole tokens, like the bare figure of that month. */
export function csvRow(schedule: UnlockSchedule, row: SupplyStep): string[] {
  return [
    monthText(row.effectiveFromMs),
    instantText(row.effectiveFromMs),
    wholeTokens(row.circulating, schedule.token.decimals),
    String(row.circulating),
  ];
}

export const BUCKET_UNITS = ["base_units", "tokens"] as const;
export type BucketUnit = (typeof BUCKET_UNITS)[number];

/**
 * Writes the body of `/api/unlock-schedule.csv`: a row for each step, with buckets in one unit, then the unit itself.
 */
export function scheduleCsv(schedule: UnlockSchedule, unit: BucketUnit): string {
  const { token } = schedule;
  const ids = bucketsOf(schedule).map(({ id }) => id);
  const cell = (amount: BaseUnits): string => (unit === "tokens" ? tokenText(amount, token.decimals) : String(amount));
  const lines = allSteps(schedule).map((row) => [
    ...csvRow(schedule, row),
    ...row.buckets.map(({ circulating }) => cell(circulating)),
    token.symbol,
    String(token.decimals),
    unit,
  ]);
  return [[...CSV_COLUMNS, ...ids, ...UNIT_COLUMNS], ...lines].map(csvLine).join("");
}
