import { assetText } from "../chain/asset.ts";
import { feedRoutes } from "../feed/handlers.ts";
import { decimalsOf, FIGURES, type Offer, type RecordedFigure, whyAbsent } from "../figures.ts";
import { historyRoutes } from "../history/handlers.ts";
import { recorderOf } from "../history/recorder.ts";
import { type FigureRow, type RateRow, rateRows } from "../history/rows.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { ReadToken } from "../holdings/reader.ts";
import { figureIn, type Reading } from "../holdings/reading.ts";
import type { GetRoute } from "../http/handler.ts";
import { publicFor } from "../http/reply.ts";
import { type Product, staleAtMs } from "../rates/product.ts";
import type { Products } from "../rates/published.ts";
import { scheduleNews } from "../supply/news.ts";
import type { Schedule } from "../supply/schedule.ts";
import { maxAgeAt } from "../supply/validity.ts";
import type { CachedValue, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { DAY_MS, dayText } from "../utc.ts";
import { currentOf, type FigurePorts, type Sources } from "./cached-figures.ts";
import type { StakingIn } from "./products.ts";

/** Wires the daily history and the feed, which also reports changes of health. */
export function history(
  ports: FigurePorts,
  sources: Sources,
  offer: Offer,
  offered: Products | null,
  stakingIn: StakingIn,
): {
  readonly routes: readonly GetRoute[];
  readonly record: (when: RequestTime) => Promise<void>;
} {
  const { schedule, config, historyStore: store, backfill, corrections, pause } = ports;
  const kept = FIGURES.flatMap((row) => (row.recorded ? [{ row, reason: whyAbsent(row, offer) }] : []));
  const absent = new Map(kept.flatMap(({ row, reason }) => (reason === null ? [] : [[row.name, reason] as const])));
  const counted = new Map(
    kept.flatMap(({ row, reason }) => {
      const asset = config.assets[row.source];
      return reason === null && asset !== null ? [[row.name, assetText(asset)] as const] : [];
    }),
  );
  const recorder = recorderOf({ store, read: (when) => knownRows(ports, sources, counted, when, stakingIn) });
  return {
    routes: [
      ...historyRoutes({
        store,
        recorder,
        assets: counted,
        absent,
        backfill,
        corrections,
        findProduct: offered?.find ?? null,
        pause,
      }),
      ...feedRoutes({
        title: `${schedule.token.name} (${schedule.token.symbol}) supply`,
        entries: async ({ nowMs }) => [...scheduleNews(schedule, nowMs), ...(await healthEntries(store))],
        cacheControl: (nowMs) => publicFor(maxAgeAt(schedule, nowMs)),
      }),
    ],
    record: async (when) => {
      if (!(await recorder.record(when))) throw new Error("the history has not taken the day");
    },
  };
}

const MAX_HEALTH_ENTRIES = 20;

async function healthEntries(store: HistoryStore) {
  const changes = (await store.healthChanges(MAX_HEALTH_ENTRIES)) ?? [];
  return changes.map(({ atMs, status, reason }) => ({
    id: `health/${atMs}`,
    title: `Service health: ${status}`,
    updatedAtMs: atMs,
    summary: reason,
    link: "/api/health",
  }));
}

/** The currently known figures. Those of one token are all of one reading, and dated by it. */
async function knownRows(
  { schedule }: FigurePorts,
  sources: Sources,
  counted: ReadonlyMap<RecordedFigure, string>,
  when: RequestTime,
  stakingIn: StakingIn,
) {
  const { native, stable, rates } = await currentOf(sources, when);
  const figures = [
    ...figureRows(schedule, "native", native, counted),
    ...figureRows(schedule, "stable", stable, counted),
  ];
  const listed = rates?.kind === "cached" ? rateRows(confirmedOf(rates), rates.observedAtMs) : [];
  const staking = native?.kind === "cached" && counted.has("staked_supply") ? stakingRow(native, stakingIn) : [];
  return {
    figures,
    // The chain's own first: a day has room for as many products as a listing may have.
    rates: [...staking, ...listed],
    complete:
      figures.length === counted.size &&
      [native, stable, rates].every((each) => each === undefined || each.kind === "cached") &&
      (rates?.kind !== "cached" || rates.doubts.length === 0),
  };
}

/** Only of this reading: what was read before is of another time. */
function stakingRow({ value, observedAtMs }: CachedValue<Reading>, stakingIn: StakingIn): RateRow[] {
  const product = value.staking?.unreadable === null ? stakingIn(value) : "";
  return typeof product === "string" ? [] : rateRows([product], observedAtMs);
}

/** The products whose rates are of this reading, and not out of date. */
function confirmedOf({ value, doubts, observedAtMs }: CachedValue<readonly Product[]>): readonly Product[] {
  return value.filter((product) => !doubts.includes(product.id) && staleAtMs(product) > observedAtMs);
}

/** From when on a day gets those of its rows that it can have. */
const EVENING_MS = DAY_MS * 0.75;

/**
 * The figures of one token of which every balance is of this reading. The rows of a day belong together: until the
 * evening they are those of a reading that has them all.
 */
function figureRows(
  schedule: Schedule,
  token: ReadToken,
  current: CachedValue<Reading> | Unavailable | undefined,
  counted: ReadonlyMap<RecordedFigure, string>,
): FigureRow[] {
  if (current?.kind !== "cached") return [];
  const { observedAtMs, value } = current;
  const wanted = FIGURES.flatMap((row) => {
    const asset = row.source === token ? counted.get(row.name) : undefined;
    return row.source === "schedule" || asset === undefined ? [] : [{ row, asset }];
  });
  const rows = wanted.flatMap(({ row, asset }): FigureRow[] => {
    const amount = figureIn(value, row, schedule);
    if ("reason" in amount) return [];
    return [
      {
        figure: row.name,
        asset,
        day: dayText(observedAtMs),
        baseUnits: String(amount.baseUnits),
        decimals: decimalsOf(row, value.decimals),
        ledgerVersion: String(value.ledgerVersion),
        observedAtMs,
        source: "observed",
        witnesses: amount.witnesses,
      },
    ];
  });
  return rows.length < wanted.length && observedAtMs % DAY_MS < EVENING_MS ? [] : rows;
}
