import { BoundedMap } from "../../base/memo.ts";
import { dayText, instantText } from "../../base/utc.ts";
import { tokenText } from "../../chain/amount.ts";
import { decodeSegment } from "../../chain/parameters.ts";
import { RECORDED_FIGURES, type RecordedFigure } from "../../figures.ts";
import { type Failure, invalidParameter, isFailure } from "../../http/failure.ts";
import type { GetRoute, Handler, RequestContext } from "../../http/handler.ts";
import { type QueryParams, requestedDays, withQuery } from "../../http/query-params.ts";
import { publicFor, type Reply, tagged } from "../../http/reply.ts";
import { type CachedValue, type Unavailable, unavailable } from "../../swr/cached-value.ts";
import type { RequestTime } from "../../swr/loader.ts";
import { CachedYears } from "./cached-years.ts";
import { type Corrected, type Correction, correctionsView, withCorrections } from "./corrections.ts";
import { correctedRates, daysOfMeans, withMeans } from "./means.ts";
import { type Days, daysBefore, type RateRow, type RecordedFigureRow, secondsToMidnight, versionsOf } from "./rows.ts";

/** Store of the recorded rows. Calls never reject; null: the store did not respond. */
export interface HistoryStore {
  readonly figures: (days: Days) => Promise<RecordedFigureRow[] | null>;
  readonly rates: (product: string, days: Days) => Promise<RateRow[] | null>;
}

export interface HistoryPorts {
  readonly store: HistoryStore;
  /** Starts the readings that rows of today may come from. Never rejects. */
  readonly readToday: (when: RequestTime) => Promise<unknown>;
  /** Series of each figure that this deployment records; rows of other series are not returned. */
  readonly series: ReadonlyMap<RecordedFigure, string>;
  /** Reason for each figure that this deployment does not record. */
  readonly notOffered: ReadonlyMap<RecordedFigure, string>;
  /** Whether the token is on several chains, so that rows have the version of each chain. */
  readonly hasSeveralChains?: boolean;
  /** Reads the rows that were added later from an archive node; null: they cannot be read. */
  readonly backfill: () => Promise<readonly RecordedFigureRow[] | null>;
  /** Reads the operator's corrections; null: they cannot be read. */
  readonly corrections: () => Promise<readonly Correction[] | null>;
  /** Finds a product by its id; a listed product may have no row yet. null: this deployment has no products. */
  readonly findProduct: FindProduct | null;
  readonly pause: (milliseconds: number) => Promise<void>;
}

type FindProduct = (
  when: RequestTime,
  id: string,
) => Promise<Pick<CachedValue<object | undefined>, "kind" | "value"> | Unavailable>;

/** Lifetime of a response while today's row is missing. */
const INCOMPLETE_SECONDS = 300;
const DEFAULT_DAYS = 365;
const MAX_DAYS = 3_653;
/** Characters of the bodies that an isolate caches for a path. A year has half a million, which take milliseconds to write. */
const MAX_CACHED_CHARACTERS = 4_194_304;
/** Characters that a cache entry counts besides its body. */
const OVERHEAD_CHARACTERS = 500;
/** How long a request waits for the first reading of today. */
const READ_DEADLINE_MS = 2_000;
/** Minimum interval between attempts of one isolate to complete a day on request; the hourly check always tries. */
const RETRY_MS = 60_000;
const UNAVAILABLE: Failure = { kind: "unavailable", message: "The history cannot be read now.", retryAfterSeconds: 5 };

export function historyRoutes(ports: HistoryPorts): GetRoute[] {
  const years = cachedFigures(ports);
  const readToday = todaysReader(ports);
  const figures = (type: string, write: WriteFigures): Handler =>
    historyHandler(readToday, ["figure"], type, figureHistory(ports, years, write));
  const daysOfPage = figures("application/json", pageJson);
  return [
    { path: "/api/history", period: "from and to", handler: figures("application/json", historyJson) },
    { path: "/api/page/history", handler: (context) => daysOfPage({ ...context, query: "" }) },
    { path: "/api/history.csv", period: "from and to", handler: figures("text/csv; charset=utf-8", historyCsv) },
    ...(ports.findProduct === null
      ? []
      : [
          {
            path: "/api/rates/:id/history",
            period: "from and to" as const,
            handler: historyHandler(readToday, [], "application/json", rateHistory(ports, ports.findProduct)),
          },
        ]),
  ];
}

/** A response body. `has`: whether the body contains every row of a day. */
interface HistoryBody {
  readonly body: string;
  readonly has: (day: string) => boolean;
}

type LoadBody = (days: Days, params: QueryParams, context: RequestContext) => Promise<HistoryBody | Failure>;

