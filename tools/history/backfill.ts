import { dayText } from "../../src/base/utc.ts";
import { type Asset, assetText, type ChainFamily } from "../../src/chain/asset.ts";
import { decimalsOf, FIGURES, type RecordedFigure, whyAbsent } from "../../src/figures.ts";
import { type Days, daysBefore, type FigureRow } from "../../src/home/history/rows.ts";
import { figureIn } from "../../src/onchain/reading.ts";
import { nativeRules, stableRules } from "../../src/onchain/rules.ts";
import { offerOf } from "../../src/supply/offer.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { AS_READ, readingAt } from "../chain-reading.ts";
import type { GivenNode } from "../nodes/given-node.ts";
import { type Block, type Blocks, firstBlockFrom } from "./blocks.ts";

export interface Progress {
  readonly day: string;
  readonly message: string;
}

export interface BackfillOptions {
  readonly schedule: Schedule;
  readonly asset: Asset;
  /** null: no stable token. */
  readonly stable: Asset | null;
  /** The node, at a version that it has. */
  readonly nodeOf: GivenNode["at"];
  /** What a version is called. */
  readonly version: string;
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
    const read = await figuresAt(options, block);
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
        witnesses: 1,
      };
      if (!rows.has(keyOf(row))) rows.set(keyOf(row), row);
    }
    report({
      day,
      message: `${options.version} ${block.lastVersion}${read.omitted.map((reason) => `; omitted ${reason}`).join("")}`,
    });
  }
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

interface ReadFigure {
  readonly figure: RecordedFigure;
  readonly asset: string;
  readonly baseUnits: bigint;
  readonly decimals: number;
}

async function figuresAt(
  { schedule, asset, stable, nodeOf }: BackfillOptions,
  { lastVersion: version, atMs }: Block,
): Promise<{ readonly figures: readonly ReadFigure[]; readonly omitted: readonly string[] }> {
  const rules = nativeRules(schedule, AS_READ);
  const [native, counted] = await Promise.all([
    readingAt(await nodeOf(version, rules.wallets), asset, rules, atMs),
    stable === null
      ? null
      : readingAt(await nodeOf(version), stable, stableRules({ ...AS_READ, chainFamily: familyOf(stable) }), atMs),
  ]);
  const offer = offerOf(
    { chain: true, stableToken: stable !== null, staking: false, yields: false, everyChain: true },
    schedule,
  );
  const figures: ReadFigure[] = [];
  const omitted: string[] = [];
  for (const row of FIGURES) {
    const of = row.source === "stable" ? stable : asset;
    const reading = row.source === "stable" ? counted : native;
    if (!row.recorded || of === null || reading === null || whyAbsent(row, offer) !== null) continue;
    const amount = "reason" in reading ? reading : figureIn(reading, row, schedule);
    if ("reason" in amount) omitted.push(`${row.name}: ${amount.reason}`);
    else if (!("reason" in reading))
      figures.push({
        figure: row.name,
        asset: assetText(of),
        baseUnits: amount.baseUnits,
        decimals: decimalsOf(row, reading.decimals),
      });
  }
  return { figures, omitted };
}

function familyOf({ kind }: Asset): ChainFamily {
  return kind === "contract" ? "evm" : "move";
}

function keyOf({ day, figure, asset }: Pick<FigureRow, "day" | "figure" | "asset">): string {
  return `${day} ${figure} ${asset}`;
}
