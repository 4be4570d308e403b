import { parseAddress } from "../../src/chain/address.ts";
import { tokenText } from "../../src/chain/amount.ts";
import type { Asset, ChainFamily } from "../../src/chain/asset.ts";
import type { ChainNode } from "../../src/onchain/chain-node.ts";
import { bucketRows } from "../../src/onchain/cross-check.ts";
import { lockedAt, type Reading } from "../../src/onchain/reading.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingKey, isNative, walletsOf } from "../../src/supply/wallets.ts";
import { readChain } from "../chain-reading.ts";
import { Refusal } from "../command-line.ts";
import { termsOf } from "../nodes/families.ts";
import type { ScheduleContext } from "./files.ts";
import { aligned } from "./print.ts";

export const VERIFY_USAGE =
  "verify --node URL [--asset TYPE] [--pools ADDRESS,...] [FILE]  read the wallets from a chain node and compare; look for delegations in these pools";

interface VerifyOptions {
  readonly node: string;
  readonly asset?: string | undefined;
  /** Delegation pools in which the project's accounts may have stake, comma-separated. */
  readonly pools?: string | undefined;
  /** By default the settings'. */
  readonly family?: ChainFamily | undefined;
}

/**
 * The comparison of `/api/supply-breakdown` on the command line, before a deployment. Refuses with all contradictions.
 */
export async function verify(
  context: ScheduleContext,
  schedule: Schedule,
  { node, asset: named, pools = "", family }: VerifyOptions,
): Promise<string> {
  const terms = termsOf(family);
  const assetText = named ?? terms.asset.fallback();
  const asset = terms.asset.parse(assetText);
  const poolAddresses = pools.split(",").filter((each) => each !== "");
  const malformed = poolAddresses.filter((each) => parseAddress(each) === undefined);
  if (malformed.length > 0) throw new Refusal([`--pools: must be addresses, not ${malformed.join(", ")}`]);
  if (asset === undefined) throw new Refusal([`--asset: must be ${terms.asset.what}, not ${assetText}`]);
  if (asset.kind === "contract" && pools !== "") throw new Refusal(["--pools: an EVM chain has no delegation pools"]);
  if (schedule.chains !== undefined)
    throw new Refusal([
      `--node: reads one chain, and the token is on ${schedule.chains.length + 1}: /api/supply-breakdown has them all`,
    ]);
  const given = terms.nodeAt(node);
  const chain = await given.at(await given.newestVersion(), walletsOf(schedule).filter(isNative));
  const read = await readChain(chain, asset, schedule, context.nowMs);
  const { reading: value, amounts } = read;
  const contradictions = [...read.contradictions, ...read.departures];
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
  const warnings = await delegationWarnings(schedule, value, asset, chain, poolAddresses, context.nowMs);
  const report = [
    `${terms.version} ${value.ledgerVersion}: total ${text(total)}, burned ${text(burned)}, wallets ${text(held)}, circulating on chain ${text(circulating)}`,
    aligned([["bucket", "", "locked by schedule", "held on chain", "difference"], ...rows]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  if (contradictions.length > 0) throw new Refusal([...report, ...contradictions]);
  return report.join("\n");
}

/** Accounts whose tokens may be staked where the schedule does not look. */
async function delegationWarnings(
  schedule: Schedule,
  reading: Reading,
  asset: Asset,
  node: ChainNode,
  pools: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const { decimals, symbol } = schedule.token;
  const text = (amount: bigint): string => `${tokenText(amount, decimals)} ${symbol}`;
  if (asset.kind === "contract") return [];
  const known = new Set(walletsOf(schedule).map(holdingKey));
  const accounts = walletsOf(schedule).filter((wallet) => wallet.holds === "account" && isNative(wallet));
  const found = accounts.map(async ({ chain, address, label, bucket }) => {
    const account = { chain, address, label, holds: "account" } as const;
    const liquid = reading.wallets.find(({ holding }) => holding === holdingKey(account))?.balance?.baseUnits ?? 0n;
    const unlisted: string[] = [];
    for (const pool of pools) {
      const delegation = { chain, address, label, holds: "delegation", pool: parseAddress(pool) ?? pool } as const;
      if (known.has(holdingKey(delegation))) continue;
      const [stake] = await node.balances(asset, [delegation], reading.ledgerVersion);
      if (stake === undefined) continue;
      if ("why" in stake) unlisted.push(`${address}: pool ${pool} cannot be read: ${stake.reason}`);
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
