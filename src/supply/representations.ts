import { type BaseUnits, tokenText, wholeTokens } from "./amount.ts";
import { instantText, monthText } from "./calendar.ts";
import { nextUnlock, rows, type SupplyStep } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";

/** An exact amount as it is published: decimal tokens and integer base units, both as text. */
export interface AmountView {
  readonly tokens: string;
  readonly base_units: string;
}

export function amountView(amount: BaseUnits, decimals: number): AmountView {
  return { tokens: tokenText(amount, decimals), base_units: String(amount) };
}

/** The body of `/api/supply`, but for what comes from the chain. */
export function supplyView(schedule: Schedule, standing: SupplyStep) {
  const { maxSupply, token, revision } = schedule;
  const amount = (value: BaseUnits): AmountView => amountView(value, token.decimals);
  return {
    max: amount(maxSupply),
    circulating: amount(standing.circulating),
    locked: amount(maxSupply - standing.circulating),
    circulating_percent: tokenText((standing.circulating * 1_000_000n) / maxSupply, 4),
    month: monthText(standing.effectiveFromMs),
    effective_from: instantText(standing.effectiveFromMs),
    next_unlock: unlockView(schedule, standing.index),
    schedule_revision: revision,
  };
}

function unlockView(schedule: Schedule, index: number) {
  const unlock = nextUnlock(schedule, index);
  if (unlock === undefined) return null;
  const { plan, token } = schedule;
  const labels = new Map(plan.kind === "buckets" ? plan.buckets.map(({ id, label }) => [id, label]) : []);
  return {
    at: instantText(unlock.atMs),
    amount: amountView(unlock.amount, token.decimals),
    buckets: unlock.buckets.map(({ id, amount }) => ({
      id,
      label: labels.get(id) ?? id,
      amount: amountView(amount, token.decimals),
    })),
  };
}

/** The body of `/api/unlock-schedule`: every step, past and future. */
export function scheduleView(schedule: Schedule) {
  const { token, maxSupply, revision, sources, methodology } = schedule;
  return {
    token,
    max_supply: amountView(maxSupply, token.decimals),
    revision,
    sources,
    methodology,
    rows: rows(schedule).map((row) => ({
      month: monthText(row.effectiveFromMs),
      effective_from: instantText(row.effectiveFromMs),
      circulating: amountView(row.circulating, token.decimals),
      buckets: Object.fromEntries(row.buckets.map(({ id, circulating }) => [id, String(circulating)])),
    })),
  };
}

export const CSV_COLUMNS = ["month", "effective_from", "circulating", "circulating_base_units"];

/** One row of figures: `circulating` is whole tokens, as the bare number of that month. */
export function csvRow(schedule: Schedule, row: SupplyStep): string[] {
  return [
    monthText(row.effectiveFromMs),
    instantText(row.effectiveFromMs),
    wholeTokens(row.circulating, schedule.token.decimals),
    String(row.circulating),
  ];
}

/** The body of `/api/unlock-schedule.csv`: the rows, then each bucket's base units. No cell needs quoting. */
export function scheduleCsv(schedule: Schedule): string {
  const ids = schedule.plan.kind === "buckets" ? schedule.plan.buckets.map(({ id }) => id) : [];
  const lines = rows(schedule).map((row) => [
    ...csvRow(schedule, row),
    ...row.buckets.map(({ circulating }) => String(circulating)),
  ]);
  return [[...CSV_COLUMNS, ...ids], ...lines].map((cells) => `${cells.join(",")}\n`).join("");
}
