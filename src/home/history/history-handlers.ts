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
import { type Corrected, type Correction, correctedRows, correctionsView } from "./corrections.ts";
import { KeptYears } from "./kept-years.ts";
import { correctedRates, daysOfMeans, withMeans } from "./means.ts";
import { type Days, daysBefore, type FigureRow, type RateRow, secondsToMidnight, versionsOf } from "./rows.ts";

/** The stored history. Calls never reject; null: the store did not respond. */
export interface HistoryStore {
  readonly figures: (days: Days) => Promise<FigureRow[] | null>;
  readonly rates: (product: string, days: Days) => Promise<RateRow[] | null>;
}

export interface HistoryPorts {
  readonly store: HistoryStore;
  /** Has everything read whose rows today may lack. Never rejects. */
  readonly readToday: (when: RequestTime) => Promise<unknown>;
  /** The asset of each figure that this deployment records; rows of other assets are not returned. */
  readonly assets: ReadonlyMap<RecordedFigure, string>;
  /** Why this deployment does not record the others. */
  readonly absent: ReadonlyMap<RecordedFigure, string>;
  /** Whether rows name a version of each chain of the token. */
  readonly isOnSeveral?: boolean;
  /** Rows read later from an archive node, for days without an observation; null: they cannot be read. */
  readonly backfill: () => Promise<readonly FigureRow[] | null>;
  /** What the operator has corrected since; null: it cannot be read. */
  readonly corrections: () => Promise<readonly Correction[] | null>;
  /** The product of an id, which may exist without a row. null: this deployment has no products. */
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
/** Of the bodies that an isolate keeps for a path. A year is half a million, and milliseconds of writing. */
const MAX_KEPT_CHARACTERS = 4_194_304;
/** What an entry costs besides its body. */
const OVERHEAD_CHARACTERS = 500;
/** A request waits no longer than this for today's first reading. */
const READ_DEADLINE_MS = 2_000;
/** Minimum interval between attempts of one isolate to complete a day on request; the hourly check always tries. */
const RETRY_MS = 60_000;
const UNAVAILABLE: Failure = { kind: "unavailable", message: "The history cannot be read now.", retryAfterSeconds: 5 };

export function historyRoutes(ports: HistoryPorts): GetRoute[] {
  const years = keptFigures(ports);
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

/** A body, and whether it contains a day's row. */
interface Page {
  readonly body: string;
  readonly has: (day: string) => boolean;
}

type Load = (days: Days, params: QueryParams, context: RequestContext) => Promise<Page | Failure>;

type ReadToday = (context: RequestContext) => Promise<boolean>;

function historyHandler(readToday: ReadToday, names: readonly string[], type: string, load: Load): Handler {
  const finished = new BoundedMap<string, Reply>(
    MAX_KEPT_CHARACTERS,
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
    const known = finished.get(key);
    if (known !== undefined) return cacheableFor(toMidnight, known);
    let page = await load(days, params, context);
    const isMissing = !isFailure(page) && days.to >= today && !page.has(today);
    if (isMissing && (await readToday(context))) page = await load(days, params, context);
    if (isFailure(page)) return page;
    const reply = tagged("history", page.body, type, {});
    // No row of a day changes once it is there.
    if (days.to <= today && page.has(days.to)) finished.set(key, reply);
    const isComplete = days.to < today || page.has(today);
    return cacheableFor(isComplete ? toMidnight : Math.min(toMidnight, INCOMPLETE_SECONDS), reply);
  });
}

function cacheableFor(seconds: number, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, "Cache-Control": publicFor(seconds) } };
}

/** When the hourly check has not run yet, the first request of a day leads to its readings. false: one did just now. */
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
  rows: readonly Corrected<FigureRow>[],
  days: Days,
  corrections: ReturnType<typeof correctionsView>,
  absent: HistoryPorts["absent"],
  isOnSeveral: boolean,
) => string;

/** All figures of the assets that count, for every range, figure and form. */
function keptFigures({ store, assets }: HistoryPorts): KeptYears<FigureRow> {
  return new KeptYears({
    load: async (_series, days) => (await store.figures(days))?.filter((row) => isCounted(row, assets)) ?? null,
    isWhole: (rows) => [...assets.keys()].every((name) => rows.some(({ figure }) => figure === name)),
  });
}

function isCounted({ figure, asset }: FigureRow, assets: HistoryPorts["assets"]): boolean {
  return assets.get(figure) === asset;
}

