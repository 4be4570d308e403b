import { dayText } from "../../src/base/utc.ts";
import type { Asset } from "../../src/chain/asset.ts";
import type { ChainNode } from "../../src/families/chain-node.ts";
import { isFirst } from "../../src/families/token-chain.ts";
import { decimalsOf, FIGURES, type RecordedFigure, whyNotOffered } from "../../src/figures.ts";
import { type Days, daysBefore, figureSeries, type RecordedFigureRow } from "../../src/home/history/rows.ts";
import { figureIn } from "../../src/onchain/chain-figures.ts";
import { versionsText } from "../../src/onchain/confirmation.ts";
import { hasSeveralChains, type Reading } from "../../src/onchain/reading.ts";
import { stableRules } from "../../src/onchain/rules.ts";
import { type RecordedPrice, recordedPrice } from "../../src/rates/price-growth.ts";
import { capabilitiesOf } from "../../src/supply/capabilities.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { ACCEPT_AS_READ, readingAt, readingOfChains } from "../chain-reading.ts";
import { type Blocks, firstBlockFrom } from "../nodes/blocks.ts";
import { type GivenChain, versionText } from "../nodes/given-chains.ts";
import type { Point } from "../nodes/given-node.ts";
import { rowKey } from "./csv.ts";
import { priceKey } from "./prices-csv.ts";

export interface Progress {
  readonly day: string;
  readonly message: string;
}

/** A chain of the token with the blocks of its node. */
export interface ChainWithBlocks extends Pick<GivenChain, "chain" | "node"> {
  readonly blocks: Blocks;
}

/** Chain at its first block of a day. */
interface ChainAtBlock extends Pick<ChainWithBlocks, "chain"> {
  readonly point: Pick<Point, "version" | "atMs">;
  readonly given: ChainWithBlocks["node"];
  readonly node: ChainNode;
}

export interface BackfillOptions {
  readonly schedule: Schedule;
  /** Chains of the token, the first chain first. */
  readonly chains: readonly ChainWithBlocks[];
  /** Stable token; null: none. */
  readonly stable: Asset | null;
  readonly days: Days;
  /** Rows of earlier runs, which win over new ones. */
  readonly existing: Backfilled;
  readonly report: (progress: Progress) => void;
}

/** Rows of past days. */
export interface Backfilled {
  readonly figures: readonly RecordedFigureRow[];
  readonly prices: readonly RecordedPrice[];
}

/**
 * Reads figures and share prices after the first block of each UTC day. What a node cannot read is reported and
 * omitted.
 */
export async function backfill(options: BackfillOptions): Promise<Backfilled> {
  const { days, existing, report } = options;
  const rows = new Map(existing.figures.map((row) => [rowKey(row), row]));
  const prices = new Map(existing.prices.map((row) => [priceKey(row), row]));
  for (let day = days.from; day <= days.to; day = daysBefore(day, -1)) {
    const chains = await firstBlocksOf(day, options);
    if (typeof chains === "string") {
      report({ day, message: `${chains}; omitted` });
      continue;
    }
    const read = await figuresAt(options, chains);
    for (const { figure, series, baseUnits, reading, decimals } of read.figures) {
      const row: RecordedFigureRow = {
        figure,
        series,
        day,
        baseUnits: String(baseUnits),
        decimals,
        ledgerVersion: String(reading.ledgerVersion),
        observedAtMs: reading.readAtMs,
        source: "backfill",
        witnesses: 1,
        ...(hasSeveralChains(reading) && { versions: versionsText(reading) }),
      };
      if (!rows.has(rowKey(row))) rows.set(rowKey(row), row);
    }
    for (const row of read.prices) if (row.day === day && !prices.has(priceKey(row))) prices.set(priceKey(row), row);
    const at = chains.map(versionText).join(", ");
    report({ day, message: `${at}${read.omitted.map((reason) => `; omitted ${reason}`).join("")}` });
  }
  return { figures: ordered(rows), prices: ordered(prices) };
}

function ordered<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Finds each chain's first block of a day; returns the reason when a node has none. */
async function firstBlocksOf(
  day: string,
  { chains, schedule }: BackfillOptions,
): Promise<readonly ChainAtBlock[] | string> {
  const found: ChainAtBlock[] = [];
  for (const { chain, node: given, blocks } of chains) {
    const block = await firstBlockFrom(blocks, Date.parse(`${day}T00:00:00Z`));
    if (block === null || dayText(block.atMs) !== day)
      return `the node${isFirst(chain) ? "" : ` of ${chain.id}`} has no block of this day`;
    const { lastVersion: version, atMs } = block;
    const node = await given.at(version, holdingsOn(schedule, chain.id));
    found.push({ chain, given, node, point: { version, atMs } });
  }
  return found;
}

interface ReadFigure {
  readonly figure: RecordedFigure;
  readonly series: string;
  readonly baseUnits: bigint;
  readonly decimals: number;
  readonly reading: Reading;
}

async function figuresAt(
  { schedule, stable }: BackfillOptions,
  chains: readonly ChainAtBlock[],
): Promise<Omit<Backfilled, "figures"> & { readonly figures: readonly ReadFigure[]; readonly omitted: string[] }> {
  const [first] = chains;
  if (first === undefined) return { figures: [], prices: [], omitted: [] };
  const { chain, given, point } = first;
  const [native, counted] = await Promise.all([
    readingOfChains(chains, schedule),
    stable === null
      ? null
      : readingAt(await given.at(point.version), stableRules({ ...chain, asset: stable }, ACCEPT_AS_READ), point.atMs),
  ]);
  const capabilities = capabilitiesOf(
    { chain: true, stableToken: stable !== null, staking: false, yields: false, everyChain: true },
    schedule,
  );
  const figures: ReadFigure[] = [];
  const omitted: string[] = [];
  for (const row of FIGURES) {
    const countedAsset = row.source === "stable" ? stable : chain.asset;
    const reading = row.source === "stable" ? counted : native;
    if (!row.recorded || countedAsset === null || reading === null || whyNotOffered(row, capabilities) !== null)
      continue;
    const amount = "reason" in reading ? reading : figureIn(reading, row, schedule, reading.readAtMs);
    if ("reason" in amount) omitted.push(`${row.name}: ${amount.reason}`);
    else if (!("reason" in reading))
      figures.push({
        figure: row.name,
        series: figureSeries(chain.chainId, countedAsset.text),
        baseUnits: amount.baseUnits,
        decimals: decimalsOf(row, reading.decimals),
        reading,
      });
  }
  return { figures, ...pricesIn(native, schedule, omitted) };
}

/** Makes the rows of the prices that a reading has, and adds those that it lacks to what is omitted. */
function pricesIn(
  native: Awaited<ReturnType<typeof readingOfChains>>,
  { sharePrices = [] }: Schedule,
  omitted: readonly string[],
): { readonly prices: readonly RecordedPrice[]; readonly omitted: string[] } {
  const states = "reason" in native ? [] : (native.prices ?? []);
  const prices = states.flatMap(({ series, price, unreadable }): RecordedPrice[] => {
    if (price === null || unreadable !== null) return [];
    return [recordedPrice(series, price, { observedAtMs: price.atMs, source: "backfill", witnesses: 1 })];
  });
  const missing = sharePrices.flatMap((share) => {
    const state = states.find(({ id }) => id === share.id);
    return state?.unreadable === null ? [] : [`the price ${share.id}: ${state?.unreadable ?? "it was not read"}`];
  });
  return { prices, omitted: [...omitted, ...missing] };
}
