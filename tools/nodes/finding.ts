import type { Finding } from "../lib/finding.ts";

interface Nodes {
  /** Of the chain, in its nodes' labels in health. */
  readonly chain: string;
  readonly nodeUrls: readonly string[];
  readonly nodeKeys: readonly string[];
}

/** Why a figure cannot be read from a node: it did not say, the chain itself says no, or it is of another chain. */
export interface Cannot {
  readonly kind: "silent" | "no" | "other_chain";
  /** What the node does instead, as a verb and more. */
  readonly text: string;
}

export const silent = (text: string): Cannot => ({ kind: "silent", text });
export const no = (text: string): Cannot => ({ kind: "no", text });
export const otherChain = (text: string): Cannot => ({ kind: "other_chain", text });

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
