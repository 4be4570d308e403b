import { tokenText } from "../../src/chain/amount.ts";
import { FIGURES } from "../../src/figures.ts";
import { figureIn } from "../../src/onchain/chain-figures.ts";
import type { FigureResult } from "../../src/onchain/figure-sums.ts";
import type { Reading } from "../../src/onchain/reading.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { readingOfChains } from "../chain-reading.ts";
import { Refusal } from "../lib/command-line.ts";
import { configuredChains } from "../nodes/configured.ts";
import { type ChainAt, chainAt, versionText } from "../nodes/given-chains.ts";
import { aligned } from "./print.ts";

/**
 * Reads the figures on chain that a change may move, before and after it, from one node. If no node can be read, the
 * lines name the command that shows the values.
 */
export async function onChainComparisonLines(
  [before, after]: readonly [before: Schedule, after: Schedule],
  names: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  nowMs: number,
): Promise<readonly string[]> {
  try {
    const chains = configuredChains(settings, after);
    if (typeof chains === "string") return notRead(chains);
    const at = await Promise.all(chains.map((chain) => chainAt(chain, after)));
    const readings = [];
    for (const schedule of [before, after]) {
      const reading = await readingOfChains(
        await Promise.all(at.map((chain) => withWallets(chain, chains, schedule))),
        schedule,
      );
      if ("reason" in reading) return notRead(reading.reason);
      readings.push(figuresIn(reading, schedule, nowMs));
    }
    const [now, then] = readings;
    const rows = names.map((name) => [
      name,
      "",
      now?.get(name) ?? "-",
      then?.get(name) ?? "-",
      change(now?.get(name), then?.get(name)),
    ]);
    return [
      `At ${at.map(versionText).join(", ")}, by one node:`,
      aligned([["figure", "", "now", "afterwards", "change"], ...rows]),
    ];
  } catch (cause) {
    if (cause instanceof Refusal) return notRead(cause.lines.join("; "));
    throw cause;
  }
}

/** Reads this schedule's wallets with the supply in one call. */
async function withWallets(
  at: ChainAt,
  chains: Exclude<ReturnType<typeof configuredChains>, string>,
  schedule: Schedule,
): Promise<ChainAt> {
  const node = chains.find(({ chain }) => chain.id === at.chain.id)?.node;
  return node === undefined ? at : { ...at, node: await node.at(at.point.version, holdingsOn(schedule, at.chain.id)) };
}

/** States why the figures were not read, and the command that reads them. */
export const notRead = (why: string): readonly string[] => [`These figures were not read: ${why}. ${HOW_TO_READ}`];
const HOW_TO_READ =
  "With NODE_URLS set as for a deployment, this command shows them now and after the change. Otherwise npm run schedule -- verify --node URL shows them after the change.";

function figuresIn(reading: Reading, schedule: Schedule, nowMs: number): ReadonlyMap<string, string> {
  const text = (amount: FigureResult) =>
    "reason" in amount ? undefined : tokenText(amount.baseUnits, schedule.token.decimals);
  return new Map(
    FIGURES.flatMap((row) => {
      if (row.source !== "native") return [];
      const value = text(figureIn(reading, row, schedule, nowMs));
      return value === undefined ? [] : [[row.name.replaceAll("_", "-"), value] as const];
    }),
  );
}

/** Change in percent of the present figure. */
function change(now: string | undefined, then: string | undefined): string {
  if (now === undefined || then === undefined) return "-";
  if (now === then) return "none";
  const percent = (100 * (Number(then) - Number(now))) / Number(now);
  return Number.isFinite(percent) ? `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %` : "from 0";
}
