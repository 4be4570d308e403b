import { type Address, parseAddress } from "../chain/address.ts";
import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import { parseUnsigned } from "../chain/integer.ts";
import { whyNoTerms } from "../chain/staking.ts";
import type { ReadResource, ReadView, ViewCall, ViewResult } from "../chain/view.ts";
import { isRecord } from "../json.ts";
import type { Holding } from "../supply/schedule.ts";
import {
  type BalanceResult,
  type ChainNode,
  type NodeError,
  nodeError,
  type StakingResult,
  type SupplyResult,
} from "./chain-node.ts";

/** Views under way at once at one node. */
const PARALLEL_VIEWS = 16;

/** A node of this chain family. Only this file names modules, views and resources. */
export function moveNode(label: string, newestVersion: bigint, { readView: read, readResource }: NodeReads): ChainNode {
  return {
    label,
    newestVersion,
    supply: (asset, ledgerVersion, knownDecimals) => readSupply(viewAt(read, ledgerVersion), asset, knownDecimals),
    balances: async (asset, holdings, ledgerVersion) => {
      const at = viewAt(read, ledgerVersion);
      const results: BalanceResult[] = [];
      let silent: NodeError | undefined;
      const queue = holdings.entries();
      const work = async (): Promise<void> => {
        for (const [index, holding] of queue) {
          // A node that has stopped answering is not asked for the rest: each call would wait for its deadline.
          const result = silent ?? (await readBalance(at, asset, holding));
          if (result.kind === "failure" && result.why === "silent") silent = result;
          results[index] = result;
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_VIEWS }, work));
      return results;
    },
    staking: async (ledgerVersion) => {
      const at = viewAt(read, ledgerVersion);
      const call = { address: "0x1", type: VALIDATOR_SET, ledgerVersion };
      // It has answered the supply of this version: 404 is not of the version, but of the resource.
      const set = readResource(call).then((result) =>
        result.kind === "refused"
          ? refusedBy(result.status, VALIDATOR_SET)
          : valuesOf(result, VALIDATOR_SET, ledgerVersion),
      );
      return stakingOf(at("0x1::staking_config::reward_rate", []), at("0x1::block::get_epoch_interval_secs", []), set);
    },
  };
}

/** What one node is asked. */
export interface NodeReads {
  readonly readView: ReadView;
  readonly readResource: ReadResource;
}

const VALIDATOR_SET = "0x1::stake::ValidatorSet";

/** What an epoch pays, how long it is, and on how much stake: that of the validator set, as of the epoch's start. */
async function stakingOf(...reads: readonly [Viewed, Viewed, Viewed]): Promise<StakingResult> {
  const [rate, interval, set] = await Promise.all(reads);
  if (rate.kind === "failure") return rate;
  if (interval.kind === "failure") return interval;
  if (set.kind === "failure") return set;
  const [resource] = set.values;
  const power = isRecord(resource) ? [resource["total_voting_power"]] : [];
  const [numerator, denominator, epochSeconds, staked] = amounts([...rate.values, ...interval.values, ...power], 4);
  if (numerator === undefined || denominator === undefined || epochSeconds === undefined || staked === undefined)
    return malformed("staking configuration");
  const terms = { numerator, denominator, epochSeconds, staked };
  const none = whyNoTerms(terms);
  return none === null ? { kind: "staking", terms } : nodeError("refused", none);
}

type Viewed = Promise<ViewedValues | NodeError>;
type ViewAt = (name: string, values: readonly string[], typeArguments?: readonly string[]) => Viewed;

interface ViewedValues {
  readonly kind: "returned";
  readonly values: readonly unknown[];
}

/** Views at one ledger version; an answer of a ledger before it does not count. */
function viewAt(read: ReadView, ledgerVersion: bigint): ViewAt {
  return async (name, values, typeArguments = []) => {
    const call: ViewCall = { function: name, typeArguments, arguments: values, ledgerVersion };
    return valuesOf(await read(call), name, ledgerVersion);
  };
}

function valuesOf(result: ViewResult, name: string, ledgerVersion: bigint): ViewedValues | NodeError {
  if (result.kind === "unavailable") return nodeError("silent", "the chain node does not answer");
  if (result.kind === "refused") {
    // 404 version_not_found; a view itself fails with 400.
    if (result.status === 404) return nodeError("not_reached", `the chain node has not reached ${ledgerVersion}`);
    return refusedBy(result.status, name);
  }
  const { ledgerVersion: answered } = result;
  if (answered !== null && answered < ledgerVersion)
    return nodeError("not_reached", `the chain node answered at version ${answered}, not at ${ledgerVersion}`);
  return { kind: "returned", values: result.values };
}

function refusedBy(status: number, name: string): NodeError {
  return nodeError("refused", `the chain node answers ${status} to ${name}`);
}

const METADATA = "0x1::fungible_asset::Metadata";

