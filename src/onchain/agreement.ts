import type { StakingTerms } from "../chain/staking.ts";
import type { Held, NodeError, Supply } from "../families/chain-node.ts";
import { holdingKey } from "../supply/wallets.ts";
import type { ReadingRules } from "./rules.ts";

/** What one node reports at the version that it was asked. With an error in a member's place it reports nothing of it. */
export interface NodeReport {
  readonly node: string;
  readonly supply: Supply | NodeError;
  /** By {@link holdingKey}; a wallet that it was not asked is not in it. */
  readonly balances: ReadonlyMap<string, Held | NodeError>;
  /** null: it was not asked. */
  readonly staking: StakingTerms | NodeError | null;
}

/** A value with the nodes that reported it: a single one where all others are absent. */
export interface Agreed<T> {
  readonly value: T;
  readonly confirmedBy: readonly string[];
}

/** What nodes reported together at one version, member by member; a reason where none reported a member. */
export interface Agreement {
  readonly ledgerVersion: bigint;
  /** Labels of all nodes that are configured for the chain. */
  readonly configured: readonly string[];
  readonly supply: Agreed<Supply>;
  /** In the order of the wallets. */
  readonly balances: readonly (Agreed<Held> | NodeError)[];
  /** null: it is not read. */
  readonly staking: Agreed<StakingTerms> | NodeError | null;
}

/** A member of which two nodes report different values. */
interface Difference {
  readonly member: string;
  readonly nodes: readonly [string, string];
  readonly values: readonly [string, string];
  /** Others have reported what the first of them reports. */
  readonly isDecided: boolean;
}

interface Tally {
  /** What two nodes have not reported alike, for a further one to be asked; null: nothing. */
  readonly unconfirmed: Pick<ReadingRules, "wallets" | "staking"> | null;
  readonly difference: Difference | null;
  /** An error: nothing is accepted. */
  readonly agreement: Omit<Agreement, "configured" | "ledgerVersion"> | NodeError;
}

export const UNREAD: NodeError = { why: "silent", reason: "it was not read" };
const DISAGREE: NodeError = { why: "refused", reason: "the chain nodes disagree" };

/**
 * Tallies what nodes report at one version. Each member is tallied among the nodes that report it: an absent node
 * neither agrees nor contradicts. A value that two report, and more than report any other, is agreed on. Any other
 * difference leaves nothing to accept. A node that has the version and reports no supply at it contradicts one that does.
 */
export function tally(
  reports: readonly NodeReport[],
  { wallets, staking: isRead }: Pick<ReadingRules, "wallets" | "staking">,
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
    return majority(key, reports, (report) => report.balances.get(key) ?? UNREAD, heldText);
  });
  const staking = isRead ? majority("staking", reports, (report) => report.staking ?? UNREAD, termsText) : null;
  const members: readonly Majority<unknown>[] = [supply, ...balances, ...(staking === null ? [] : [staking])];
  const differences = members.flatMap(({ difference }) => difference ?? []);
  const undecided = differences.find(({ isDecided }) => !isDecided);
  const unconfirmedWallets = (isDisputed: boolean) =>
    wallets.filter((_wallet, index) => {
      const member = balances[index];
      return isUnconfirmed(member) && (member?.difference != null) === isDisputed;
    });
  return {
    // Nothing is accepted while a member is disputed: disputed wallets come first.
    unconfirmed: members.some(isUnconfirmed)
      ? { wallets: [...unconfirmedWallets(true), ...unconfirmedWallets(false)], staking: isUnconfirmed(staking) }
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
    };
  }
}

/** Whether two nodes have not reported it alike. */
function isUnconfirmed(member: Majority<unknown> | null | undefined): boolean {
  return member != null && !("confirmedBy" in member.agreed && member.agreed.confirmedBy.length > 1);
}

/** What came of one member. */
interface Majority<T> {
  readonly agreed: Agreed<T> | NodeError;
  readonly difference: Difference | null;
}

/** `isReport`: whether an error is a report too. */
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
  if (first === undefined) return { agreed: all.map(({ value }) => value).find(isError) ?? UNREAD, difference: null };
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

function heldText({ baseUnits, stake, pool }: Held): string {
  const parts = stake === null ? "" : ` (${Object.values(stake).join(", ")})`;
  return `${baseUnits}${parts}${pool === null ? "" : ` in ${pool}`}`;
}

function termsText({ numerator, denominator, epochSeconds, staked }: StakingTerms): string {
  return `${numerator}/${denominator} every ${epochSeconds} s on ${staked}`;
}
