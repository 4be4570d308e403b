import { type Asset, assetText } from "../chain/asset.ts";
import { feedRoutes } from "../feed/handlers.ts";
import { type HistoryPorts, historyRoutes, rateRows } from "../history/handlers.ts";
import { recorderOf } from "../history/recorder.ts";
import type { FigureRow, HistoryFigure } from "../history/rows.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { GetRoute } from "../http/handler.ts";
import { publicFor } from "../http/reply.ts";
import { parseJson } from "../json.ts";
import type { Product } from "../rates/product.ts";
import type { Assets } from "../supply/asset.ts";
import type { Breakdown } from "../supply/breakdown.ts";
import { sumOf } from "../supply/breakdown-handlers.ts";
import { scheduleNews } from "../supply/news.ts";
import type { Supply } from "../supply/onchain.ts";
import { maxAgeAt } from "../supply/validity.ts";
import type { CachedValue, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { dayText } from "../utc.ts";
import { type FigurePorts, PATIENCE_MS } from "./cached-figures.ts";

/** The cached figures whose days are recorded. */
export interface RecordedFigures {
  readonly total: SwrValue<Supply>;
  /** null: this deployment has none. */
  readonly stable: SwrValue<Supply> | null;
  /** null: the schedule lists no wallet on this chain. */
  readonly breakdown: SwrValue<Breakdown> | null;
  readonly rates: SwrValue<readonly Product[]>;
}

/** Wires the daily history and the feed, which also reports changes of health. */
export function history(
  { schedule, assets, historyStore: store, readAsset, pause }: FigurePorts,
  figures: RecordedFigures,
): {
  readonly routes: readonly GetRoute[];
  readonly record: (when: RequestTime) => Promise<void>;
} {
  const native = assetText(assets.native);
  const patience = () => pause(PATIENCE_MS);
  const recorder = recorderOf({ store, read: (when) => readings(assets, figures, when, patience) });
  const counted: HistoryPorts["assets"] = {
    total_supply: native,
    stable_supply: assets.stable === null ? null : assetText(assets.stable),
    non_circulating_supply: figures.breakdown === null ? null : native,
  };
  const isListed: HistoryPorts["isListed"] = async (context, product) => {
    const listing = await figures.rates.read(context);
    return listing.kind === "cached" && listing.value.some(({ id }) => id === product);
  };
  return {
    routes: [
      ...historyRoutes({ store, recorder, assets: counted, backfill: backfillOf(readAsset), isListed, pause }),
      ...feedRoutes({
        title: `${schedule.token.name} (${schedule.token.symbol}) supply`,
        entries: async ({ nowMs }) => [...scheduleNews(schedule, nowMs), ...(await healthEntries(store))],
        cacheControl: (nowMs) => publicFor(maxAgeAt(schedule, nowMs)),
      }),
    ],
    record: (when) => recorder.record(when),
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

/** The currently known figures, each dated by its own reading. */
async function readings(assets: Assets, figures: RecordedFigures, when: RequestTime, patience: () => Promise<void>) {
  const [total, stable, breakdown, rates] = await Promise.all([
    figures.total.readWithin(when, patience),
    figures.stable?.readWithin(when, patience),
    figures.breakdown?.readWithin(when, patience),
    figures.rates.readWithin(when, patience),
  ]);
  const rows = [
    ...figureRow("total_supply", assets.native, total),
    ...figureRow("stable_supply", assets.stable, stable),
    ...(total.kind === "cached"
      ? figureRow("non_circulating_supply", assets.native, lockedSum(breakdown, total.value.decimals))
      : []),
  ];
  return {
    figures: rows,
    rates: rates.kind === "cached" ? rateRows(rates.value, rates.observedAtMs) : [],
    complete: [total, stable, breakdown, rates].every((value) => value === undefined || value.kind === "cached"),
  };
}

type Reading<T> = CachedValue<T> | Unavailable | undefined;

/** A sum is only recorded when all balances were read: otherwise it would be too low. */
function lockedSum(current: Reading<Breakdown>, decimals: number): Reading<Supply> {
  if (current?.kind !== "cached" || current.value.wallets.some(({ anomaly }) => anomaly !== null)) return undefined;
  const { wallets, ledgerVersion } = current.value;
  return { ...current, value: { baseUnits: sumOf(wallets), decimals, ledgerVersion } };
}

function figureRow(figure: HistoryFigure, asset: Asset | null, current: Reading<Supply>): FigureRow[] {
  if (asset === null || current?.kind !== "cached") return [];
  const { observedAtMs } = current;
  const { baseUnits, decimals, ledgerVersion } = current.value;
  return [
    {
      figure,
      asset: assetText(asset),
      day: dayText(observedAtMs),
      baseUnits: String(baseUnits),
      decimals,
      ledgerVersion: ledgerVersion?.toString() ?? null,
      observedAtMs,
      source: "observed",
    },
  ];
}

/** Read on first use. The build writes the file from validated rows; without it there are none. */
function backfillOf(readAsset: FigurePorts["readAsset"]): () => Promise<readonly FigureRow[]> {
  let rows: readonly FigureRow[] | undefined;
  return async () => {
    if (rows !== undefined) return rows;
    const text = await readAsset("/documents/history.json").catch(() => undefined);
    const stored = text === undefined ? undefined : parseJson(text);
    rows = Array.isArray(stored) ? stored : [];
    return rows;
  };
}
