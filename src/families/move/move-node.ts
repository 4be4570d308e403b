import { isRecord } from "../../base/json.ts";
import { parseAddress } from "../../chain/address.ts";
import type { BaseUnits } from "../../chain/amount.ts";
import type { Asset } from "../../chain/asset.ts";
import type { Holding } from "../../chain/holding.ts";
import { parseUnsigned } from "../../chain/integer.ts";
import { type StakingTerms, termsProblem } from "../../chain/staking.ts";
import type { ReadResource, ReadView, ViewResult } from "../../chain/view.ts";
import type { ChainNode, HoldingBalance, NodeError, Supply } from "../chain-node.ts";

/** Reads of one node. */
export interface NodeReads {
  readonly readView: ReadView;
  readonly readResource: ReadResource;
}

/** Views under way at once at one node. */
const PARALLEL_VIEWS = 4;

/** Makes a node of the Move family. Only this file names modules, views and resources. */
export function moveNode(label: string, newestVersion: bigint, reads: NodeReads): ChainNode {
  return {
    label,
    newestVersion,
    supply: (asset, ledgerVersion, knownDecimals) => readSupply(viewAt(reads, ledgerVersion), asset, knownDecimals),
    balances: async (asset, holdings, ledgerVersion) => {
      const at = viewAt(reads, ledgerVersion);
      const results: (HoldingBalance | NodeError)[] = [];
      let silent: NodeError | undefined;
      const queue = holdings.entries();
      const work = async (): Promise<void> => {
        for (const [index, holding] of queue) {
          // A node that has stopped answering is not asked for the rest: each call would take its whole deadline.
          const result = silent ?? (await readBalance(at, asset, holding));
          if ("why" in result && result.why === "silent") silent = result;
          results[index] = result;
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_VIEWS }, work));
      return results;
    },
    staking: (ledgerVersion) => readStaking(reads, ledgerVersion),
  };
}

/** Values that a view returned, or the reason why there are none. */
type ViewValues = readonly unknown[] | NodeError;
type ViewAt = (name: string, values: readonly string[], typeArguments?: readonly string[]) => Promise<ViewValues>;

/** Makes a function that runs views at one ledger version. */
function viewAt({ readView }: NodeReads, ledgerVersion: bigint): ViewAt {
  return async (name, values, typeArguments = []) => {
    const result = await readView({ function: name, typeArguments, arguments: values, ledgerVersion });
    // 404 means version_not_found; a view that fails answers 400.
    return result.kind === "refused" && result.status === 404
      ? { why: "not_reached", reason: `the chain node has not reached ${ledgerVersion}` }
      : valuesOf(result, name, ledgerVersion);
  };
}

/** Returns the values of a result. A result from before the version is rejected. */
function valuesOf(result: ViewResult, name: string, version: bigint): ViewValues {
  if (result.kind === "unavailable") return { why: "silent", reason: "the chain node does not answer" };
  if (result.kind === "refused") return refused(`the chain node answers ${result.status} to ${name}`);
  const { ledgerVersion: at, values } = result;
  if (at === null || at >= version) return values;
  return { why: "not_reached", reason: `the chain node answered at version ${at}, not at ${version}` };
}

function refused(reason: string): NodeError {
  return { why: "refused", reason };
}

function malformed(what: string): NodeError {
  return refused(`the chain's ${what} is malformed`);
}

const METADATA = "0x1::fungible_asset::Metadata";

/** Reads the supply with one view: a coin's view includes the paired fungible asset, so the two are never added. */
async function readSupply(at: ViewAt, asset: Asset, knownDecimals: number | null): Promise<Supply | NodeError> {
  const [module, typeArgument, values] =
    asset.kind === "coin" ? ["0x1::coin", asset.text, []] : ["0x1::fungible_asset", METADATA, [asset.text]];
  const [supply, named] = await Promise.all([
    at(`${module}::supply`, values, [typeArgument]),
    knownDecimals === null ? at(`${module}::decimals`, values, [typeArgument]) : [knownDecimals],
  ]);
  if ("why" in supply) return supply;
  if ("why" in named) return named;
  const [decimals] = named;
  if (typeof decimals !== "number" || !Number.isInteger(decimals) || decimals < 0 || decimals > 255)
    return refused("the chain names no decimals for this asset");
  const minted = optionalAmount(supply);
  return typeof minted === "bigint" ? { minted, decimals } : minted;
}

/** Parses `Option<u128>` as nodes serialize it: `{"vec": ["123"]}`, or `{"vec": []}` when the supply is not tracked. */
function optionalAmount([value]: readonly unknown[]): BaseUnits | NodeError {
  const items = isRecord(value) ? value["vec"] : undefined;
  if (!Array.isArray(items) || items.length > 1) return malformed("supply figure");
  if (items.length === 0) return refused("the chain does not track the supply of this asset");
  return amounts(items, ["supply"])?.supply ?? malformed("supply figure");
}

