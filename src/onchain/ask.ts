import { instantText } from "../base/utc.ts";
import { type Head, headToRead } from "../chain/heads.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { AnsweringNode, ChainNode, ChainNodes, FindNodes } from "../families/chain-node.ts";
import type { FamilyDefinition } from "../families/definition.ts";
import { familyOf } from "../families/family.ts";
import { holdingKey } from "../supply/wallets.ts";
import { type Agreement, NOT_READ, type NodeReport, tally } from "./agreement.ts";
import { contradictionReason, remedyOf } from "./outage.ts";
import type { ReadingRules } from "./rules.ts";

export interface AskPorts {
  readonly nodes: FindNodes;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Question that all nodes of a chain are asked: the supply of an asset, the wallets, and native staking if read. */
export interface Question {
  readonly rules: Pick<ReadingRules, "chain" | "wallets" | "staking" | "circulatingView" | "prices">;
  /** Decimals of the asset; null: the node is asked for them. */
  readonly knownDecimals: number | null;
  /** The version of the last confirmed supply. If only one node answers and its head is lower, nothing is read. */
  readonly floor: bigint;
  /** Label of a node that is asked after all others, because others contradicted it; null: no node. */
  readonly outvoted: string | null;
}

export type AskResult =
  /** `disagreement`: two nodes differed and a majority decided; null: no nodes differed. */
  | { readonly agreement: Agreement; readonly disagreement: Disagreement | null }
  /** The reports cannot be accepted. `disagreement`: two nodes differed and no majority decided. */
  | { readonly reason: string; readonly disagreement: Disagreement | null };

/** How long a node gets to reach the version. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 1_000;
/** How long the other nodes may still report after the first one has finished. */
const LATE_MS = 15_000;

/**
 * Asks two nodes at one version, then further nodes, one by one, for whatever no two nodes have confirmed. After the
 * first node has finished, the others have 15 s more; until then there is no deadline. A node whose head stays below the
 * version counts as absent.
 */
export async function askNodes(ports: AskPorts, question: Question): Promise<AskResult> {
  const { now } = ports;
  let reportsUntilMs = Number.POSITIVE_INFINITY;
  const nodesNow = await ports.nodes(() => now() >= reportsUntilMs);
  const { answering, configured } = nodesNow;
  const family = familyOf(question.rules.chain.family);
  const head = headToRead(answering.map(headOf), family.mostBehindMs, now());
  if (head === undefined || (answering.length === 1 && head.version < question.floor))
    return { reason: noNewVersionReason(nodesNow, family), disagreement: null };
  const { version } = head;
  const disputed = await timeDisagreement(answering, head, family, now());
  if (disputed !== null) return { reason: contradictionReason(disputed), disagreement: disputed };
  const catchUpUntilMs = now() + CATCH_UP_MS;
  const ask = async (node: ChainNode, about: Partial<Question["rules"]>): Promise<NodeReport> => {
    const rules = { ...question.rules, ...about };
    const report = await requestReport(node, version, { ...question, rules }, ports, catchUpUntilMs);
    if (!("why" in report.supply)) reportsUntilMs = Math.min(reportsUntilMs, now() + LATE_MS);
    return report;
  };
  const isLast = ({ label, newestVersion }: ChainNode) => label === question.outvoted || newestVersion < version;
  const nodes = [...answering.filter((node) => !isLast(node)), ...answering.filter(isLast)];
  const reports = await Promise.all(nodes.slice(0, 2).map((node) => ask(node, {})));
  let tallied = tally(reports, question.rules);
  for (const node of nodes.slice(2)) {
    if (tallied.unconfirmed === null) break;
    reportsUntilMs = now() + LATE_MS;
    reports.push(await ask(node, tallied.unconfirmed));
    tallied = tally(reports, question.rules);
  }
  const { difference, agreement } = tallied;
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

/** States why there is no version to read, with the remedy. */
function noNewVersionReason({ answering, configured }: ChainNodes, { versionWord }: FamilyDefinition): string {
  const labels = answering.map(({ label }) => label);
  const absent = configured.filter((label) => !labels.includes(label));
  const behind = labels.map((label) => `${label} is behind the last reading`);
  const remedies = absent.length === 0 ? [] : [remedyOf(absent, configured)];
  return `no chain node answers at a new ${versionWord}: ${[...behind, ...remedies].join("; ")}`;
}

/**
 * Finds a disagreement of two nodes about the time of the older head. Without this check a node could present an old
 * version as its newest one, and the other node would confirm amounts that have long changed.
 */
async function timeDisagreement(
  answering: readonly AnsweringNode[],
  head: Head,
  { mostBehindMs }: FamilyDefinition,
  nowMs: number,
): Promise<Disagreement | null> {
  const [older] = answering.filter(({ newestVersion }) => newestVersion === head.version);
  const [newer, third] = answering.filter(({ newestVersion }) => newestVersion > head.version);
  // With three nodes the second newest head is read, so no node alone chooses it.
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

/** Asks one node for its report, again each second until it has reached the version. */
async function requestReport(
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
      const { wallets, prices = [] } = rules;
      const [balances, staking] = await Promise.all([
        node.balances(asset, wallets, version),
        rules.staking ? node.staking(version) : null,
      ]);
      const priced = prices.length === 0 ? [] : await node.prices?.(asset, prices, version);
      const byHolding = new Map(wallets.map((wallet, index) => [holdingKey(wallet), balances[index] ?? NOT_READ]));
      const pricesById = new Map(prices.map(({ id }, index) => [id, priced?.[index] ?? NOT_READ]));
      return { node: label, supply, balances: byHolding, staking, prices: pricesById };
    }
    if (supply.why !== "not_reached" || now() >= catchUpUntilMs) {
      // A node whose head is below the version is absent. With a higher head its error contradicts other reports.
      const isAbsent = supply.why === "not_reached" && node.newestVersion < version;
      const error = isAbsent ? ({ ...supply, why: "silent" } as const) : supply;
      return { node: label, supply: error, balances: new Map(), staking: null };
    }
    await sleep(POLL_MS);
  }
}
