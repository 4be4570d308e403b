import { fnv1aHex } from "../hash/fnv1a.ts";
import { applyConditional } from "../http/conditional.ts";
import type { Failure } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { parseQuery } from "../http/query-params.ts";
import { instantText } from "../utc.ts";
import type { Recorder } from "./recorder.ts";
import {
  type Days,
  dayOf,
  daysBefore,
  type FigureRow,
  HISTORY_FIGURES,
  type HistoryFigure,
  type HistoryStore,
  type RateRow,
  secondsToMidnight,
} from "./rows.ts";

export interface HistoryPorts {
  readonly store: HistoryStore;
  readonly recorder: Pick<Recorder, "recordIfDue">;
  /** The asset of each figure in this deployment; rows of other assets are not returned. */
  readonly assets: Readonly<Record<HistoryFigure, string | null>>;
  /** Rows read later from an archive node, for days without an observation. */
  readonly backfill: () => Promise<readonly FigureRow[]>;
  /** Whether a product is currently listed: it may exist without a row. */
  readonly isListed: (context: RequestContext, product: string) => Promise<boolean>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Lifetime of a response while today's row is missing. */
const INCOMPLETE_SECONDS = 300;
const DEFAULT_DAYS = 365;
const MAX_DAYS = 3_653;
/** A request waits no longer than this for today's first reading. */
const RECORD_DEADLINE_MS = 2_000;
const RETRY_SECONDS = 5;
const UNAVAILABLE: Failure = {
  kind: "unavailable",
  message: "The history cannot be read now.",
  retryAfterSeconds: RETRY_SECONDS,
};

export function historyRoutes(ports: HistoryPorts): { readonly path: string; readonly handler: Handler }[] {
  return [
    { path: "/api/history", handler: figureHistory(ports, "application/json", historyJson) },
    { path: "/api/history.csv", handler: figureHistory(ports, "text/csv; charset=utf-8", historyCsv) },
    { path: "/api/rates/:id/history", handler: rateHistory(ports) },
  ];
}

function figureHistory(
  ports: HistoryPorts,
  type: string,
  write: (rows: readonly FigureRow[], days: Days) => string,
): Handler {
  return async (context) => {
    const params = parseQuery(context.query, ["figure", "from", "to"]);
    if (isFailure(params)) return params;
    const days = requestedDays(params, dayOf(context.nowMs));
    if (isFailure(days)) return days;
    const { figure } = params;
    const wanted = HISTORY_FIGURES.filter((name) => figure === undefined || figure === name);
    if (wanted.length === 0) return invalid(`Parameter figure must be one of ${HISTORY_FIGURES.join(", ")}.`);
    await recordToday(ports, context, days);
    const [observed, backfill] = await Promise.all([ports.store.figures(days), ports.backfill()]);
    if (observed === null) return UNAVAILABLE;
    const rows = mergeRows(observed, backfill, days).filter(
      (row) => wanted.includes(row.figure) && ports.assets[row.figure] === row.asset,
    );
    const today = dayOf(context.nowMs);
    const served = wanted.filter((name) => ports.assets[name] !== null);
    const hasToday = served.every((name) => rows.some((row) => row.figure === name && row.day === today));
    return reply(context, type, write(rows, days), days.to < today || hasToday);
  };
}

function rateHistory(ports: HistoryPorts): Handler {
  return async (context) => {
    const params = parseQuery(context.query, ["from", "to"]);
    if (isFailure(params)) return params;
    const days = requestedDays(params, dayOf(context.nowMs));
    if (isFailure(days)) return days;
    const product = decoded(context.params["id"] ?? "");
    if (product === undefined) return { kind: "unknown_path" };
    await recordToday(ports, context, days);
    const rows = await ports.store.rates(product, days);
    if (rows === null) return UNAVAILABLE;
    if (rows.length === 0 && !(await ports.isListed(context, product))) return { kind: "unknown_path" };
    const data = rows.map(({ day, apy, apyBase, apyReward, tvl, tvlUsd, observedAtMs, source }) => ({
      date: day,
      apy,
      apy_base: apyBase,
      apy_reward: apyReward,
      tvl,
      tvl_usd: tvlUsd,
      observed_at: instantText(observedAtMs),
      source,
    }));
    const body = JSON.stringify({ id: product, ...days, count: data.length, data });
    const today = dayOf(context.nowMs);
    return reply(context, "application/json", body, days.to < today || rows.some(({ day }) => day === today));
  };
}

/** When the hourly check has not run yet, the first request of a day records that day's reading. */
async function recordToday({ recorder, pause }: HistoryPorts, context: RequestContext, days: Days): Promise<void> {
  if (days.to < dayOf(context.nowMs)) return;
  const recording = recorder.recordIfDue(context);
  context.waitUntil(recording);
  await Promise.race([recording, pause(RECORD_DEADLINE_MS)]);
}

function reply(context: RequestContext, type: string, body: string, isComplete: boolean): Outcome {
  const toMidnight = secondsToMidnight(context.nowMs);
  const headers = {
    "Content-Type": type,
    "Cache-Control": `public, max-age=${isComplete ? toMidnight : Math.min(toMidnight, INCOMPLETE_SECONDS)}`,
    ETag: `"history-${fnv1aHex(body)}-${body.length.toString(36)}"`,
  };
  return applyConditional({ kind: "reply", status: 200, headers, body }, context.request);
}

/** The days of `?from=&to=`: by default one year up to today, at most ten years. */
function requestedDays(params: Readonly<Record<string, string>>, today: string): Days | Failure {
  const { from, to } = params;
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day))
      return invalid(`Parameter ${name} must be a day that exists as YYYY-MM-DD, for example 2026-03-31.`);
  const last = to ?? today;
  const first = from ?? daysBefore(last, DEFAULT_DAYS);
  if (first > last) return invalid("Parameter from must not be later than to.");
  if (first < daysBefore(last, MAX_DAYS)) return invalid("Parameters from and to must be at most ten years apart.");
  return { from: first, to: last };
}