async function readBalance(at: ViewAt, asset: Asset, holding: Holding): Promise<HoldingBalance | NodeError> {
  const { address } = holding;
  switch (holding.holds) {
    case "account":
      // A coin's balance includes its paired fungible store, so each kind of asset has one view and nothing is added
      // twice.
      return asset.kind === "coin"
        ? balanceOf(await at("0x1::coin::balance", [address], [asset.text]), "balance")
        : balanceOf(await at("0x1::primary_fungible_store::balance", [address, asset.text], [METADATA]), "balance");
    case "stake_pool":
      return stakePool(at, address);
    case "vesting":
      // The stake pool of a vesting contract has its grant and rewards; the contract's own account is empty.
      return stakePoolNamedBy(at, "0x1::vesting::stake_pool_address", [address]);
    case "delegation":
      return balanceOf(
        await at("0x1::delegation_pool::get_stake", [holding.pool, address]),
        "delegated stake",
        DELEGATED,
      );
    case "staking_contract":
      return stakingContract(at, [address, holding.operator]);
    case "lock":
      return refused("a Move chain has no holding of the kind lock");
  }
}

/** Members of one delegator's stake. */
const DELEGATED = ["active", "inactive", "pendingInactive"];

function balanceOf(viewed: ViewValues, what: string, names: readonly string[] = [what]): HoldingBalance | NodeError {
  if ("why" in viewed) return viewed;
  const parts = amounts(viewed, names);
  return parts === undefined ? malformed(what) : { baseUnits: total(parts), stake: null, pool: null };
}

async function stakePool(at: ViewAt, address: string): Promise<HoldingBalance | NodeError> {
  const viewed = await at("0x1::stake::get_stake", [address]);
  if ("why" in viewed) return viewed;
  const stake = amounts(viewed, ["active", "inactive", "pendingActive", "pendingInactive"]);
  return stake === undefined ? malformed("stake pool") : { baseUnits: total(stake), stake, pool: null };
}

async function stakePoolNamedBy(
  at: ViewAt,
  view: string,
  values: readonly string[],
): Promise<HoldingBalance | NodeError> {
  const named = await at(view, values);
  if ("why" in named) return named;
  const [pool] = named;
  const address = typeof pool === "string" ? parseAddress(pool) : undefined;
  if (address === undefined) return refused("the contract names no stake pool");
  const held = await stakePool(at, address);
  return "why" in held ? held : { ...held, pool: address };
}

/** Reads a staking contract: its stake pool, less the commission that the operator has earned and not yet taken. */
async function stakingContract(at: ViewAt, contract: readonly string[]): Promise<HoldingBalance | NodeError> {
  const [pool, viewed] = await Promise.all([
    stakePoolNamedBy(at, "0x1::staking_contract::stake_pool_address", contract),
    at("0x1::staking_contract::staking_contract_amounts", contract),
  ]);
  if ("why" in pool) return pool;
  if ("why" in viewed) return viewed;
  const contracted = amounts(viewed, ["active", "rewards", "commission"]);
  if (contracted === undefined || contracted.commission > pool.baseUnits) return malformed("staking contract");
  return { ...pool, baseUnits: pool.baseUnits - contracted.commission };
}

const VALIDATOR_SET = "0x1::stake::ValidatorSet";

/**
 * Reads the staking terms: the reward rate, the length of an epoch, and the stake of the validator set at its start.
 */
async function readStaking(reads: NodeReads, ledgerVersion: bigint): Promise<StakingTerms | NodeError> {
  const at = viewAt(reads, ledgerVersion);
  const [rate, interval, set] = await Promise.all([
    at("0x1::staking_config::reward_rate", []),
    at("0x1::block::get_epoch_interval_secs", []),
    // The node has already answered the supply of this version, so a 404 is about the resource.
    reads
      .readResource({ address: "0x1", type: VALIDATOR_SET, ledgerVersion })
      .then((result) => valuesOf(result, VALIDATOR_SET, ledgerVersion)),
  ]);
  if ("why" in rate) return rate;
  if ("why" in interval) return interval;
  if ("why" in set) return set;
  const [resource] = set;
  const power = isRecord(resource) ? resource["total_voting_power"] : undefined;
  const terms = amounts([...rate, ...interval, power], ["numerator", "denominator", "epochSeconds", "staked"]);
  if (terms === undefined) return malformed("staking configuration");
  const none = termsProblem(terms);
  return none === null ? terms : refused(none);
}

/** Parses amounts and names them in order; undefined when one is no amount, or their number differs. */
function amounts<Name extends string>(values: readonly unknown[], names: readonly Name[]) {
  const parsed = values.flatMap((value) => (typeof value === "string" ? (parseUnsigned(value, "u128") ?? []) : []));
  if (parsed.length !== names.length || values.length !== names.length) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, parsed[index]])) as Record<Name, BaseUnits>;
}

function total(parts: Readonly<Record<string, BaseUnits>>): BaseUnits {
  return Object.values(parts).reduce((sum, part) => sum + part);
}
