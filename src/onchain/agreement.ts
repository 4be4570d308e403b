import type { BaseUnits } from "../chain/amount.ts";
import type { ReportedPrice } from "../chain/share-price.ts";
import type { StakingTerms } from "../chain/staking.ts";
import type { HoldingBalance, NodeError, Supply } from "../families/chain-node.ts";
import { holdingKey } from "../supply/wallets.ts";
import { contradictionReason } from "./outage.ts";
import type { ReadingRules } from "./rules.ts";

/** Report of one node at one version. A member is an error where the node reports no value for it. */
export interface NodeReport {
  readonly node: string;
  readonly supply: Supply | NodeError;
  /** Balances by {@link holdingKey}, without the wallets that the node was not asked for. */
  readonly balances: ReadonlyMap<string, HoldingBalance | NodeError>;
  /** null: the node was not asked for the terms. */
  readonly staking: StakingTerms | NodeError | null;
  /** Prices of shares by product, of those that the node was asked for; absent: it was asked for none. */
  readonly prices?: ReadonlyMap<string, ReportedPrice | NodeError>;
}

/** A value and the nodes that reported it: one node if all others reported none. */
export interface Uncontradicted<T> {
  readonly value: T;
  readonly confirmedBy: readonly string[];
}

/** Values that the nodes reported together at one version. A member that no node reported is an error. */
export interface Agreement {
  readonly ledgerVersion: bigint;
  /** Labels of all nodes that are configured for the chain. */
  readonly configured: readonly string[];
  readonly supply: Uncontradicted<Supply>;
  /** Balances in the order of the wallets. */
  readonly balances: readonly (Uncontradicted<HoldingBalance> | NodeError)[];
  /** null: native staking is not read. */
  readonly staking: Uncontradicted<StakingTerms> | NodeError | null;
  /** Amount that a contract states to circulate; null: none is read. */
  readonly circulating: Uncontradicted<BaseUnits> | NodeError | null;
  /** Prices in the order of the rules; absent: none are read. */
  readonly prices?: readonly (Uncontradicted<ReportedPrice> | NodeError)[];
}

/** Whether a chain has one node alone, whose reports no other node can confirm. */
export function hasOneNode({ configured }: Pick<Agreement, "configured">): boolean {
  return configured.length < 2;
}

/** A member for which two nodes reported different values. */
interface Difference {
  readonly member: string;
  readonly nodes: readonly [string, string];
  readonly values: readonly [string, string];
  /** Whether a majority reported the value of the first node. */
  readonly isDecided: boolean;
}

interface Tally {
  /** Members that no two nodes have confirmed, and that a further node is asked for; null: all are confirmed. */
  readonly unconfirmed: Pick<ReadingRules, "wallets" | "staking" | "prices"> | null;
  readonly difference: Difference | null;
  /** An error: the reports cannot be accepted. */
  readonly agreement: Omit<Agreement, "configured" | "ledgerVersion"> | NodeError;
}

export const NOT_READ: NodeError = { why: "silent", reason: "it was not read" };
const DISAGREE: NodeError = { why: "refused", reason: "the chain nodes disagree" };

/**
 * Tallies the reports of nodes at one version, each member among the nodes that reported it. When values differ, a value
 * wins that at least two nodes reported, and more nodes than any other value. Without a winner nothing is accepted. A
 * node that has the version but refuses its supply contradicts a node that reports one.
 */
