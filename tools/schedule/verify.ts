import { parseAddress } from "../../src/chain/address.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { familyOf } from "../../src/families/family.ts";
import type { FirstChainSettings, TokenChain } from "../../src/families/token-chain.ts";
import { bucketRows } from "../../src/onchain/cross-check.ts";
import { amountDecimals, type Reading, toTokenUnits } from "../../src/onchain/reading.ts";
import { lockedAt } from "../../src/supply/above-plan.ts";
import { constantSums } from "../../src/supply/constants.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingKey, isOnFirstChain, walletsOf } from "../../src/supply/wallets.ts";
import { readChains } from "../chain-reading.ts";
import { type CommandResult, EXIT, Refusal } from "../lib/command-line.ts";
import { type ChainAt, chainAt, givenChains, versionText } from "../nodes/given-chains.ts";
import { aligned } from "./print.ts";

export const VERIFY_USAGE =
  "verify --node [ID=]URL... [--asset TYPE] [--pools ADDRESS,...] [FILE]  compares the wallets on a chain node with the schedule; --pools also looks for delegations in these pools";

interface VerifyOptions {
  /** URLs of nodes, one per chain of the token; a further chain's is `ID=URL`. */
  readonly nodes: readonly string[];
  readonly asset?: string | undefined;
  /** Delegation pools in which the project's accounts may have stake, comma-separated. */
  readonly pools?: string | undefined;
  /** First chain's settings; by default those of wrangler.toml. */
  readonly first?: FirstChainSettings | undefined;
}

const AFTER_CONTRADICTION =
  "Next: correct the wallets (npm run schedule -- revise wallet), or find the transfer: docs/operations.md#more-circulates-than-planned";

/**
 * Makes the comparison of `/api/supply-breakdown` on the command line, before a deployment. All contradictions are
 * in the result, with exit code 1.
 */
export async function verify(
  schedule: Schedule,
  { nodes, asset, pools = "", first }: VerifyOptions,
): Promise<CommandResult> {
  const poolAddresses = pools.split(",").filter((each) => each !== "");
  const malformed = poolAddresses.filter((each) => parseAddress(each) === undefined);
  const given = givenChains({ nodes, versions: [], asset, first }, schedule);
  const problems = [
    ...(malformed.length > 0 ? [`--pools: must be addresses, not ${malformed.join(", ")}`] : []),
    ...("problems" in given ? given.problems : []),
    ...(pools === "" || "problems" in given ? [] : poolProblems(given.chains[0]?.chain)),
  ];
  if (problems.length > 0 || "problems" in given) throw new Refusal(problems, EXIT.unusable);
  const chains = await Promise.all(given.chains.map((chain) => chainAt(chain, schedule)));
  const { reading, amounts, contradictions, departures, differences } = await readChains(chains, schedule);
  const { readAtMs } = reading;
  const text = (amount: bigint): string => tokenText(amount, schedule.token.decimals);
  const read = (amount: bigint): string => tokenText(amount, amountDecimals(reading));
  const { total, held, burned, circulating } = amounts;
  const constants = constantSums(schedule, readAtMs, reading.extraDecimals);
  const stated = constants.burned + constants.held;
  const statedText = stated === 0n ? "" : `, stated constants ${read(stated)}, which are counted in burned and wallets`;
  const buckets = bucketRows(schedule, reading, readAtMs).map(({ id, locked, onChain }) => ({
    id,
    locked: text(locked),
    on_chain: onChain === null ? null : text(onChain),
    difference: onChain === null ? null : text(onChain - locked),
  }));
  const rows = buckets.map((row) => [row.id, "", row.locked, row.on_chain ?? "-", row.difference ?? "-"]);
  const warnings = [...differences, ...(await delegationWarnings(schedule, reading, chains[0], poolAddresses))];
  const report = [
    `${chains.map(versionText).join(", ")}: total ${read(total)}, burned ${read(burned)}, wallets ${read(held)}, circulating on chain ${read(circulating)}${statedText}`,
    aligned([["bucket", "", "locked by schedule", "held on chain", "difference"], ...rows]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  const wrong = [...contradictions, ...departures];
  const members = {
    versions: chains.map(versionText),
    ...{ total: read(total), burned: read(burned), wallets: read(held), circulating_on_chain: read(circulating) },
    constants: read(stated),
    buckets,
    warnings,
    contradictions: wrong,
  };
  return wrong.length === 0
    ? { text: report.join("\n"), members }
    : { text: [...report, ...wrong, AFTER_CONTRADICTION].join("\n"), exitCode: EXIT.failed, members };
}

function hasDelegations(chain: TokenChain): boolean {
  return familyOf(chain.family).holds.includes("delegation");
}

function poolProblems(chain: TokenChain | undefined): string[] {
  if (chain === undefined || hasDelegations(chain)) return [];
  return [`--pools: ${familyOf(chain.family).chain} has no delegation pools`];
}

/** Warns of accounts whose tokens may be staked in a pool that the schedule does not list. */
async function delegationWarnings(
  schedule: Schedule,
  reading: Reading,
  first: ChainAt | undefined,
  pools: readonly string[],
): Promise<string[]> {
  const { decimals, symbol } = schedule.token;
  const text = (amount: bigint): string => `${tokenText(amount, decimals)} ${symbol}`;
  if (first === undefined || !hasDelegations(first.chain)) return [];
  const {
    node,
    chain: { asset },
  } = first;
  const known = new Set(walletsOf(schedule).map(holdingKey));
  const accounts = walletsOf(schedule).filter((wallet) => wallet.holds === "account" && isOnFirstChain(wallet));
  const found = accounts.map(async ({ chain, address, label, bucket }) => {
    const account = { chain, address, label, holds: "account" } as const;
    const state = reading.wallets.find(({ holding }) => holding === holdingKey(account));
    const liquid = toTokenUnits(state?.balance?.baseUnits ?? 0n, reading);
    const unlisted: string[] = [];
    for (const pool of pools) {
      const delegation = { chain, address, label, holds: "delegation", pool: parseAddress(pool) ?? pool } as const;
      if (known.has(holdingKey(delegation))) continue;
      const [stake] = await node.balances(asset, [delegation], reading.ledgerVersion);
      if (stake === undefined) continue;
      if ("why" in stake) unlisted.push(`${address}: pool ${pool} cannot be read: ${stake.reason}`);
      else if (stake.baseUnits > 0n)
        unlisted.push(
          `${address} has ${text(liquid)} and ${text(stake.baseUnits)} delegated to ${pool}, which the schedule does not list`,
        );
    }
    const isDelegating = [...known].some(
      (key) => key.startsWith(`${chain} ${address} `) && key !== holdingKey(account),
    );
    const isEmptied = bucket !== null && lockedAt(schedule, bucket, reading.readAtMs) === 0n;
    if (unlisted.length > 0 || isDelegating || isEmptied || liquid >= 10n ** BigInt(decimals)) return unlisted;
    const hint = pools.length === 0 ? "; --pools looks for stake that it has delegated" : "";
    return [`${address} (${label}) holds ${text(liquid)}${hint}`];
  });
  return (await Promise.all(found)).flat();
}