/** One view counts each asset: a coin's view includes the paired fungible asset, so the two are never added. */
async function readSupply(at: ViewAt, asset: Asset, knownDecimals: number | null): Promise<SupplyResult> {
  const [module, typeArgument, values] =
    asset.kind === "coin" ? ["0x1::coin", asset.type, []] : ["0x1::fungible_asset", METADATA, [asset.metadata]];
  const [supply, decimals] = await Promise.all([
    at(`${module}::supply`, values, [typeArgument]),
    knownDecimals ?? at(`${module}::decimals`, values, [typeArgument]).then(decimalsOf),
  ]);
  if (supply.kind === "failure") return supply;
  if (typeof decimals !== "number") return decimals;
  const baseUnits = optionalAmount(supply.values);
  return typeof baseUnits === "bigint" ? { kind: "supply", baseUnits, decimals } : baseUnits;
}

/**
 * `Option<u128>` as nodes serialize it: `{"vec": ["123"]}`, or `{"vec": []}` for an asset whose supply is not tracked.
 */
function optionalAmount([value]: readonly unknown[]): BaseUnits | NodeError {
  const items = isRecord(value) ? value["vec"] : undefined;
  if (!Array.isArray(items) || items.length > 1) return malformed("supply figure");
  const [text] = items;
  if (text === undefined) return nodeError("refused", "the chain does not track the supply of this asset");
  const amount = typeof text === "string" ? parseUnsigned(text, "u128") : undefined;
  return amount ?? malformed("supply figure");
}

function decimalsOf(result: ViewedValues | NodeError): number | NodeError {
  if (result.kind === "failure") return result;
  const [value] = result.values;
  const isDecimals = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  return isDecimals ? value : nodeError("refused", "the chain names no decimals for this asset");
}

function malformed(what: string): NodeError {
  return nodeError("refused", `the chain's ${what} is malformed`);
}

async function readBalance(at: ViewAt, asset: Asset, wallet: Holding): Promise<BalanceResult> {
  const { address } = wallet;
  switch (wallet.holds) {
    case "account":
      return accountBalance(at, asset, address);
    case "stake_pool":
      return stakePool(at, address);
    case "vesting":
      // A vesting contract keeps its grant and rewards in a stake pool; its own balance is empty.
      return stakePoolNamedBy(at, "0x1::vesting::stake_pool_address", [address]);
    case "delegation":
      return delegation(at, wallet.pool, address);
    case "staking_contract":
      return stakingContract(at, [address, wallet.operator]);
  }
}

/** One view per kind of asset: a coin's balance includes its paired fungible store, so nothing is added twice. */
async function accountBalance(at: ViewAt, asset: Asset, address: string): Promise<BalanceResult> {
  const result = await (asset.kind === "coin"
    ? at("0x1::coin::balance", [address], [asset.type])
    : at("0x1::primary_fungible_store::balance", [address, asset.metadata], [METADATA]));
  if (result.kind === "failure") return result;
  const [baseUnits] = amounts(result.values, 1);
  return baseUnits === undefined ? malformed("balance") : { kind: "balance", baseUnits, stake: null };
}

async function stakePool(at: ViewAt, address: string): Promise<BalanceResult> {
  const result = await at("0x1::stake::get_stake", [address]);
  if (result.kind === "failure") return result;
  const [active, inactive, pendingActive, pendingInactive] = amounts(result.values, 4);
  if (active === undefined || inactive === undefined || pendingActive === undefined || pendingInactive === undefined)
    return malformed("stake pool");
  const stake = { active, inactive, pendingActive, pendingInactive };
  return { kind: "balance", baseUnits: active + inactive + pendingActive + pendingInactive, stake };
}

async function stakePoolNamedBy(at: ViewAt, view: string, values: readonly string[]): Promise<BalanceResult> {
  const named = await at(view, values);
  if (named.kind === "failure") return named;
  const [pool] = named.values;
  const address: Address | undefined = typeof pool === "string" ? parseAddress(pool) : undefined;
  return address === undefined ? nodeError("refused", "the contract names no stake pool") : stakePool(at, address);
}

/** Active, inactive and pending inactive stake of one delegator. */
async function delegation(at: ViewAt, pool: string, delegator: string): Promise<BalanceResult> {
  const result = await at("0x1::delegation_pool::get_stake", [pool, delegator]);
  if (result.kind === "failure") return result;
  const parts = amounts(result.values, 3);
  if (parts.length === 0) return malformed("delegated stake");
  return { kind: "balance", baseUnits: parts.reduce((sum, part) => sum + part), stake: null };
}

/** The contract's stake pool, less the commission that the operator has earned and not yet taken. */
async function stakingContract(at: ViewAt, contract: readonly string[]): Promise<BalanceResult> {
  const [pool, result] = await Promise.all([
    stakePoolNamedBy(at, "0x1::staking_contract::stake_pool_address", contract),
    at("0x1::staking_contract::staking_contract_amounts", contract),
  ]);
  if (pool.kind === "failure") return pool;
  if (result.kind === "failure") return result;
  const [, , commission] = amounts(result.values, 3);
  if (commission === undefined || commission > pool.baseUnits) return malformed("staking contract");
  return { ...pool, baseUnits: pool.baseUnits - commission };
}

/** Exactly the expected number of amounts, or none. */
function amounts(values: readonly unknown[], count: number): BaseUnits[] {
  const parsed = values.flatMap((value) => (typeof value === "string" ? (parseUnsigned(value, "u128") ?? []) : []));
  return parsed.length === count && values.length === count ? parsed : [];
}