function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

/** Observed rows, and backfilled rows for the other days. */
function mergeRows(observed: readonly FigureRow[], backfill: readonly FigureRow[], { from, to }: Days): FigureRow[] {
  const key = ({ figure, asset, day }: FigureRow): string => `${day} ${figure} ${asset}`;
  const known = new Set(observed.map(key));
  const missing = backfill.filter((row) => row.day >= from && row.day <= to && !known.has(key(row)));
  return [...observed, ...missing].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function historyJson(rows: readonly FigureRow[], days: Days): string {
  return JSON.stringify({
    ...days,
    count: rows.length,
    data: rows.map((row) => ({
      date: row.day,
      figure: row.figure,
      tokens: tokensOf(row),
      base_units: row.baseUnits,
      decimals: row.decimals,
      ledger_version: row.ledgerVersion,
      observed_at: instantText(row.observedAtMs),
      source: row.source,
    })),
  });
}

const CSV_HEADER = "date,figure,tokens,base_units,decimals,ledger_version,observed_at,source";

/** No cell needs quoting. */
function historyCsv(rows: readonly FigureRow[]): string {
  const lines = rows.map((row) =>
    [
      row.day,
      row.figure,
      tokensOf(row),
      row.baseUnits,
      row.decimals,
      row.ledgerVersion ?? "",
      instantText(row.observedAtMs),
      row.source,
    ].join(","),
  );
  return [CSV_HEADER, ...lines].map((line) => `${line}\n`).join("");
}

/** An amount in base units as an exact number of tokens. */
function tokensOf({ baseUnits, decimals }: Pick<FigureRow, "baseUnits" | "decimals">): string {
  const digits = baseUnits.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isFailure(value: object): value is Failure {
  return "kind" in value;
}

function invalid(message: string): Failure {
  return { kind: "invalid_input", message };
}

/** The rates of a listing as rows of the day on which they were read. */
export function rateRows(
  products: readonly {
    readonly id: string;
    readonly apy: number | null;
    readonly apy_base: number | null;
    readonly apy_reward: number | null;
    readonly tvl: string | null;
    readonly tvl_usd: number | null;
    readonly source: string;
  }[],
  observedAtMs: number,
): RateRow[] {
  return products.map(({ id, apy, apy_base, apy_reward, tvl, tvl_usd, source }) => ({
    product: id,
    day: dayOf(observedAtMs),
    apy,
    apyBase: apy_base,
    apyReward: apy_reward,
    tvl,
    tvlUsd: tvl_usd,
    observedAtMs,
    source,
  }));
}