export function tally(
  reports: readonly NodeReport[],
  {
    wallets,
    staking: isStakingRead,
    circulatingView,
    prices: asked = [],
  }: Pick<ReadingRules, "wallets" | "staking" | "circulatingView" | "prices">,
): Tally {
  const supply = majority(
    "minted",
    reports,
    (report) => report.supply,
    supplyText,
    ({ why }) => why !== "silent",
  );
  const balances = wallets.map((wallet) => {
    const key = holdingKey(wallet);
    return majority(key, reports, (report) => report.balances.get(key) ?? NOT_READ, heldText);
  });
  const staking = isStakingRead
    ? majority("staking", reports, (report) => report.staking ?? NOT_READ, termsText)
    : null;
  // Nodes that differ about a price leave the product with an earlier one; they stop no figure.
  const prices = asked.map(({ id }) =>
    majority(`price of ${id}`, reports, ({ prices }) => prices?.get(id) ?? NOT_READ, priceText),
  );
  const members: readonly Majority<unknown>[] = [supply, ...balances, ...(staking === null ? [] : [staking])];
  const isDecided = ({ difference }: Majority<unknown>) => difference?.isDecided === true;
  const differences = [...members, ...prices.filter(isDecided)].flatMap(({ difference }) => difference ?? []);
  const undecided = differences.find(({ isDecided }) => !isDecided);
  const unconfirmedWallets = (isDisputed: boolean) =>
    wallets.filter((_wallet, index) => {
      const member = balances[index];
      return isUnconfirmed(member) && (member?.difference != null) === isDisputed;
    });
  return {
    // Disputed wallets come first: nothing is accepted while one remains.
    unconfirmed: [...members, ...prices].some(isUnconfirmed)
      ? {
          wallets: [...unconfirmedWallets(true), ...unconfirmedWallets(false)],
          staking: isUnconfirmed(staking),
          prices: asked.filter((_price, index) => isUnconfirmed(prices[index])),
        }
      : null,
    difference: undecided ?? differences[0] ?? null,
    agreement: undecided === undefined ? agreed() : DISAGREE,
  };

  function agreed(): Tally["agreement"] {
    if ("why" in supply.agreed) return supply.agreed;
    return {
      supply: supply.agreed,
      balances: balances.map((each) => each.agreed),
      staking: staking?.agreed ?? null,
      // The amount is only compared, so a difference about it stops no reading.
      circulating: circulatingView === null ? null : withNamedNodes(majority("circulating", reports, statedIn, String)),
      ...(asked.length > 0 && { prices: prices.map(withNamedNodes) }),
    };
  }
}

/** Returns the amount that a contract states to circulate, as one node reported it. */
function statedIn({ supply }: NodeReport): BaseUnits | NodeError {
  return "why" in supply ? supply : (supply.circulating ?? NOT_READ);
}

/** Names the nodes in the reason why they agree about no value. */
function withNamedNodes<T>({ agreed, difference }: Majority<T>): Uncontradicted<T> | NodeError {
  const isOpen = difference !== null && !difference.isDecided;
  return isOpen ? { ...DISAGREE, reason: contradictionReason(difference) } : agreed;
}

/** Whether fewer than two nodes reported the agreed value of a member. */
function isUnconfirmed(member: Majority<unknown> | null | undefined): boolean {
  return member != null && !("confirmedBy" in member.agreed && member.agreed.confirmedBy.length > 1);
}

/** Result of the tally for one member. */
interface Majority<T> {
  readonly agreed: Uncontradicted<T> | NodeError;
  readonly difference: Difference | null;
}

/** Finds the value that most nodes reported. `isReport`: whether an error counts as a reported value. */
function majority<T>(
  member: string,
  reports: readonly NodeReport[],
  valueIn: (report: NodeReport) => T | NodeError,
  textOf: (value: T) => string,
  isReport: (error: NodeError) => boolean = () => false,
): Majority<T> {
  const all = reports.map((report) => ({ node: report.node, value: valueIn(report) }));
  const reported = all
    .filter(({ value }) => !isError(value) || isReport(value))
    .map(({ node, value }) => ({ node, value, text: isError(value) ? value.reason : textOf(value) }));
  const [most = [], next = []] = [...Map.groupBy(reported, ({ text }) => text).values()].sort(
    (left, right) => right.length - left.length,
  );
  const [first] = most;
  if (first === undefined) return { agreed: all.map(({ value }) => value).find(isError) ?? NOT_READ, difference: null };
  const agreed = isError(first.value) ? first.value : { value: first.value, confirmedBy: most.map(({ node }) => node) };
  const contrary = reported.find(({ text }) => text !== first.text);
  if (contrary === undefined) return { agreed, difference: null };
  const isDecided = most.length > 1 && most.length > next.length && "confirmedBy" in agreed;
  const [nodes, values] = [[first.node, contrary.node] as const, [first.text, contrary.text] as const];
  return { agreed: isDecided ? agreed : DISAGREE, difference: { member, nodes, values, isDecided } };
}

function isError<T>(value: T | NodeError): value is NodeError {
  return typeof value === "object" && value !== null && "why" in value;
}

function supplyText({ minted, decimals, block }: Supply): string {
  return `${minted} (${decimals} decimals)${block === undefined ? "" : ` in block ${block}`}`;
}

function heldText({ baseUnits, stake, pool }: HoldingBalance): string {
  const parts = stake === null ? "" : ` (${Object.values(stake).join(", ")})`;
  return `${baseUnits}${parts}${pool === null ? "" : ` in ${pool}`}`;
}

function priceText({ value, atMs }: ReportedPrice): string {
  return `${value} at ${atMs}`;
}

function termsText({ numerator, denominator, epochSeconds, staked }: StakingTerms): string {
  return `${numerator}/${denominator} every ${epochSeconds} s on ${staked}`;
}
