import { DAY_MS } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import type { HoldingBalance, NodeError } from "../families/chain-node.ts";
import { holdingKey, isBurned, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { type Agreement, NOT_READ, type Uncontradicted } from "./agreement.ts";
import { acceptPrices } from "./price-acceptance.ts";
import {
  type ChainState,
  hasCurrentBalance,
  type LastWalletBalance,
  type Reading,
  type StakingState,
  type StatedCirculating,
  withLastComplete,
} from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** Makes the reading of what the nodes agree on. `good`: the last accepted reading, whose values fill gaps. */
export function readingOf(
  agreement: Agreement,
  rules: ReadingRules,
  good: Sample<Reading> | null,
  atMs: number,
): Reading {
  const { ledgerVersion, supply } = agreement;
  const before = good?.value;
  const earlierStates = new Map(before?.wallets.map((state) => [state.holding, state]));
  const balances = balancesWithoutSharedPools(agreement, rules.wallets);
  const wallets = rules.wallets.map((wallet, index): LastWalletBalance => {
    const [holding, { address }] = [holdingKey(wallet), wallet];
    const earlier = earlierStates.get(holding);
    const agreed = balances[index] ?? NOT_READ;
    if ("why" in agreed) {
      const anomaly = { kind: "unreadable", reason: agreed.reason } as const;
      return { holding, address, confirmedBy: [], balance: earlier?.balance ?? null, anomaly };
    }
    const { value, confirmedBy } = agreed;
    const balance = { ...value, ledgerVersion, readAtMs: atMs };
    const anomaly = balanceDrop(wallet, earlier, value.baseUnits, rules, atMs);
    return { holding, address, confirmedBy, balance, anomaly };
  });
  const staking = stakingStateOf(agreement, before?.staking ?? null, atMs);
  const { confirmedBy } = supply;
  const source = { ledgerVersion, readAtMs: atMs, confirmedBy, nodeCount: agreement.configured.length };
  const { minted, decimals, block } = supply.value;
  const current = [...wallets.filter(hasCurrentBalance), ...(staking?.unreadable === null ? [staking] : [])];
  const fullyConfirmedBy = confirmedBy.filter((node) => current.every((state) => state.confirmedBy.includes(node)));
  const stated = statedCirculating(agreement);
  const chain: ChainState = {
    ...{ ...source, id: rules.chain.id, missing: null, block: block ?? null, minted, fullyConfirmedBy },
    ...(stated === null ? {} : { circulating: stated }),
  };
  const atBlock = block === undefined ? {} : { block };
  const prices = acceptPrices(before?.prices ?? [], agreement, rules, atMs);
  const reading = { ...source, ...atBlock, minted, decimals, wallets, staking, chains: [chain] };
  return withLastComplete({ ...reading, ...(prices.length > 0 && { prices }) }, good, atMs);
}

/**
 * Takes what a contract states to circulate, if as many nodes report it as the supply, or two. Nothing is served from the
 * amount, so no reading waits for it.
 */
function statedCirculating({ circulating, supply }: Agreement): StatedCirculating | null {
  if (circulating === null) return null;
  if ("why" in circulating) return { reason: circulating.reason };
  const { value, confirmedBy } = circulating;
  return confirmedBy.length >= Math.min(2, supply.confirmedBy.length)
    ? { baseUnits: value }
    : { reason: `only ${confirmedBy[0]} reports it` };
}

/** Makes two holdings unreadable that share a stake pool: its tokens would be subtracted twice. */
function balancesWithoutSharedPools(
  { balances }: Agreement,
  wallets: readonly Wallet[],
): readonly (Uncontradicted<HoldingBalance> | NodeError)[] {
  const pools = wallets.map((wallet, index) => {
    const balance = balances[index];
    const contractPool = balance !== undefined && "confirmedBy" in balance ? balance.value.pool : null;
    if (wallet.holds === "delegation") return wallet.pool;
    return wallet.holds === "stake_pool" ? wallet.address : contractPool;
  });
  return balances.map((balance, index) => {
    const pool = pools[index] ?? null;
    const other = wallets.find(
      ({ holds }, at) =>
        at !== index &&
        pool !== null &&
        pools[at] === pool &&
        !(holds === "delegation" && isDelegation(wallets[index])),
    );
    if (other === undefined) return balance;
    return { why: "refused", reason: `its stake pool ${pool} is in the listed wallet ${other.address} too` };
  });
}

function isDelegation(wallet: Wallet | undefined): boolean {
  return wallet?.holds === "delegation";
}

/** Takes the agreed terms if they are possible; otherwise keeps the last accepted terms, with the reason. */
function stakingStateOf(agreement: Agreement, before: StakingState | null, atMs: number): StakingState | null {
  const { ledgerVersion, supply, staking } = agreement;
  if (staking === null) return null;
  if ("confirmedBy" in staking && staking.value.staked <= supply.value.minted)
    return {
      good: { terms: staking.value, ledgerVersion, readAtMs: atMs },
      confirmedBy: staking.confirmedBy,
      unreadable: null,
    };
  const unreadable = "why" in staking ? staking.reason : "more is staked than exists on chain";
  return { good: before?.good ?? null, confirmedBy: [], unreadable };
}

/** How long health and the feed show a wallet whose balance dropped. */
const BALANCE_DROP_SHOWN_MS = DAY_MS;

/** Finds a fall by more than half, beyond what the schedule unlocked. The balance is accepted, and flagged for a day. */
function balanceDrop(
  wallet: Wallet,
  last: LastWalletBalance | undefined,
  baseUnits: BaseUnits,
  { unlockedBetween }: ReadingRules,
  atMs: number,
): LastWalletBalance["anomaly"] {
  const before = last?.balance ?? null;
  if (before === null || isBurned(wallet)) return null;
  const fall = before.baseUnits - baseUnits;
  if (baseUnits * 2n < before.baseUnits && fall > unlockedBetween(wallet, before.readAtMs, atMs))
    return { kind: "dropped", from: before.baseUnits, atMs };
  const shown = last?.anomaly?.kind === "dropped" ? last.anomaly : null;
  return shown !== null && atMs - shown.atMs < BALANCE_DROP_SHOWN_MS ? shown : null;
}
