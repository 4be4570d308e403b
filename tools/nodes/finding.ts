import type { Holding } from "../../src/chain/holding.ts";
import type { SharePrice } from "../../src/chain/share-price.ts";
import { isFirst, type TokenChain } from "../../src/families/token-chain.ts";
import type { Finding } from "../lib/finding.ts";

interface Nodes {
  /** Name of the chain in its nodes' labels in health. */
  readonly chain: string;
  readonly nodeUrls: readonly string[];
  readonly nodeKeys: readonly string[];
}

/** Chain with the decimals that its nodes must report, and the wallets and prices that they must be able to read. */
export interface ExpectedChain extends TokenChain {
  /** Wallets that are read together with the supply. A family that reads them one by one does not try them. */
  readonly wallets: readonly Holding[];
  /** Share prices that are read at the block of the supply. */
  readonly prices: readonly SharePrice[];
  /** Decimals that the token must have; undefined: any. */
  readonly decimals: number | undefined;
}

/** Reason why a node's figure cannot be read: the node gives no answer, the chain refuses, or it is another chain. */
export interface NodeProblem {
  readonly kind: "no_answer" | "refused" | "other_chain";
  /** Predicate about the node: its behaviour instead of the report. */
  readonly text: string;
  /** Consequence of a problem with which the node is readable otherwise; absent: the node cannot be read. */
  readonly consequence?: string;
}

export const noAnswer = (text: string): NodeProblem => ({ kind: "no_answer", text });
export const refusedByChain = (text: string): NodeProblem => ({ kind: "refused", text });

/** Refuses a node of another chain than the token's. null: it is the right chain, or the token may be on any. */
export function otherChainProblem(
  found: number,
  { id, chainId }: Pick<TokenChain, "id" | "chainId">,
): NodeProblem | null {
  if (chainId === null || found === chainId) return null;
  const where = isFirst({ id }) ? "CHAIN_ID" : "its chain_id in the schedule";
  return { kind: "other_chain", text: `is of chain ${found}, but ${where} is ${chainId}` };
}

/**
 * Refuses a token with other decimals than the schedule's, because its amounts would mean something else. null: they
 * are equal, or the schedule's are not known.
 */
export function decimalsProblem(onChain: number, scheduled: number | undefined): NodeProblem | null {
  if (scheduled === undefined || onChain === scheduled) return null;
  return refusedByChain(`reports that the token has ${onChain} decimals, but the schedule says ${scheduled}`);
}

/** Finding about all nodes of a chain. */
export interface NodesFinding extends Finding {
  /**
   * Whether the settings are wrong whatever the nodes do later: the chain refuses at each node, or a node is of another
   * chain.
   */
  readonly isRefused: boolean;
}

/** Tries each node, and says for each that cannot be read which figures are then missing. */
export async function nodesFinding(
  { chain, nodeUrls, nodeKeys }: Nodes,
  ability: string,
  problemOf: (url: string, key: string) => Promise<NodeProblem | null>,
): Promise<NodesFinding> {
  // The host alone is shown, because the rest of a URL may contain a key.
  const hosts = nodeUrls.map((url) => new URL(url).host);
  const checked = await Promise.all(
    nodeUrls.map(async (url, index) => ({
      name: `${chain}-${index + 1} (${hosts[index]})`,
      cannot: await problemOf(url, nodeKeys[index] ?? ""),
    })),
  );
  const able = checked
    .filter(({ cannot }) => cannot === null || cannot.consequence !== undefined)
    .map(({ name }) => name);
  const consequence =
    able.length > 1
      ? `figures then rest on ${able.join(" and ")}`
      : able.length === 1
        ? `then only small changes that ${able[0]} reports are accepted, and no first reading`
        : "no figure of the chain can be read";
  const sharedHosts = hosts.flatMap((host, index) => {
    const before = hosts.indexOf(host);
    return before === index
      ? []
      : [
          `${checked[index]?.name} is at the same host as ${chain}-${before + 1}: the two nodes that confirm a figure must belong to two operators`,
        ];
  });
  return {
    is: `${able.join(", ") || "no node"} ${ability}`,
    problems: [
      ...checked.flatMap(({ name, cannot }) =>
        cannot === null ? [] : [`${name} ${cannot.text}; ${cannot.consequence ?? consequence}`],
      ),
      ...sharedHosts,
    ],
    isRefused:
      checked.some(({ cannot }) => cannot?.kind === "other_chain") ||
      (checked.length > 0 && checked.every(({ cannot }) => cannot?.kind === "refused")),
  };
}
