import { instantText } from "../base/utc.ts";
import { type Head, headToRead } from "../chain/heads.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { AnsweringNode, AskChainNodes, ChainNode, ChainNodes } from "../families/chain-node.ts";
import type { FamilyDefinition } from "../families/definition.ts";
import { familyOf } from "../families/family.ts";
import { holdingKey } from "../supply/wallets.ts";
import { type Agreement, type NodeReport, tally, UNREAD } from "./agreement.ts";
import { contradictionReason, remedyOf } from "./outage.ts";
import type { ReadingRules } from "./rules.ts";

export interface AskPorts {
  readonly nodes: AskChainNodes;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What is asked: an asset of a chain, its wallets, perhaps native staking. */
export interface Question {
  readonly rules: Pick<ReadingRules, "chain" | "wallets" | "staking">;
  readonly knownDecimals: number | null;
  /** The last confirmed version: a node that is alone reports nothing new below it. */
  readonly floor: bigint;
  /** The node that is asked after all others; null: none. */
  readonly outvoted: string | null;
}

export type Asked =
  /** `disagreement`: of two nodes between which others have decided. */
  | { readonly agreement: Agreement; readonly disagreement: Disagreement | null }
  /** Nothing is accepted. `disagreement`: of two nodes between which nobody has decided. */
  | { readonly reason: string; readonly disagreement: Disagreement | null };

/** How long a node is waited for that has not reached the version yet. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 1_000;
/** How long a node may still report when another one has finished. */
const LATE_MS = 15_000;

/**
 * Asks two nodes at one version, and each further one, in order, what two have not reported alike yet. What a node has
 * not reported in time, it has not reported; nodes that are alike slow have all the time that the wallets take. A node
 * whose head stays below the version is absent.
 */
export async function askNodes(ports: AskPorts, question: Question): Promise<Asked> {
  const { now } = ports;
  let overAtMs = Number.POSITIVE_INFINITY;
  const nodesNow = await ports.nodes(() => now() >= overAtMs);
  const { answering, configured } = nodesNow;
  const family = familyOf(question.rules.chain.family);
  const head = headToRead(answering.map(headOf), family.mostBehindMs, now());
  if (head === undefined || (answering.length === 1 && head.version < question.floor))
    return { reason: nothingNew(nodesNow, family), disagreement: null };
  const { version } = head;
  const disputed = await disputedTime(answering, head, family, now());
  if (disputed !== null) return { reason: contradictionReason(disputed), disagreement: disputed };
  const catchUpUntilMs = now() + CATCH_UP_MS;
  const ask = async (node: ChainNode, about: Partial<Question["rules"]>): Promise<NodeReport> => {
    const rules = { ...question.rules, ...about };
    const report = await reportOf(node, version, { ...question, rules }, ports, catchUpUntilMs);
    if (!("why" in report.supply)) overAtMs = Math.min(overAtMs, now() + LATE_MS);
    return report;
  };
  const isLast = ({ label, newestVersion }: ChainNode) => label === question.outvoted || newestVersion < version;
  const nodes = [...answering.filter((node) => !isLast(node)), ...answering.filter(isLast)];
  const reports = await Promise.all(nodes.slice(0, 2).map((node) => ask(node, {})));
  let count = tally(reports, question.rules);
  for (const node of nodes.slice(2)) {
    if (count.unconfirmed === null) break;
    overAtMs = now() + LATE_MS;
    reports.push(await ask(node, count.unconfirmed));
    count = tally(reports, question.rules);
  }
  const { difference, agreement } = count;
  const disagreement = difference && disagreementOf(difference, version, now());
  if (disagreement !== null && disagreement.outvoted === null)
    return { reason: contradictionReason(disagreement), disagreement };
  if ("why" in agreement) {
    const remedy = agreement.why === "silent" ? `: ${remedyOf(configured, configured)}` : "";
    return { reason: `${agreement.reason}${remedy}`, disagreement };
  }
  return { agreement: { ...agreement, ledgerVersion: version, configured }, disagreement };
}

function headOf({ newestVersion: version, newestAtMs: atMs }: AnsweringNode): Head {
  return { version, atMs };
}

/** Why there is no version to read, with the remedy. */
function nothingNew({ answering, configured }: ChainNodes, { versionWord }: FamilyDefinition): string {
  const labels = answering.map(({ label }) => label);
  const absent = configured.filter((label) => !labels.includes(label));
  const behind = labels.map((label) => `${label} is behind the last reading`);
  const remedies = absent.length === 0 ? [] : [remedyOf(absent, configured)];
  return `no chain node answers at a new ${versionWord}: ${[...behind, ...remedies].join("; ")}`;
}

/**
 * Two nodes that contradict one another about the time of the older one's head. Otherwise a node could name an old
 * version as its newest, and the other one would confirm what has long changed.
 */
async function disputedTime(
  answering: readonly AnsweringNode[],
  head: Head,
  { mostBehindMs }: FamilyDefinition,
  nowMs: number,
): Promise<Disagreement | null> {
  const [older] = answering.filter(({ newestVersion }) => newestVersion === head.version);
  const [newer, third] = answering.filter(({ newestVersion }) => newestVersion > head.version);
  // The second newest of three is between two heads.
  if (older === undefined || newer === undefined || third !== undefined || answering.length > 2) return null;
  const claimedMs = Math.min(nowMs, head.atMs);
  const atMs = await newer.timeOf(head.version);
  if (atMs === null || claimedMs - atMs <= mostBehindMs) return null;
  return {
    nodes: [older.label, newer.label],
    member: "time",
    values: [instantText(claimedMs), instantText(atMs)],
    ledgerVersion: String(head.version),
    atMs: nowMs,
    outvoted: null,
  };
}

function disagreementOf(
  { isDecided, ...difference }: NonNullable<ReturnType<typeof tally>["difference"]>,
  version: bigint,
  atMs: number,
): Disagreement {
  return { ...difference, ledgerVersion: String(version), atMs, outvoted: isDecided ? difference.nodes[1] : null };
}

async function reportOf(
  node: ChainNode,
  version: bigint,
  { rules, knownDecimals }: Question,
  { now, sleep }: AskPorts,
  catchUpUntilMs: number,
): Promise<NodeReport> {
  const { label } = node;
  const { asset } = rules.chain;
  for (;;) {
    const supply = await node.supply(asset, version, knownDecimals);
    if (!("why" in supply)) {
      const [balances, staking] = await Promise.all([
        node.balances(asset, rules.wallets, version),
        rules.staking ? node.staking(version) : null,
      ]);
      const byHolding = new Map(rules.wallets.map((wallet, index) => [holdingKey(wallet), balances[index] ?? UNREAD]));
      return { node: label, supply, balances: byHolding, staking };
    }
    if (supply.why !== "not_reached" || now() >= catchUpUntilMs) {
      // Below the version it reports nothing of it; with a head at or above it, it reports that there is none.
      const isAbsent = supply.why === "not_reached" && node.newestVersion < version;
      const error = isAbsent ? ({ ...supply, why: "silent" } as const) : supply;
      return { node: label, supply: error, balances: new Map(), staking: null };
    }
    await sleep(POLL_MS);
  }
}