type ReadToday = (context: RequestContext) => Promise<boolean>;

function historyHandler(readToday: ReadToday, names: readonly string[], type: string, load: LoadBody): Handler {
  const completeReplies = new BoundedMap<string, Reply>(
    MAX_CACHED_CHARACTERS,
    (key, { body }) => key.length + String(body).length + OVERHEAD_CHARACTERS,
  );
  return withQuery([...names, "from", "to"], async (params, context) => {
    const today = dayText(context.nowMs);
    const days = historyDays(params, today);
    if (isFailure(days)) return days;
    const { figure } = params;
    if (figure !== undefined && !RECORDED_FIGURES.some((name) => name === figure))
      return invalidParameter(`Parameter figure must be one of ${RECORDED_FIGURES.join(", ")}.`);
    const toMidnight = secondsToMidnight(context.nowMs);
    const key = JSON.stringify([context.params, figure, days]);
    const cached = completeReplies.get(key);
    if (cached !== undefined) return cacheableFor(toMidnight, cached);
    let result = await load(days, params, context);
    const isMissing = !isFailure(result) && days.to >= today && !result.has(today);
    if (isMissing && (await readToday(context))) result = await load(days, params, context);
    if (isFailure(result)) return result;
    const reply = tagged("history", result.body, type, {});
    // A row never changes, so a body with the last day's rows is complete for good.
    if (days.to <= today && result.has(days.to)) completeReplies.set(key, reply);
    const isComplete = days.to < today || result.has(today);
    return cacheableFor(isComplete ? toMidnight : Math.min(toMidnight, INCOMPLETE_SECONDS), reply);
  });
}

function cacheableFor(seconds: number, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, "Cache-Control": publicFor(seconds) } };
}

/**
 * Starts the readings of today at the first request that lacks their rows, in case the hourly check has not run yet.
 * The reader returns false when it has tried within the last minute.
 */
function todaysReader({ readToday, pause }: HistoryPorts): ReadToday {
  let triedAtMs = Number.NEGATIVE_INFINITY;
  return async (context) => {
    if (Math.abs(context.nowMs - triedAtMs) < RETRY_MS) return false;
    triedAtMs = context.nowMs;
    const reading = readToday(context);
    context.waitUntil(reading);
    await Promise.race([reading, pause(READ_DEADLINE_MS)]);
    return true;
  };
}

type WriteFigures = (
  rows: readonly Corrected<RecordedFigureRow>[],
  days: Days,
  corrections: ReturnType<typeof correctionsView>,
  notOffered: HistoryPorts["notOffered"],
  hasSeveralChains: boolean,
) => string;

/** Creates the cache of figure rows that all ranges, figures and forms are made of. */
function cachedFigures({ store, series }: HistoryPorts): CachedYears<RecordedFigureRow> {
  return new CachedYears({
    load: async (_series, days) => (await store.figures(days))?.filter((row) => isShown(row, series)) ?? null,
    isComplete: (rows) => [...series.keys()].every((name) => rows.some(({ figure }) => figure === name)),
  });
}

function isShown({ figure, series }: RecordedFigureRow, shown: HistoryPorts["series"]): boolean {
  return shown.get(figure) === series;
}

function figureHistory(ports: HistoryPorts, years: CachedYears<RecordedFigureRow>, write: WriteFigures): LoadBody {
  const { backfill, corrections, series, notOffered } = ports;
  return async (days, { figure }, { nowMs }) => {
    const requested = RECORDED_FIGURES.filter((name) => figure === undefined || figure === name);
    const [observed, backfilled, published] = await Promise.all([
      years.rowsOf("", days, nowMs),
      backfill(),
      corrections(),
    ]);
    if (observed === null || backfilled === null || published === null) return UNAVAILABLE;
    const merged = mergeRows(observed, backfilled, days).filter(
      (row) => requested.includes(row.figure) && isShown(row, series),
    );
    const rows = withCorrections(
      merged,
      published,
      (row) => row.figure,
      (row, baseUnits) => ({ ...row, baseUnits }),
    );
    const expected = requested.filter((name) => series.has(name));
    return {
      body: write(rows, days, correctionsView(published, days, requested), notOffered, ports.hasSeveralChains ?? false),
      has: (day) => expected.every((name) => rows.some((row) => row.figure === name && row.day === day)),
    };
  };
}

