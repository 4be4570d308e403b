import type { Asset } from "../chain/asset.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Wallet } from "../supply/wallets.ts";
import type { AnsweringNodes, ChainNode } from "./chain-node.ts";
import { differenceOf, type Word } from "./judge.ts";

export interface AskPorts {
  readonly nodes: AnsweringNodes;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What is asked: one asset and its wallets. */
export interface Question {
  readonly asset: Asset;
  readonly wallets: readonly Wallet[];
  /** Whether native staking is asked too. */
  readonly staking: boolean;
  readonly knownDecimals: number | null;
  /** The version of the last reading: a node that is alone has nothing new to say below it. */
  readonly floor: bigint;
  /** The newest version of the nodes at the last reading; null: there was none. */
  readonly tip: bigint | null;
  /** The node that is asked after all others; null: none. */
  readonly outvoted: string | null;
}

export type Asked =
  /** One word, or two equal ones. `disagreement`: with a node that the two contradict. */
  | {
      readonly kind: "words";
      readonly words: readonly Word[];
      readonly disagreement: Disagreement | null;
      readonly tip: bigint;
    }
  | { readonly kind: "disagree"; readonly disagreement: Disagreement }
  | { readonly kind: "none"; readonly reason: string };

/** How long a node is waited for that has not reached the version yet. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 1_000;

/** A node that answers, but not with a word: it has no equal. */
interface Refusal {
  readonly node: string;
  readonly refusal: string;
}
type Answer = Word | Refusal;

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
    return { kind: "none", reason: "no chain node answers at a new ledger version" };
  const untilMs = ports.now() + CATCH_UP_MS;
  const ask = (node: ChainNode) => answerOf(node, version, question, ports, untilMs);
  const isLast = ({ label, newestVersion }: ChainNode) => label === question.outvoted || newestVersion < version;
  const nodes = [...answering.filter((node) => !isLast(node)), ...answering.filter(isLast)];
  const results = await Promise.all(nodes.slice(0, 2).map(ask));
  for (const node of nodes.slice(2)) {
    if (agreementOf(answersIn(results), question) !== null) break;
    results.push(await ask(node));
  }
  const answers = answersIn(results);
  const agreed = agreementOf(answers, question);
  const outvoted = agreed?.odd?.node ?? null;
  const [one, other = null] = agreed === null ? answers : [agreed.words[0], agreed.odd];
  const difference = one === undefined || other === null ? null : differenceIn(one, other, question);
  const disagreement = difference && { ...difference, ledgerVersion: String(version), atMs: ports.now(), outvoted };
  if (agreed !== null) return { kind: "words", words: agreed.words, disagreement, tip };
  if (disagreement !== null) return { kind: "disagree", disagreement };
  if (one !== undefined && !("refusal" in one)) return { kind: "words", words: [one], disagreement, tip };
  const [reason] = one === undefined ? results.filter((result) => typeof result === "string") : [one.refusal];
  return { kind: "none", reason: reason ?? "no chain node answers" };
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

/** A word, a refusal, or why there is neither. */
async function answerOf(
  node: ChainNode,
  version: bigint,
  { asset, wallets, staking: asksStaking, knownDecimals }: Question,
  { now, sleep }: AskPorts,
  untilMs: number,
): Promise<Answer | string> {
  for (;;) {
    const supply = await node.supply(asset, version, knownDecimals);
    if (supply.kind === "supply") {
      const { baseUnits: minted, decimals } = supply;
      const [balances, staking] = await Promise.all([
        node.balances(asset, wallets, version),
        asksStaking ? node.staking(version) : null,
      ]);
      return { node: node.label, ledgerVersion: version, decimals, minted, balances, staking };
    }
    if (supply.why === "silent") return supply.reason;
    if (supply.why === "refused" || now() >= untilMs) return { node: node.label, refusal: supply.reason };
    await sleep(POLL_MS);
  }
}

function answersIn(results: readonly (Answer | string)[]): Answer[] {
  return results.filter((result) => typeof result !== "string");
}

/** The first two words that are equal, and the first answer that is not; null: no two are. */
function agreementOf(
  answers: readonly Answer[],
  { wallets }: Question,
): { readonly words: readonly [Word, Word]; readonly odd: Answer | null } | null {
  const words = answers.flatMap((answer): Word[] => ("refusal" in answer ? [] : [answer]));
  for (const [index, left] of words.entries())
    for (const right of words.slice(index + 1)) {
      if (differenceOf(left, right, wallets) !== null) continue;
      const isOdd = (each: Answer) => "refusal" in each || differenceOf(left, each, wallets) !== null;
      return { words: [left, right], odd: answers.find(isOdd) ?? null };
    }
  return null;
}

function differenceIn(left: Answer, right: Answer, { wallets }: Question) {
  const nodes = [left.node, right.node];
  const difference = "refusal" in left || "refusal" in right ? null : differenceOf(left, right, wallets);
  const textOf = (answer: Answer) => ("refusal" in answer ? answer.refusal : String(answer.minted));
  return { nodes, ...(difference ?? { member: "minted", values: [textOf(left), textOf(right)] }) };
}