function figureHistory(ports: HistoryPorts, years: KeptYears<FigureRow>, write: WriteFigures): Load {
  const { backfill, corrections, assets, absent } = ports;
  return async (days, { figure }, { nowMs }) => {
    const wanted = RECORDED_FIGURES.filter((name) => figure === undefined || figure === name);
    const [observed, added, known] = await Promise.all([years.rowsOf("", days, nowMs), backfill(), corrections()]);
    if (observed === null || added === null || known === null) return UNAVAILABLE;
    const merged = mergeRows(observed, added, days).filter(
      (row) => wanted.includes(row.figure) && isCounted(row, assets),
    );
    const rows = correctedRows(
      merged,
      known,
      (row) => row.figure,
      (row, baseUnits) => ({ ...row, baseUnits }),
    );
    const served = wanted.filter((name) => assets.has(name));
    return {
      body: write(rows, days, correctionsView(known, days, wanted), absent, ports.isOnSeveral ?? false),
      has: (day) => served.every((name) => rows.some((row) => row.figure === name && row.day === day)),
    };
  };
}

function rateHistory({ store, corrections }: HistoryPorts, findProduct: FindProduct): Load {
  const years = new KeptYears<RateRow>({
    load: (product, days) => store.rates(product, days),
    isWhole: (rows) => rows.length > 0,
  });
  return async (days, _params, context) => {
    const product = decodeSegment(context.params["id"] ?? "");
    const figure = `apy:${product}`;
    const counted = daysOfMeans(days);
    const [recorded, known] = await Promise.all([years.rowsOf(product, counted, context.nowMs), corrections()]);
    if (recorded === null || known === null) return UNAVAILABLE;
    const rows = withMeans(correctedRates(recorded, known)).filter(({ day }) => day >= days.from);
    const found = recorded.length === 0 ? await findProduct(context, product) : null;
    if (found?.kind === "unavailable") return unavailable("The list of products is", found);
    if (found?.kind === "cached" && found.value === undefined) return unknownProduct(product);
    const data = rows.map(({ product: _product, day, observedAtMs, source, corrected, ...rates }) => ({
      date: day,
      ...rates,
      observed_at: instantText(observedAtMs),
      source,
      corrected,
    }));
    const listed = correctionsView(known, days, [figure]);
    const body = JSON.stringify({ id: product, ...days, count: data.length, data, corrections: listed });
    return { body, has: (wanted) => rows.some(({ day }) => day === wanted) };
  };
}

function unknownProduct(product: string): Failure {
  const named = JSON.stringify(product.slice(0, 40));
  return { kind: "not_found", message: `There is no product ${named}. Every product is listed at /api/rates.` };
}

/** By default one year up to today, at most ten years. */
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

/** Observed rows, and backfilled rows for the other days. */
function mergeRows(observed: readonly FigureRow[], backfill: readonly FigureRow[], { from, to }: Days): FigureRow[] {
  const key = ({ figure, asset, day }: FigureRow): string => `${day} ${figure} ${asset}`;
  const known = new Set(observed.map(key));
  const missing = backfill.filter((row) => row.day >= from && row.day <= to && !known.has(key(row)));
  return [...observed, ...missing].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A row as it is published, in JSON and in CSV. */
const COLUMNS: Readonly<Record<string, (row: Corrected<FigureRow>) => string | number | boolean | null>> = {
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

const historyJson: WriteFigures = (rows, days, corrections, absent, isOnSeveral) => {
  const data = rows.map((row) => ({
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(row)])),
    ...(isOnSeveral && { ledger_versions: versionsOf(row) }),
  }));
  return JSON.stringify({ ...days, count: rows.length, data, corrections, absent: Object.fromEntries(absent) });
};

/** Amounts of each day, in base units, that the page's chart and table show. */
const pageJson: WriteFigures = (rows, days) => {
  const ofDays = Map.groupBy(rows, ({ day }) => day);
  const data = [...ofDays].map(([date, ofDay]) => {
    const unitsOf = (name: RecordedFigure) => ofDay.find(({ figure }) => figure === name)?.baseUnits ?? null;
    return { date, total_supply: unitsOf("total_supply"), non_circulating_supply: unitsOf("non_circulating_supply") };
  });
  return JSON.stringify({ ...days, count: data.length, data });
};

/** No cell needs quoting. */
const historyCsv: WriteFigures = (rows, _days, _corrections, _absent, isOnSeveral) => {
  const columns = {
    ...COLUMNS,
    ...(isOnSeveral && { ledger_versions: ({ versions }: FigureRow) => versions ?? "" }),
  };
  const lines = rows.map((row) => Object.values(columns).map((read) => read(row) ?? ""));
  return [Object.keys(columns), ...lines].map((cells) => `${cells.join()}\n`).join("");
};
