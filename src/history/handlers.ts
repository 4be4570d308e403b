import { tokenText } from "../chain/amount.ts";
import { type Failure, invalidParameter, isFailure } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { parseQuery, type QueryParams, requestedDays } from "../http/query-params.ts";
import { bodyTag, ok } from "../http/reply.ts";
import { dayText, instantText } from "../utc.ts";
import type { Recorder } from "./recorder.ts";
import {
  type Days,
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
    const days = historyDays(params, dayText(context.nowMs));
    if (isFailure(days)) return days;
    const { figure } = params;
    const wanted = HISTORY_FIGURES.filter((name) => figure === undefined || figure === name);
    if (wanted.length === 0) return invalidParameter(`Parameter figure must be one of ${HISTORY_FIGURES.join(", ")}.`);
    await recordToday(ports, context, days);
    const [observed, backfill] = await Promise.all([ports.store.figures(days), ports.backfill()]);
    if (observed === null) return UNAVAILABLE;
    const rows = mergeRows(observed, backfill, days).filter(
      (row) => wanted.includes(row.figure) && ports.assets[row.figure] === row.asset,
    );
    const today = dayText(context.nowMs);
    const served = wanted.filter((name) => ports.assets[name] !== null);
    const hasToday = served.every((name) => rows.some((row) => row.figure === name && row.day === today));
    return reply(context, type, write(rows, days), days.to < today || hasToday);
  };
}

function rateHistory(ports: HistoryPorts): Handler {
  return async (context) => {
    const params = parseQuery(context.query, ["from", "to"]);
    if (isFailure(params)) return params;
    const days = historyDays(params, dayText(context.nowMs));
    if (isFailure(days)) return days;
    const product = decoded(context.params["id"] ?? "");
    if (product === undefined) return { kind: "unknown_path" };
    await recordToday(ports, context, days);
    const rows = await ports.store.rates(product, days);
    if (rows === null) return UNAVAILABLE;
    if (rows.length === 0 && !(await ports.isListed(context, product))) return { kind: "unknown_path" };
    const data = rows.map(({ product: _product, day, observedAtMs, source, ...rates }) => ({
      date: day,
      ...rates,
      observed_at: instantText(observedAtMs),
      source,
    }));
    const body = JSON.stringify({ id: product, ...days, count: data.length, data });
    const today = dayText(context.nowMs);
    return reply(context, "application/json", body, days.to < today || rows.some(({ day }) => day === today));
  };
}

/** When the hourly check has not run yet, the first request of a day records that day's reading. */
async function recordToday({ recorder, pause }: HistoryPorts, context: RequestContext, days: Days): Promise<void> {
  if (days.to < dayText(context.nowMs)) return;
  const recording = recorder.recordIfDue(context);
  context.waitUntil(recording);
  await Promise.race([recording, pause(RECORD_DEADLINE_MS)]);
}

function reply(context: RequestContext, type: string, body: string, isComplete: boolean): Outcome {
  const toMidnight = secondsToMidnight(context.nowMs);
  const headers = {
    "Content-Type": type,
    "Cache-Control": `public, max-age=${isComplete ? toMidnight : Math.min(toMidnight, INCOMPLETE_SECONDS)}`,
    ETag: bodyTag("history", body),
  };
  return ok(body, headers);
}

/** By default one year up to today, at most ten years. */
function historyDays(params: QueryParams, today: string): Days | Failure {
  const days = requestedDays(params);
  if (isFailure(days)) return days;
  const to = days.to ?? today;
  const from = days.from ?? daysBefore(to, DEFAULT_DAYS);
  if (from > to) return invalidParameter("Parameter from must not be later than to.");
  if (from < daysBefore(to, MAX_DAYS))
    return invalidParameter("Parameters from and to must be at most ten years apart.");
  return { from, to };
}

/** Observed rows, and backfilled rows for the other days. */
function mergeRows(observed: readonly FigureRow[], backfill: readonly FigureRow[], { from, to }: Days): FigureRow[] {
  const key = ({ figure, asset, day }: FigureRow): string => `${day} ${figure} ${asset}`;
  const known = new Set(observed.map(key));
  const missing = backfill.filter((row) => row.day >= from && row.day <= to && !known.has(key(row)));
  return [...observed, ...missing].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const COLUMNS = [
  "date",
  "figure",
  "tokens",
  "base_units",
  "decimals",
  "ledger_version",
  "observed_at",
  "source",
] as const;

function publishedRow(row: FigureRow): Readonly<Record<(typeof COLUMNS)[number], string | number | null>> {
  return {
    date: row.day,
    figure: row.figure,
    tokens: tokenText(BigInt(row.baseUnits), row.decimals),
    base_units: row.baseUnits,
    decimals: row.decimals,
    ledger_version: row.ledgerVersion,
    observed_at: instantText(row.observedAtMs),
    source: row.source,
  };
}

function historyJson(rows: readonly FigureRow[], days: Days): string {
  return JSON.stringify({ ...days, count: rows.length, data: rows.map(publishedRow) });
}

/** No cell needs quoting. */
function historyCsv(rows: readonly FigureRow[]): string {
  const lines = rows.map(publishedRow).map((row) => COLUMNS.map((column) => row[column] ?? "").join(","));
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\n`).join("");
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The rates of a listing as rows of the day on which they were read. */
export function rateRows(
  products: readonly (Omit<RateRow, "product" | "day" | "observedAtMs"> & { readonly id: string })[],
  observedAtMs: number,
): RateRow[] {
  const day = dayText(observedAtMs);
  return products.map(({ id, apy, apy_base, apy_reward, tvl, tvl_usd, source }) => ({
    product: id,
    day,
    apy,
    apy_base,
    apy_reward,
    tvl,
    tvl_usd,
    observedAtMs,
    source,
  }));
}
