import type { Asset } from "../chain/asset.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { AnsweringNodes, ChainNode, NodeError } from "./chain-node.ts";
import { type Difference, differenceOf, type Word, type Words } from "./judge.ts";
import type { ReadingRules } from "./rules.ts";

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
  /** `disagreement`: of two nodes with one that they contradict. */
  | { readonly words: Words; readonly disagreement: Disagreement | null; readonly tip: bigint }
  /** Nothing counts. `disagreement`: of nodes no two of which say the same. */
  | { readonly reason: string; readonly disagreement: Disagreement | null };

/** How long a node is waited for that has not reached the version yet. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 1_000;

/** A word, or why a node has none: a silent one has no say, any other one no equal. */
type Answer = Word | (NodeError & { readonly node: string });

/**
 * Asks two nodes at one version, and further ones, in order, until two say the same. A node that does not answer in
 * time has no say. One that does not reach the version contradicts the other one: that one may be ahead of the chain as
 * well as this one behind it.
 */
export async function askNodes(ports: AskPorts, question: Question): Promise<Asked> {
  const answering = await ports.nodes();
  const { version, tip } = versionFor(answering, question);
  const isAlone = answering.length < 2;
  if (answering.length === 0 || (isAlone && tip < question.floor))
    return { reason: "no chain node answers at a new ledger version", disagreement: null };
  const untilMs = ports.now() + CATCH_UP_MS;
  const ask = (node: ChainNode) => answerOf(node, version, question, ports, untilMs);
  const isLast = ({ label, newestVersion }: ChainNode) => label === question.outvoted || newestVersion < version;
  const nodes = [...answering.filter((node) => !isLast(node)), ...answering.filter(isLast)];
  const answers = await Promise.all(nodes.slice(0, 2).map(ask));
  for (const node of nodes.slice(2)) {
    if (agreementOf(answers, question) !== null) break;
    answers.push(await ask(node));
  }
  const agreed = agreementOf(answers, question);
  const [one, other] = agreed === null ? answers.filter(hasSay) : [agreed.words[0], agreed.odd];
  const difference = one && other && differenceIn(one, other, question);
  const outvoted = agreed?.odd?.node ?? null;
  const found = { ledgerVersion: String(version), atMs: ports.now(), outvoted };
  const disagreement = difference ? { nodes: [one.node, other.node], ...difference, ...found } : null;
  if (agreed !== null) return { words: agreed.words, disagreement, tip };
  if (disagreement !== null) return { reason: "the chain nodes disagree", disagreement };
  const only = one ?? answers[0];
  if (only === undefined || "why" in only) return { reason: only?.reason ?? "no chain node answers", disagreement };
  return { words: [only], disagreement, tip };
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

async function answerOf(
  node: ChainNode,
  version: bigint,
  { asset, rules, knownDecimals }: Question,
  { now, sleep }: AskPorts,
  untilMs: number,
): Promise<Answer> {
  for (;;) {
    const supply = await node.supply(asset, version, knownDecimals);
    if (!("why" in supply)) {
      const [balances, staking] = await Promise.all([
        node.balances(asset, rules.wallets, version),
        rules.staking ? node.staking(version) : null,
      ]);
      return { node: node.label, ledgerVersion: version, ...supply, balances, staking };
    }
    if (supply.why !== "not_reached" || now() >= untilMs) return { node: node.label, ...supply };
    await sleep(POLL_MS);
  }
}

function hasSay(answer: Answer): boolean {
  return !("why" in answer && answer.why === "silent");
}

/** The first two words that are equal, and the first answer that is not; null: no two are. */
function agreementOf(answers: readonly Answer[], question: Question) {
  const words = answers.flatMap((answer) => ("why" in answer ? [] : [answer]));
  for (const [index, left] of words.entries())
    for (const right of words.slice(index + 1)) {
      if (differenceIn(left, right, question) !== null) continue;
      const odd = answers.find((each) => hasSay(each) && differenceIn(left, each, question) !== null);
      return { words: [left, right], odd } as const;
    }
  return null;
}

/** Without a word a node differs in the supply, which it is asked first; two that refuse alike do not. */
function differenceIn(left: Answer, right: Answer, { rules }: Question): Difference | null {
  if (!("why" in left) && !("why" in right)) return differenceOf(left, right, rules.wallets);
  const textOf = (answer: Answer) => ("why" in answer ? answer.reason : String(answer.minted));
  const values = [textOf(left), textOf(right)] as const;
  return values[0] === values[1] ? null : { member: "minted", values };
}
