import { type Asset, assetText } from "../chain/asset.ts";
import { feedRoutes } from "../feed/handlers.ts";
import type { Correction } from "../history/corrections.ts";
import { type HistoryPorts, historyRoutes, rateRows } from "../history/handlers.ts";
import { recorderOf } from "../history/recorder.ts";
import type { FigureRow, HistoryFigure } from "../history/rows.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { GetRoute } from "../http/handler.ts";
import { publicFor } from "../http/reply.ts";
import { parseJson } from "../json.ts";
import type { Product } from "../rates/product.ts";
import { type Breakdown, chainAmounts } from "../supply/breakdown.ts";
import { scheduleNews } from "../supply/news.ts";
import type { Supply } from "../supply/onchain.ts";
import type { ChainFigure } from "../supply/onchain-handlers.ts";
import type { Schedule } from "../supply/schedule.ts";
import { maxAgeAt } from "../supply/validity.ts";
import type { CachedValue, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { dayText } from "../utc.ts";
import { type FigurePorts, PATIENCE_MS } from "./cached-figures.ts";

/** The cached figures whose days are recorded. */
export interface RecordedFigures {
  readonly total: ChainFigure;
  /** null: this deployment has none. */
  readonly stable: SwrValue<Supply> | null;
  /** null: the schedule lists no wallet on this chain. */
  readonly breakdown: SwrValue<Breakdown> | null;
  /** null: the schedule lists no wallets for it. */
  readonly circulating: ChainFigure | null;
  readonly burned: ChainFigure | null;
  readonly rates: SwrValue<readonly Product[]>;
}

/** Wires the daily history and the feed, which also reports changes of health. */
export function history(
  ports: FigurePorts,
  figures: RecordedFigures,
): {
  readonly routes: readonly GetRoute[];
  readonly record: (when: RequestTime) => Promise<void>;
} {
  const { schedule, assets, historyStore: store, readAsset, pause } = ports;
  const native = assetText(assets.native);
  const patience = () => pause(PATIENCE_MS);
  const recorder = recorderOf({ store, read: (when) => readings(ports, figures, when, patience) });
  const counted: HistoryPorts["assets"] = {
    total_supply: native,
    stable_supply: assets.stable === null ? null : assetText(assets.stable),
    non_circulating_supply: figures.breakdown === null ? null : native,
    circulating_supply_on_chain: figures.circulating === null ? null : native,
    burned_supply: figures.burned === null ? null : native,
  };
  const isListed: HistoryPorts["isListed"] = async (context, product) => {
    const listing = await figures.rates.read(context);
    return listing.kind === "cached" && listing.value.some(({ id }) => id === product);
  };
  return {
    routes: [
      ...historyRoutes({
        store,
        recorder,
        assets: counted,
        backfill: listOf<FigureRow>(readAsset, "/documents/history.json"),
        corrections: listOf<Correction>(readAsset, "/documents/history-corrections.json"),
        isListed,
        pause,
      }),
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
async function readings(
  { assets, schedule }: FigurePorts,
  figures: RecordedFigures,
  when: RequestTime,
  patience: () => Promise<void>,
) {
  const [total, stable, breakdown, circulating, burned, rates] = await Promise.all([
    figures.total.readWithin(when, patience),
    figures.stable?.readWithin(when, patience),
    figures.breakdown?.readWithin(when, patience),
    figures.circulating?.readWithin(when, patience),
    figures.burned?.readWithin(when, patience),
    figures.rates.readWithin(when, patience),
  ]);
  const wallets = breakdown?.kind === "cached" && isWholeReading(breakdown.value) ? breakdown : undefined;
  const rows = [
    ...figureRow("total_supply", assets.native, total),
    ...figureRow("stable_supply", assets.stable, stable),
    ...figureRow("non_circulating_supply", assets.native, heldIn(schedule, wallets)),
    ...figureRow("circulating_supply_on_chain", assets.native, wallets && circulating),
    ...figureRow("burned_supply", assets.native, wallets && burned),
  ];
  return {
    figures: rows,
    rates: rates.kind === "cached" ? rateRows(confirmedOf(rates), rates.observedAtMs) : [],
    complete: [total, stable, breakdown, circulating, burned, rates].every(
      (value) => value === undefined || (value.kind === "cached" && value.doubts.length === 0),
    ),
  };
}

/** The products whose rates are of this reading. */
function confirmedOf({ value, doubts }: CachedValue<readonly Product[]>): readonly Product[] {
  return value.filter(({ id }) => !doubts.includes(id));
}

type Reading<T> = CachedValue<T> | Unavailable | undefined;

/** Sums are only recorded when all balances were read: otherwise they would be wrong. */
function isWholeReading({ wallets }: Breakdown): boolean {
  return wallets.every(({ anomaly }) => anomaly === null);
}

function heldIn(schedule: Schedule, current: CachedValue<Breakdown> | undefined): Reading<Supply> {
  if (current === undefined) return undefined;
  const { held: baseUnits } = chainAmounts(schedule, current.value);
  const { ledgerVersion } = current.value;
  return { ...current, value: { baseUnits, decimals: schedule.token.decimals, ledgerVersion } };
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

/** A list that the build has validated and written, read on first use; without the file there is nothing in it. */
function listOf<Row>(readAsset: FigurePorts["readAsset"], path: string): () => Promise<readonly Row[]> {
  let rows: readonly Row[] | undefined;
  return async () => {
    if (rows !== undefined) return rows;
    const text = await readAsset(path).catch(() => undefined);
    const stored = text === undefined ? undefined : parseJson(text);
    rows = Array.isArray(stored) ? stored : [];
    return rows;
  };
}
