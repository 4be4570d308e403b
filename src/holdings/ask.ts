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
  /** The version of the last reading of two nodes: whoever is below it is behind. */
  readonly witnessed: bigint;
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
 * Asks two nodes at the older of their newest versions; further ones, in order, until two say the same. A node that
 * does not answer in time has no say. Two that stay apart disagree about the newest version: the one may be ahead of
 * the chain as well as the other one behind it.
 */
export async function askNodes(ports: AskPorts, question: Question): Promise<Asked> {
  const untilMs = ports.now() + CATCH_UP_MS;
  const { nodes, apart, tip } = await caughtUp(ports, question, untilMs);
  const [first, second] = nodes;
  if (first === undefined) return { kind: "none", reason: "no chain node answers at a new ledger version" };
  if (second === undefined && apart !== undefined)
    return { kind: "disagree", disagreement: apartnessOf(first, apart, ports.now()) };
  const version =
    second === undefined || first.newestVersion < second.newestVersion ? first.newestVersion : second.newestVersion;
  const ask = (node: ChainNode) => answerOf(node, version, question, ports, untilMs);
  const results = await Promise.all(nodes.slice(0, 2).map(ask));
  let agreed = agreementOf(answersIn(results), question);
  for (const node of nodes.slice(2)) {
    if (agreed !== null) break;
    results.push(await ask(node));
    agreed = agreementOf(answersIn(results), question);
  }
  const between = (left: Answer, right: Answer, outvoted: string | null) =>
    disagreementOf(left, right, outvoted, version, question, ports.now());
  if (agreed !== null) {
    const { words, odd } = agreed;
    return { kind: "words", words, disagreement: odd === null ? null : between(words[0], odd, odd.node), tip };
  }
  const [one, other] = answersIn(results);
  if (one !== undefined && other !== undefined) return { kind: "disagree", disagreement: between(one, other, null) };
  if (one !== undefined && !("refusal" in one)) return { kind: "words", words: [one], disagreement: null, tip };
  const [reason] = one === undefined ? results.filter((result) => typeof result === "string") : [one.refusal];
  return { kind: "none", reason: reason ?? "no chain node answers" };
}

interface CaughtUp {
  /** Those that may be asked; one that a third contradicted last. */
  readonly nodes: readonly ChainNode[];
  /** One that is below them, and not known to be behind. */
  readonly apart: ChainNode | undefined;
  readonly tip: bigint;
}

/** The nodes that have reached what was the newest version, once there are two or as many as answer. */
async function caughtUp(
  { nodes, now, sleep }: AskPorts,
  { floor, witnessed, tip: before, outvoted }: Question,
  untilMs: number,
): Promise<CaughtUp> {
  let tip: bigint | null = null;
  for (;;) {
    const answering = await nodes();
    tip ??= tipOf(answering);
    // Who has reached the tip of the last reading is recent enough: no reading waits for the one that is ahead.
    const recent = before !== null && before < (tip ?? 0n) ? before : (tip ?? 0n);
    const wanted = answering.length < 2 ? floor : recent > witnessed ? recent : witnessed;
    const found = answering.filter(({ newestVersion }) => newestVersion >= wanted);
    if (found.length >= Math.min(2, answering.length) || now() >= untilMs)
      return {
        nodes: [...found.filter(({ label }) => label !== outvoted), ...found.filter(({ label }) => label === outvoted)],
        apart: answering.find(({ newestVersion: newest }) => newest < wanted && newest >= witnessed),
        tip: tip ?? 0n,
      };
    await sleep(POLL_MS);
  }
}

/** The newest version of two nodes; of more, that of at least two of them: one alone moves nothing. */
function tipOf(answering: readonly ChainNode[]): bigint | null {
  const newestFirst = answering.map(({ newestVersion }) => newestVersion).sort((a, b) => (a > b ? -1 : 1));
  return (answering.length > 2 ? newestFirst[1] : newestFirst[0]) ?? null;
}

function apartnessOf(ahead: ChainNode, behind: ChainNode, atMs: number): Disagreement {
  const values = [ahead, behind].map(({ newestVersion }) => String(newestVersion));
  const ledgerVersion = String(behind.newestVersion);
  return {
    nodes: [ahead.label, behind.label],
    member: "the newest version",
    values,
    ledgerVersion,
    atMs,
    outvoted: null,
  };
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
    if (supply.why === "refused") return { node: node.label, refusal: supply.reason };
    if (supply.why === "silent" || now() >= untilMs) return supply.reason;
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

function disagreementOf(
  left: Answer,
  right: Answer,
  outvoted: string | null,
  version: bigint,
  { wallets }: Question,
  atMs: number,
): Disagreement {
  const isWords = !("refusal" in left) && !("refusal" in right);
  const difference = isWords ? differenceOf(left, right, wallets) : null;
  const textOf = (answer: Answer) => ("refusal" in answer ? answer.refusal : String(answer.minted));
  const { member, values } = difference ?? { member: "minted", values: [textOf(left), textOf(right)] as const };
  return { nodes: [left.node, right.node], member, values, ledgerVersion: String(version), atMs, outvoted };
}
