import { type Asset, familyOf, VERSION_WORDS } from "../chain/asset.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import { holdingKey } from "../supply/wallets.ts";
import type { AnsweringNodes, ChainNode } from "./chain-node.ts";
import type { ReadingRules } from "./rules.ts";
import { countOf, type SaidWords, UNREAD, type Word } from "./words.ts";

export interface AskPorts {
  readonly nodes: AnsweringNodes;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What is asked: one asset, its wallets, perhaps native staking. */
export interface Question {
  readonly asset: Asset;
  readonly rules: Pick<ReadingRules, "wallets" | "staking">;
  readonly knownDecimals: number | null;
  /** The version of the last reading: a node that is alone has nothing new to say below it. */
  readonly floor: bigint;
  /** The newest version of the nodes at the last reading; null: there was none. */
  readonly tip: bigint | null;
  /** The node that is asked after all others; null: none. */
  readonly outvoted: string | null;
}

export type Asked =
  /** `disagreement`: of two nodes between which others have decided. */
  | { readonly words: SaidWords; readonly disagreement: Disagreement | null; readonly tip: bigint }
  /** Nothing counts. `disagreement`: of two nodes between which nobody has decided. */
  | { readonly reason: string; readonly disagreement: Disagreement | null };

/** How long a node is waited for that has not reached the version yet. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 1_000;
/** How long a node may still speak when another one has finished. */
const LATE_MS = 15_000;

/**
 * Asks two nodes at one version, and each further one, in order, what two have not said alike yet. What a node has not
 * said in time, it has not said; nodes that are alike slow have all the time that the wallets take. One that does not
 * reach the version contradicts the other one: that one may be ahead of the chain as well as this one behind it.
 */
export async function askNodes(ports: AskPorts, question: Question): Promise<Asked> {
  const { now } = ports;
  let overAtMs = Number.POSITIVE_INFINITY;
  const answering = await ports.nodes(() => now() >= overAtMs);
  const { version, tip } = versionFor(answering, question);
  const isAlone = answering.length < 2;
  if (answering.length === 0 || (isAlone && tip < question.floor))
    return {
      reason: `no chain node answers at a new ${VERSION_WORDS[familyOf(question.asset)]}`,
      disagreement: null,
    };
  const catchUpUntilMs = now() + CATCH_UP_MS;
  const ask = async (node: ChainNode, about: Pick<Question, "rules">): Promise<Word> => {
    const word = await wordOf(node, version, { ...question, ...about }, ports, catchUpUntilMs);
    if (!("why" in word.supply)) overAtMs = Math.min(overAtMs, now() + LATE_MS);
    return word;
  };
  const isLast = ({ label, newestVersion }: ChainNode) => label === question.outvoted || newestVersion < version;
  const nodes = [...answering.filter((node) => !isLast(node)), ...answering.filter(isLast)];
  const said = await Promise.all(nodes.slice(0, 2).map((node) => ask(node, question)));
  let count = countOf(said, question.rules, version);
  for (const node of nodes.slice(2)) {
    if (count.open === null) break;
    overAtMs = now() + LATE_MS;
    said.push(await ask(node, { rules: count.open }));
    count = countOf(said, question.rules, version);
  }
  const { difference, words } = count;
  const disagreement = difference && disagreementOf(difference, version, now());
  return "why" in words ? { reason: words.reason, disagreement } : { words, disagreement, tip };
}

function disagreementOf(
  { isDecided, ...difference }: NonNullable<ReturnType<typeof countOf>["difference"]>,
  version: bigint,
  atMs: number,
): Disagreement {
  return { ...difference, ledgerVersion: String(version), atMs, outvoted: isDecided ? difference.nodes[1] : null };
}

/**
 * The older of the two newest versions, if it has reached the tip of the last reading: no reading waits for a node that
 * is a second ahead. Else that tip, or the present one: a node that stays behind it keeps no figure as it was.
 */
function versionFor(answering: readonly ChainNode[], { tip: before }: Question): { version: bigint; tip: bigint } {
  const newestFirst = answering.map(({ newestVersion }) => newestVersion).sort((a, b) => (a > b ? -1 : 1));
  const [newest = 0n, second = newest, third] = newestFirst;
  // Of three, one alone moves nothing.
  const [tip, older] = third === undefined ? [newest, second] : [second, second];
  const wanted = before !== null && before < tip ? before : tip;
  return { version: older > wanted ? older : wanted, tip };
}

async function wordOf(
  node: ChainNode,
  version: bigint,
  { asset, rules, knownDecimals }: Question,
  { now, sleep }: AskPorts,
  catchUpUntilMs: number,
): Promise<Word> {
  for (;;) {
    const supply = await node.supply(asset, version, knownDecimals);
    if (!("why" in supply)) {
      const [balances, staking] = await Promise.all([
        node.balances(asset, rules.wallets, version),
        rules.staking ? node.staking(version) : null,
      ]);
      const byHolding = new Map(rules.wallets.map((wallet, index) => [holdingKey(wallet), balances[index] ?? UNREAD]));
      return { node: node.label, supply, balances: byHolding, staking };
    }
    if (supply.why !== "not_reached" || now() >= catchUpUntilMs)
      return { node: node.label, supply, balances: new Map(), staking: null };
    await sleep(POLL_MS);
  }
}
