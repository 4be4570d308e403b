import type { StakingTerms } from "../chain/staking.ts";
import { holdingKey } from "../supply/wallets.ts";
import type { Held, NodeError, Supply } from "./chain-node.ts";
import type { ReadingRules } from "./rules.ts";

/** What one node says at the version that it was asked. Of an error it has said nothing. */
export interface Word {
  readonly node: string;
  readonly supply: Supply | NodeError;
  /** By {@link holdingKey}; what it was not asked is not in it. */
  readonly balances: ReadonlyMap<string, Held | NodeError>;
  /** null: it was not asked. */
  readonly staking: StakingTerms | NodeError | null;
}

/** A member of a word that counts, and the nodes that said it: one, if none other said anything of it. */
export interface Said<T> {
  readonly value: T;
  readonly by: readonly string[];
}

/** What nodes said together at one version, member by member; a reason where none said a member. */
export interface SaidWords {
  readonly ledgerVersion: bigint;
  /** How many nodes were asked. */
  readonly asked: number;
  readonly supply: Said<Supply>;
  /** In the order of the wallets. */
  readonly balances: readonly (Said<Held> | NodeError)[];
  /** null: it is not read. */
  readonly staking: Said<StakingTerms> | NodeError | null;
}

/** A member of which two nodes say different things. */
interface Difference {
  readonly member: string;
  readonly nodes: readonly [string, string];
  readonly values: readonly [string, string];
  /** Others have said what the first of them says. */
  readonly isDecided: boolean;
}

interface Count {
  /** What two nodes have not said alike, for a further one to be asked; null: nothing. */
  readonly open: Pick<ReadingRules, "wallets" | "staking"> | null;
  readonly difference: Difference | null;
  /** An error: nothing counts. */
  readonly words: SaidWords | NodeError;
}

export const UNREAD: NodeError = { why: "silent", reason: "it was not read" };
const DISAGREE: NodeError = { why: "refused", reason: "the chain nodes disagree" };

/**
 * Counts what nodes said at one version. Each member is counted among the nodes that spoke of it: silence neither agrees
 * nor contradicts. What only one node said is its word; what two said alike, and more than said anything else, counts
 * whatever the others say; otherwise nothing counts. A node that answers and has no supply at this version contradicts
 * one that has: that one may be ahead of the chain.
 */
export function countOf(
  words: readonly Word[],
  { wallets, staking: isRead }: Pick<ReadingRules, "wallets" | "staking">,
  ledgerVersion: bigint,
): Count {
  const supply = vote(
    "minted",
    words,
    (word) => word.supply,
    supplyText,
    ({ why }) => why !== "silent",
  );
  const balances = wallets.map((wallet) => {
    const key = holdingKey(wallet);
    return vote(key, words, (word) => word.balances.get(key) ?? UNREAD, heldText);
  });
  const staking = isRead ? vote("staking", words, (word) => word.staking ?? UNREAD, termsText) : null;
  const votes: readonly Vote<unknown>[] = [supply, ...balances, ...(staking === null ? [] : [staking])];
  const differences = votes.flatMap(({ difference }) => difference ?? []);
  const undecided = differences.find(({ isDecided }) => !isDecided);
  const openOf = (isDisputed: boolean) =>
    wallets.filter((_wallet, index) => {
      const of = balances[index];
      return isOpen(of) && (of?.difference != null) === isDisputed;
    });
  return {
    // Nothing counts while one is disputed: those come first.
    open: votes.some(isOpen) ? { wallets: [...openOf(true), ...openOf(false)], staking: isOpen(staking) } : null,
    difference: undecided ?? differences[0] ?? null,
    words: undecided === undefined ? counted() : DISAGREE,
  };

  function counted(): SaidWords | NodeError {
    if ("why" in supply.said) return supply.said;
    const said = { supply: supply.said, balances: balances.map((each) => each.said), staking: staking?.said ?? null };
    return { ledgerVersion, asked: words.length, ...said };
  }
}

/** Whether two nodes have not said it alike. */
function isOpen(vote: Vote<unknown> | null | undefined): boolean {
  return vote != null && !("by" in vote.said && vote.said.by.length > 1);
}

/** What came of one member. */
interface Vote<T> {
  readonly said: Said<T> | NodeError;
  readonly difference: Difference | null;
}

/** `speaks`: whether an error says something. */
function vote<T>(
  member: string,
  words: readonly Word[],
  saidIn: (word: Word) => T | NodeError,
  textOf: (value: T) => string,
  speaks: (error: NodeError) => boolean = () => false,
): Vote<T> {
  const all = words.map((word) => ({ node: word.node, value: saidIn(word) }));
  const spoken = all
    .filter(({ value }) => !isError(value) || speaks(value))
    .map(({ node, value }) => ({ node, value, text: isError(value) ? value.reason : textOf(value) }));
  const [most = [], next = []] = [...Map.groupBy(spoken, ({ text }) => text).values()].sort(
    (left, right) => right.length - left.length,
  );
  const [one] = most;
  if (one === undefined) return { said: all.map(({ value }) => value).find(isError) ?? UNREAD, difference: null };
  const said = isError(one.value) ? one.value : { value: one.value, by: most.map(({ node }) => node) };
  const other = spoken.find(({ text }) => text !== one.text);
  if (other === undefined) return { said, difference: null };
  const isDecided = most.length > 1 && most.length > next.length && "by" in said;
  const [nodes, values] = [[one.node, other.node] as const, [one.text, other.text] as const];
  return { said: isDecided ? said : DISAGREE, difference: { member, nodes, values, isDecided } };
}

function isError<T>(said: T | NodeError): said is NodeError {
  return typeof said === "object" && said !== null && "why" in said;
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