function rateHistory({ store, corrections }: HistoryPorts, findProduct: FindProduct): LoadBody {
  const years = new CachedYears<RateRow>({
    load: (product, days) => store.rates(product, days),
    isComplete: (rows) => rows.length > 0,
  });
  return async (days, _params, context) => {
    const product = decodeSegment(context.params["id"] ?? "");
    const figure = `apy:${product}`;
    const daysToRead = daysOfMeans(days);
    const [recorded, published] = await Promise.all([years.rowsOf(product, daysToRead, context.nowMs), corrections()]);
    if (recorded === null || published === null) return UNAVAILABLE;
    const rows = withMeans(correctedRates(recorded, published)).filter(({ day }) => day >= days.from);
    const listed = recorded.length === 0 ? await findProduct(context, product) : null;
    if (listed?.kind === "unavailable") return unavailable("The list of products is", listed);
    if (listed?.kind === "cached" && listed.value === undefined) return unknownProduct(product);
    const data = rows.map(({ product: _product, day, observedAtMs, source, corrected, ...rates }) => ({
      date: day,
      ...rates,
      observed_at: instantText(observedAtMs),
      source,
      corrected,
    }));
    const shownCorrections = correctionsView(published, days, [figure]);
    const body = JSON.stringify({ id: product, ...days, count: data.length, data, corrections: shownCorrections });
    return { body, has: (requestedDay) => rows.some(({ day }) => day === requestedDay) };
  };
}

function unknownProduct(product: string): Failure {
  const id = JSON.stringify(product.slice(0, 40));
  return { kind: "not_found", message: `There is no product ${id}. Every product is listed at /api/rates.` };
}

/** Parses the requested range: by default one year up to today, at most ten years. */
function historyDays(params: QueryParams, today: string): Days | Failure {
  const days = requestedDays(params);
  if (isFailure(days)) return days;
  const to = days.to ?? today;
  const from = days.from ?? daysBefore(to, DEFAULT_DAYS);
  if (from > to) return invalidParameter("Parameter from must not be later than today.");
  if (from < daysBefore(to, MAX_DAYS))
    return invalidParameter("Parameters from and to must be at most ten years apart.");
  return { from, to };
}

/** Merges observed rows with backfilled rows for the days that have no observation. */
function mergeRows(
  observed: readonly RecordedFigureRow[],
  backfill: readonly RecordedFigureRow[],
  { from, to }: Days,
): RecordedFigureRow[] {
  const key = ({ figure, series, day }: RecordedFigureRow): string => `${day} ${figure} ${series}`;
  const observedKeys = new Set(observed.map(key));
  const missing = backfill.filter((row) => row.day >= from && row.day <= to && !observedKeys.has(key(row)));
  return [...observed, ...missing].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Published columns of a row, in JSON and in CSV. */
const COLUMNS: Readonly<Record<string, (row: Corrected<RecordedFigureRow>) => string | number | boolean | null>> = {
  date: ({ day }) => day,
  figure: ({ figure }) => figure,
  tokens: ({ baseUnits, decimals }) => tokenText(BigInt(baseUnits), decimals),
  base_units: ({ baseUnits }) => baseUnits,
  decimals: ({ decimals }) => decimals,
  ledger_version: ({ ledgerVersion }) => ledgerVersion,
  observed_at: ({ observedAtMs }) => instantText(observedAtMs),
  source: ({ source }) => source,
  corrected: ({ corrected }) => corrected,
  witnesses: ({ witnesses }) => witnesses,
};

const historyJson: WriteFigures = (rows, days, corrections, notOffered, hasSeveralChains) => {
  const data = rows.map((row) => ({
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(row)])),
    ...(hasSeveralChains && { ledger_versions: versionsOf(row) }),
  }));
  return JSON.stringify({ ...days, count: rows.length, data, corrections, absent: Object.fromEntries(notOffered) });
};

/** Writes what the page's chart and table show: two amounts of each day, in base units. */
const pageJson: WriteFigures = (rows, days) => {
  const ofDays = Map.groupBy(rows, ({ day }) => day);
  const data = [...ofDays].map(([date, ofDay]) => {
    const unitsOf = (name: RecordedFigure) => ofDay.find(({ figure }) => figure === name)?.baseUnits ?? null;
    return { date, total_supply: unitsOf("total_supply"), non_circulating_supply: unitsOf("non_circulating_supply") };
  });
  return JSON.stringify({ ...days, count: data.length, data });
};

/** Writes CSV without quoting: no cell has a comma, a quote or a line break. */
const historyCsv: WriteFigures = (rows, _days, _corrections, _notOffered, hasSeveralChains) => {
  const columns = {
    ...COLUMNS,
    ...(hasSeveralChains && { ledger_versions: ({ versions }: RecordedFigureRow) => versions ?? "" }),
  };
  const lines = rows.map((row) => Object.values(columns).map((read) => read(row) ?? ""));
  return [Object.keys(columns), ...lines].map((cells) => `${cells.join()}\n`).join("");
};
