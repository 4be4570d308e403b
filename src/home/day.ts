import { DAY_MS, dayText } from "../base/utc.ts";
import type { Config } from "../config.ts";
import { decimalsOf, FIGURES, type RecordedFigure, whyNotOffered } from "../figures.ts";
import { figureIn } from "../onchain/chain-figures.ts";
import { confirmedPart, versionsText } from "../onchain/confirmation.ts";
import type { CountedToken } from "../onchain/reader.ts";
import { hasSeveralChains, type Reading } from "../onchain/reading.ts";
import type { ListingMemory } from "../rates/gate.ts";
import type { RecordedPrice } from "../rates/price-growth.ts";
import { type Product, staleAtMs } from "../rates/product.ts";
import { capabilitiesOf, settingsCapabilities } from "../supply/capabilities.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { Sample } from "../swr/loader.ts";
import { figureSeries, type RateRow, type RecordedFigureRow, rateRows } from "./history/rows.ts";
import { priceRows } from "./share-prices.ts";
import type { MakeStakingProduct } from "./staking.ts";

/** The last accepted readings of the tokens and of the listing. */
export interface LastReadings extends Readonly<Record<CountedToken, Sample<Reading> | null>> {
  readonly listing: ListingMemory;
}

/** Rows that a day may lack. */
interface RowsOfDay {
  readonly figures: readonly RecordedFigureRow[];
  readonly rates: readonly RateRow[];
  readonly prices: readonly RecordedPrice[];
}

/** Schedule and settings that the rows of a day depend on, besides readings. */
export interface DayRowInputs {
  readonly schedule: Schedule;
  /** Series of each recorded figure. */
  readonly series: ReadonlyMap<RecordedFigure, string>;
  readonly stakingProduct: MakeStakingProduct;
}

/** Lists the recorded figures with their series, and the reason for each figure that this deployment does not record. */
export function recordedFigures(schedule: Schedule, config: Config) {
  const capabilities = capabilitiesOf(settingsCapabilities(config), schedule);
  const series = new Map<RecordedFigure, string>();
  const { chainId } = config.chains[0].chain;
  const notOffered = new Map<RecordedFigure, string>();
  for (const row of FIGURES) {
    if (!row.recorded) continue;
    const reason = whyNotOffered(row, capabilities);
    const asset = config.assets[row.source];
    if ("mentionedWith" in row && !capabilities[row.mentionedWith]) continue;
    if (reason !== null) notOffered.set(row.name, reason);
    else if (asset !== null) series.set(row.name, figureSeries(chainId, asset.text));
  }
  return { series, notOffered };
}

/**
 * Makes the rows of a day from the readings that are new since `before`. All figures of one token come from one reading,
 * and carry its time; each share price is the first of the day by itself.
 */
export function rowsOfDay(
  day: string,
  { native, stable, listing }: LastReadings,
  before: LastReadings,
  context: DayRowInputs,
): RowsOfDay {
  const rowsIfNew = <T, Row>(isNew: boolean, good: Sample<T> | null, rowsOf: (good: Sample<T>) => Row[]): Row[] =>
    isNew && good !== null && dayText(good.observedAtMs) === day ? rowsOf(good) : [];
  const isNewNative = native !== before.native;
  return {
    figures: [
      ...rowsIfNew(isNewNative, native, (good) => figureRows("native", good, context)),
      ...rowsIfNew(stable !== before.stable, stable, (good) => figureRows("stable", good, context)),
    ],
    rates: [
      ...rowsIfNew(isNewNative, native, (good) => stakingRow(good, context)),
      ...rowsIfNew(listing !== before.listing, listing.good, (good) => listedRows(good, listing)),
    ],
    prices: rowsIfNew(isNewNative, native, ({ value, observedAtMs }) => priceRows(value, observedAtMs)),
  };
}

/** Makes the row of native staking, if this reading has confirmed terms; earlier terms are not recorded. */
function stakingRow({ value, observedAtMs }: Sample<Reading>, { series, stakingProduct }: DayRowInputs): RateRow[] {
  if (!series.has("staked_supply")) return [];
  const confirmed = confirmedPart(value);
  if (confirmed?.staking?.unreadable !== null) return [];
  const product = stakingProduct(value);
  return typeof product === "string" ? [] : rateRows([product], observedAtMs);
}

/** Makes the rows of the listed products whose rates were read now, and are not out of date. */
function listedRows({ value, observedAtMs }: Sample<readonly Product[]>, { doubts }: ListingMemory): RateRow[] {
  const awaiting = new Map(doubts);
  const isCurrent = (product: Product) => !awaiting.has(product.id) && staleAtMs(product) > observedAtMs;
  return rateRows(value.filter(isCurrent), observedAtMs);
}

/** Time of day from which an incomplete set of rows is recorded. */
const EVENING_MS = DAY_MS * 0.75;

/**
 * Makes the history rows of one token. A figure is included only if this reading has every balance that it needs,
 * confirmed. Before 18:00 UTC a reading that lacks a figure makes no rows, so that all rows of a day come from one
 * reading.
 */
function figureRows(
  token: CountedToken,
  { value, observedAtMs }: Sample<Reading>,
  { schedule, series: seriesOfFigure }: DayRowInputs,
): RecordedFigureRow[] {
  const recorded = FIGURES.flatMap((row) => {
    const series = row.source === token ? seriesOfFigure.get(row.name) : undefined;
    return row.source === "schedule" || series === undefined ? [] : [{ row, series }];
  });
  const confirmed = confirmedPart(value);
  if (confirmed === null) return [];
  const rows = recorded.flatMap(({ row, series }): RecordedFigureRow[] => {
    const figure = figureIn(confirmed, row, schedule, value.readAtMs);
    if ("reason" in figure) return [];
    return [
      {
        figure: row.name,
        series,
        day: dayText(observedAtMs),
        baseUnits: String(figure.baseUnits),
        decimals: decimalsOf(row, value.decimals),
        ledgerVersion: String(value.ledgerVersion),
        observedAtMs,
        source: "observed",
        witnesses: figure.witnesses,
        ...(hasSeveralChains(value) && { versions: versionsText(value) }),
      },
    ];
  });
  return rows.length < recorded.length && observedAtMs % DAY_MS < EVENING_MS ? [] : rows;
}
