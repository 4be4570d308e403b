import { DAY_MS, dayText } from "../base/utc.ts";
import type { Config } from "../config.ts";
import { decimalsOf, FIGURES, type RecordedFigure, whyNotOffered } from "../figures.ts";
import { figureIn } from "../onchain/chain-figures.ts";
import { confirmedPart, versionsText } from "../onchain/confirmation.ts";
import type { CountedToken } from "../onchain/reader.ts";
import { hasSeveralChains, type Reading } from "../onchain/reading.ts";
import type { ListingMemory } from "../rates/gate.ts";
import { type Product, staleAtMs } from "../rates/product.ts";
import { capabilitiesOf, settingsCapabilities } from "../supply/capabilities.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { Sample } from "../swr/loader.ts";
import { type FigureRow, type RateRow, rateRows } from "./history/rows.ts";
import type { StakingIn } from "./staking.ts";

/** The last readings that count. */
export interface LastReadings extends Readonly<Record<CountedToken, Sample<Reading> | null>> {
  readonly listing: ListingMemory;
}

export interface DayTerms {
  readonly schedule: Schedule;
  /** The asset of each figure that a day has a row of. */
  readonly counted: ReadonlyMap<RecordedFigure, string>;
  readonly stakingIn: StakingIn;
}

/** The figures of a day's rows: the asset that each of this deployment counts, and why it has no others. */
export function recordedFigures(schedule: Schedule, config: Config) {
  const capabilities = capabilitiesOf(settingsCapabilities(config), schedule);
  const counted = new Map<RecordedFigure, string>();
  const notOffered = new Map<RecordedFigure, string>();
  for (const row of FIGURES) {
    if (!row.recorded) continue;
    const reason = whyNotOffered(row, capabilities);
    const asset = config.assets[row.source];
    // A token that is bridged nowhere has no escrow, and says nothing of one.
    if (row.name === "escrow_shortfall" && !capabilities.bridged) continue;
    if (reason !== null) notOffered.set(row.name, reason);
    else if (asset !== null) counted.set(row.name, asset.text);
  }
  return { counted, absent: notOffered };
}

/**
 * The rows of a day in what was read since other readings, each dated by its own. Those of one token are all of one
 * reading.
 */
export function rowsOfDay(
  day: string,
  { native, stable, listing }: LastReadings,
  before: LastReadings,
  terms: DayTerms,
): { readonly figures: readonly FigureRow[]; readonly rates: readonly RateRow[] } {
  const rowsIf = <T, Row>(isNew: boolean, good: Sample<T> | null, rowsOf: (good: Sample<T>) => Row[]): Row[] =>
    isNew && good !== null && dayText(good.observedAtMs) === day ? rowsOf(good) : [];
  const isNewNative = native !== before.native;
  return {
    figures: [
      ...rowsIf(isNewNative, native, (good) => figureRows("native", good, terms)),
      ...rowsIf(stable !== before.stable, stable, (good) => figureRows("stable", good, terms)),
    ],
    rates: [
      ...rowsIf(isNewNative, native, (good) => stakingRow(good, terms)),
      ...rowsIf(listing !== before.listing, listing.good, (good) => listedRows(good, listing)),
    ],
  };
}

/** Only of this reading, and confirmed: what was read before is of another time. */
function stakingRow({ value, observedAtMs }: Sample<Reading>, { counted, stakingIn }: DayTerms): RateRow[] {
  if (!counted.has("staked_supply")) return [];
  const confirmed = confirmedPart(value);
  if (confirmed?.staking?.unreadable !== null) return [];
  const product = stakingIn(value);
  return typeof product === "string" ? [] : rateRows([product], observedAtMs);
}

/** The products whose rates are of this reading, and not out of date. */
function listedRows({ value, observedAtMs }: Sample<readonly Product[]>, { doubts }: ListingMemory): RateRow[] {
  const doubted = new Map(doubts);
  const isCurrent = (product: Product) => !doubted.has(product.id) && staleAtMs(product) > observedAtMs;
  return rateRows(value.filter(isCurrent), observedAtMs);
}

/** From when on a day gets those of its rows that it can have. */
const EVENING_MS = DAY_MS * 0.75;

/**
 * The figures of one token of which every balance is of this reading, and confirmed. The rows of a day belong together:
 * until the evening they are those of a reading that has them all.
 */
function figureRows(
  token: CountedToken,
  { value, observedAtMs }: Sample<Reading>,
  { schedule, counted }: DayTerms,
): FigureRow[] {
  const wanted = FIGURES.flatMap((row) => {
    const asset = row.source === token ? counted.get(row.name) : undefined;
    return row.source === "schedule" || asset === undefined ? [] : [{ row, asset }];
  });
  const confirmed = confirmedPart(value);
  if (confirmed === null) return [];
  const rows = wanted.flatMap(({ row, asset }): FigureRow[] => {
    const amount = figureIn(confirmed, row, schedule, value.readAtMs);
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
        ...(hasSeveralChains(value) && { versions: versionsText(value) }),
      },
    ];
  });
  return rows.length < wanted.length && observedAtMs % DAY_MS < EVENING_MS ? [] : rows;
}
