import { parseAddress } from "../../src/chain/address.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { type Asset, parseAsset } from "../../src/chain/asset.ts";
import type { ReadView } from "../../src/chain/view.ts";
import { type Breakdown, type ChainAmounts, chainAmounts, lockedAt } from "../../src/supply/breakdown.ts";
import { anomalyText, bucketRows } from "../../src/supply/breakdown-handlers.ts";
import { breakdownSource } from "../../src/supply/breakdown-source.ts";
import { totalContradictions, walletContradictions } from "../../src/supply/cross-check.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingKey, isOnChain, readBalance, walletsOf } from "../../src/supply/wallets.ts";
import { Refusal } from "../command-line.ts";
import { viewsOf } from "../node-views.ts";
import type { ScheduleContext } from "./files.ts";
import { aligned } from "./print.ts";

export const VERIFY_USAGE =
  "verify --node URL [--asset TYPE] [--pools ADDRESS,...] [FILE]  read the wallets from a chain node and compare; look for delegations in these pools";
export const DEFAULT_ASSET = "0x1::aptos_coin::AptosCoin";

/** What the node says is reported, however far it is from the schedule. */
const AS_READ = { supplyStepPercent: 100, stepFactor: 1, aboveMaxPercent: 1_000_000, confirmSeconds: 0 };

interface VerifyOptions {
  readonly node: string;
  readonly asset?: string | undefined;
  /** Delegation pools in which the project's accounts may have stake, comma-separated. */
  readonly pools?: string | undefined;
}

/**
 * The comparison of `/api/supply-breakdown` on the command line, before a deployment. Refuses with all contradictions.
 */
export async function verify(
  context: ScheduleContext,
  schedule: Schedule,
  { node, asset: assetText = DEFAULT_ASSET, pools = "" }: VerifyOptions,
): Promise<string> {
  const asset = parseAsset(assetText);
  const poolAddresses = pools.split(",").filter((each) => each !== "");
  const malformed = poolAddresses.filter((each) => parseAddress(each) === undefined);
  if (malformed.length > 0) throw new Refusal([`--pools: must be addresses, not ${malformed.join(", ")}`]);
  if (asset === undefined) throw new Refusal([`--asset: must be a type tag or an address, not ${assetText}`]);
  const readView = viewsOf(node);
  const { breakdown: value, amounts, contradictions } = await readChain(node, readView, asset, schedule, context.nowMs);
  const { decimals } = schedule.token;
  const text = (amount: bigint): string => tokenText(amount, decimals);
  const { total, held, burned, circulating } = amounts;
  const rows = bucketRows(schedule, value, context.nowMs).map(({ id, locked, onChain }) => [
    id,
    "",
    text(locked),
    onChain === null ? "-" : text(onChain),
    onChain === null ? "-" : text(onChain - locked),
  ]);
  const warnings = await delegationWarnings(schedule, value, asset, readView, poolAddresses, context.nowMs);
  const report = [
    `ledger version ${value.ledgerVersion}: total ${text(total)}, burned ${text(burned)}, wallets ${text(held)}, circulating on chain ${text(circulating)}`,
    aligned([["bucket", "", "locked by schedule", "held on chain", "difference"], ...rows]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  if (contradictions.length > 0) throw new Refusal([...report, ...contradictions]);
  return report.join("\n");
}

/** What the chain says at one ledger version, and where it contradicts the schedule. */
export interface ChainReading {
  readonly breakdown: Breakdown;
  readonly amounts: ChainAmounts;
  /** One line each; empty when every wallet could be read and everything adds up. */
  readonly contradictions: readonly string[];
}

/** Reads the total and all wallets; refuses when there is no reading. */
export async function readChain(
  node: string,
  readView: ReadView,
  asset: Asset,
  schedule: Schedule,
  nowMs: number,
): Promise<ChainReading> {
  const load = breakdownSource({ schedule, asset, readView, confirmView: async () => [], thresholds: AS_READ });
  const sample = await load(nowMs, async () => ({ best: undefined, doubts: new Map() }));
  if (sample.kind === "failure") throw new Refusal([`${node}: ${sample.reason}`]);
  const { value: breakdown } = sample;
  const amounts = chainAmounts(schedule, breakdown);
  const { decimals } = schedule.token;
  const found = [
    ...totalContradictions(schedule, nowMs, {
      baseUnits: amounts.total,
      decimals,
      ledgerVersion: breakdown.ledgerVersion,
    }),
    ...walletContradictions(schedule, nowMs, breakdown),
  ];
  const unread = breakdown.wallets.flatMap(({ address, anomaly }) =>
    anomaly === null ? [] : [`${address}: ${anomalyText(anomaly)}`],
  );
  const lines = found.map(({ code, message }) => `${code}: ${message}`);
  return { breakdown, amounts, contradictions: found.length === 0 ? [] : [...new Set([...unread, ...lines])] };
}

/** Accounts whose tokens may be staked where the schedule does not look. */
async function delegationWarnings(
  schedule: Schedule,
  breakdown: Breakdown,
  asset: Asset,
  readView: ReadView,
  pools: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const { decimals, symbol } = schedule.token;
  const text = (amount: bigint): string => `${tokenText(amount, decimals)} ${symbol}`;
  const known = new Set(walletsOf(schedule).map(holdingKey));
  const accounts = walletsOf(schedule).filter((wallet) => wallet.holds === "account" && isOnChain(wallet));
  const found = accounts.map(async ({ chain, address, label, bucket }) => {
    const account = { chain, address, label, holds: "account" } as const;
    const liquid = breakdown.wallets.find(({ holding }) => holding === holdingKey(account))?.balance?.baseUnits ?? 0n;
    const unlisted: string[] = [];
    for (const pool of pools) {
      const delegation = { chain, address, label, holds: "delegation", pool: parseAddress(pool) ?? pool } as const;
      if (known.has(holdingKey(delegation))) continue;
      const stake = await readBalance(readView, asset, delegation, breakdown.ledgerVersion);
      if (stake.kind === "failure") unlisted.push(`${address}: pool ${pool} cannot be read: ${stake.reason}`);
      else if (stake.baseUnits > 0n)
        unlisted.push(
          `${address} has ${text(liquid)} and ${text(stake.baseUnits)} delegated to ${pool}, which is not listed`,
        );
    }
    const isDelegating = [...known].some(
      (key) => key.startsWith(`${chain} ${address} `) && key !== holdingKey(account),
    );
    const isEmptied = bucket !== null && lockedAt(schedule, bucket, nowMs) === 0n;
    if (unlisted.length > 0 || isDelegating || isEmptied || liquid >= 10n ** BigInt(decimals)) return unlisted;
    const hint = pools.length === 0 ? "; --pools looks for stake that it has delegated" : "";
    return [`${address} (${label}) holds ${text(liquid)}${hint}`];
  });
  return (await Promise.all(found)).flat();
}
