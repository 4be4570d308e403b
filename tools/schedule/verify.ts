import { tokenText } from "../../src/chain/amount.ts";
import { parseAsset } from "../../src/chain/asset.ts";
import { chainAmounts } from "../../src/supply/breakdown.ts";
import { anomalyText, bucketRows } from "../../src/supply/breakdown-handlers.ts";
import { breakdownSource } from "../../src/supply/breakdown-source.ts";
import { totalContradictions, walletContradictions } from "../../src/supply/cross-check.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { Refusal } from "../command-line.ts";
import { viewsOf } from "../node-views.ts";
import type { ScheduleContext } from "./files.ts";
import { aligned } from "./print.ts";

export const VERIFY_USAGE =
  "verify --node URL [--asset TYPE] [FILE]          read the wallets from a chain node and compare";
const DEFAULT_ASSET = "0x1::aptos_coin::AptosCoin";

/** What the node says is reported, however far it is from the schedule. */
const AS_READ = { supplyStepPercent: 100, stepFactor: 1, aboveMaxPercent: 1_000_000, confirmSeconds: 0 };

/**
 * The comparison of `/api/supply-breakdown` on the command line, before a deployment. Refuses with all contradictions.
 */
export async function verify(
  context: ScheduleContext,
  schedule: Schedule,
  { node, asset: assetText = DEFAULT_ASSET }: { readonly node: string; readonly asset?: string | undefined },
): Promise<string> {
  const asset = parseAsset(assetText);
  if (asset === undefined) throw new Refusal([`--asset: must be a type tag or an address, not ${assetText}`]);
  const readView = viewsOf(node);
  const load = breakdownSource({ schedule, asset, readView, confirmView: async () => [], thresholds: AS_READ });
  const sample = await load(context.nowMs, async () => ({ best: undefined, doubts: new Map() }));
  if (sample.kind === "failure") throw new Refusal([`${node}: ${sample.reason}`]);
  const { value } = sample;
  const { decimals } = schedule.token;
  const text = (amount: bigint): string => tokenText(amount, decimals);
  const { total, held, burned, circulating } = chainAmounts(schedule, value);
  const rows = bucketRows(schedule, value, context.nowMs).map(({ id, locked, onChain }) => [
    id,
    "",
    text(locked),
    onChain === null ? "-" : text(onChain),
    onChain === null ? "-" : text(onChain - locked),
  ]);
  const found = [
    ...totalContradictions(schedule, context.nowMs, {
      baseUnits: total,
      decimals,
      ledgerVersion: value.ledgerVersion,
    }),
    ...walletContradictions(schedule, context.nowMs, value),
  ];
  const unread = value.wallets.flatMap(({ address, anomaly }) =>
    anomaly === null ? [] : [`${address}: ${anomalyText(anomaly)}`],
  );
  const report = [
    `ledger version ${value.ledgerVersion}: total ${text(total)}, burned ${text(burned)}, wallets ${text(held)}, circulating on chain ${text(circulating)}`,
    aligned([["bucket", "", "locked by schedule", "held on chain", "difference"], ...rows]),
  ];
  if (found.length > 0)
    throw new Refusal([...report, ...new Set([...unread, ...found.map(({ code, message }) => `${code}: ${message}`)])]);
  return report.join("\n");
}
