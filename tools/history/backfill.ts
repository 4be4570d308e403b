import { type Asset, assetText } from "../../src/chain/asset.ts";
import type { ReadView } from "../../src/chain/view.ts";
import { type Days, daysBefore, type FigureRow, type HistoryFigure } from "../../src/history/rows.ts";
import { readSupply } from "../../src/supply/onchain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { isOnChain, readBalance, walletsOf } from "../../src/supply/wallets.ts";
import { dayText } from "../../src/utc.ts";
import { type Blocks, firstBlockFrom } from "./blocks.ts";

export interface Progress {
  readonly day: string;
  readonly message: string;
}

export interface BackfillOptions {
  readonly schedule: Schedule;
  readonly asset: Asset;
  /** null: no stable token. */
  readonly stable: Asset | null;
  readonly readView: ReadView;
  readonly blocks: Blocks;
  readonly days: Days;
  /** Rows of earlier runs, which win over new ones. */
  readonly existing: readonly FigureRow[];
  readonly report: (progress: Progress) => void;
}

/** The figures after the first block of each UTC day. What the node cannot read is reported and omitted. */
export async function backfill(options: BackfillOptions): Promise<FigureRow[]> {
  const { blocks, days, existing, report } = options;
  const rows = new Map(existing.map((row) => [keyOf(row), row]));
  for (let day = days.from; day <= days.to; day = daysBefore(day, -1)) {
    const block = await firstBlockFrom(blocks, Date.parse(`${day}T00:00:00Z`));
    if (block === null || dayText(block.atMs) !== day) {
      report({ day, message: "the node has no block of this day; omitted" });
      continue;
    }
    const read = await figuresAt(options, block.lastVersion);
    for (const { figure, asset, baseUnits, decimals } of read.figures) {
      const row: FigureRow = {
        figure,
        asset,
        day,
        baseUnits: String(baseUnits),
        decimals,
        ledgerVersion: String(block.lastVersion),
        observedAtMs: block.atMs,
        source: "backfill",
      };
      if (!rows.has(keyOf(row))) rows.set(keyOf(row), row);
    }
    report({
      day,
      message: `ledger version ${block.lastVersion}${read.omitted.map((reason) => `; omitted ${reason}`).join("")}`,
    });
  }
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

interface ReadFigure {
  readonly figure: HistoryFigure;
  readonly asset: string;
  readonly baseUnits: bigint;
  readonly decimals: number;
}

async function figuresAt(
  { schedule, asset, stable, readView }: BackfillOptions,
  version: bigint,
): Promise<{ readonly figures: readonly ReadFigure[]; readonly omitted: readonly string[] }> {
  const figures: ReadFigure[] = [];
  const omitted: string[] = [];
  const read = async (figure: HistoryFigure, of: Asset) => {
    const supply = await readSupply(readView, of, version);
    if (supply.kind === "failure") omitted.push(`${figure}: ${supply.reason}`);
    else figures.push({ figure, asset: assetText(of), baseUnits: supply.baseUnits, decimals: supply.decimals });
    return supply;
  };
  const total = await read("total_supply", asset);
  if (stable !== null) await read("stable_supply", stable);
  const wallets = walletsOf(schedule).filter(isOnChain);
  const balances = await Promise.all(wallets.map((wallet) => readBalance(readView, asset, wallet, version)));
  const unreadable = balances.flatMap((balance, index) =>
    balance.kind === "failure" ? [`${wallets[index]?.address}: ${balance.reason}`] : [],
  );
  const sum = balances.reduce((all, balance) => all + (balance.kind === "balance" ? balance.baseUnits : 0n), 0n);
  if (unreadable.length > 0) omitted.push(`non_circulating_supply: ${unreadable.join(", ")}`);
  else if (wallets.length > 0 && total.kind === "supply")
    figures.push({
      figure: "non_circulating_supply",
      asset: assetText(asset),
      baseUnits: sum,
      decimals: total.decimals,
    });
  return { figures, omitted };
}

function keyOf({ day, figure, asset }: Pick<FigureRow, "day" | "figure" | "asset">): string {
  return `${day} ${figure} ${asset}`;
}
