import { isFirst, type TokenChain } from "../../src/families/token-chain.ts";
import type { Finding } from "../lib/finding.ts";

interface Nodes {
  /** Of the chain, in its nodes' labels in health. */
  readonly chain: string;
  readonly nodeUrls: readonly string[];
  readonly nodeKeys: readonly string[];
}

/** A chain as its nodes are tried. */
export interface TriedChain extends TokenChain {
  /** Decimals that its token must have; undefined when it may have any. */
  readonly decimals: number | undefined;
}

/** Why a figure cannot be read from a node: it did not say, the chain itself says no, or it is of another chain. */
export interface Cannot {
  readonly kind: "silent" | "no" | "other_chain";
  /** What the node does instead, as a verb and more. */
  readonly text: string;
}

export const silent = (text: string): Cannot => ({ kind: "silent", text });
export const no = (text: string): Cannot => ({ kind: "no", text });

/** A node of another chain than the token's; null when it is of this one, or of any where none is named. */
export function otherChainProblem(found: number, { id, chainId }: Pick<TokenChain, "id" | "chainId">): Cannot | null {
  if (chainId === null || found === chainId) return null;
  const where = isFirst({ id }) ? "CHAIN_ID" : "its chain_id in the schedule";
  return { kind: "other_chain", text: `is of chain ${found}, and ${where} is ${chainId}` };
}

/** A schedule's amounts in other decimals than the token's are other amounts. null: they are the same. */
export function decimalsProblem(onChain: number, scheduled: number | undefined): Cannot | null {
  if (scheduled === undefined || onChain === scheduled) return null;
  return no(`says that the token has ${onChain} decimals, and the schedule says ${scheduled}`);
}

/** What the nodes of a chain cannot do. */
export interface NodesFinding extends Finding {
  /** The settings are wrong, whatever becomes of the nodes: all say no, or one is of another chain. */
  readonly isRefused: boolean;
}

/** What each node cannot do of what a reading needs, and what happens then. */
export async function nodesFinding(
  { chain, nodeUrls, nodeKeys }: Nodes,
  can: string,
  whyNot: (url: string, key: string) => Promise<Cannot | null>,
): Promise<NodesFinding> {
  // A host holds no key.
  const hosts = nodeUrls.map((url) => new URL(url).host);
  const checked = await Promise.all(
    nodeUrls.map(async (url, index) => ({
      name: `${chain}-${index + 1} (${hosts[index]})`,
      cannot: await whyNot(url, nodeKeys[index] ?? ""),
    })),
  );
  const able = checked.filter(({ cannot }) => cannot === null).map(({ name }) => name);
  const then =
    able.length > 1
      ? `figures are the word of ${able.join(" and ")}`
      : able.length === 1
        ? `of the figures only small steps that ${able[0]} reports are then accepted, and no first reading`
        : "no figure of the chain can be read";
  const again = hosts.flatMap((host, index) => {
    const before = hosts.indexOf(host);
    return before === index
      ? []
      : [
          `${checked[index]?.name} is at the host of ${chain}-${before + 1}: a figure counts on the word of two nodes, of two operators`,
        ];
  });
  return {
    is: `${able.join(", ") || "no node"} ${can}`,
    problems: [
      ...checked.flatMap(({ name, cannot }) => (cannot === null ? [] : [`${name} ${cannot.text}; ${then}`])),
      ...again,
    ],
    isRefused:
      checked.some(({ cannot }) => cannot?.kind === "other_chain") ||
      (checked.length > 0 && checked.every(({ cannot }) => cannot?.kind === "no")),
  };
}
