import type { ChainFamily } from "../../src/families/family.ts";
import { passesChecksum, withChecksum } from "../lib/eip55.ts";
import { evmNodeAt, rpcAt } from "./evm.ts";
import { evmNodeProblem } from "./evm-finding.ts";
import type { ExpectedChain, NodeProblem } from "./finding.ts";
import type { GivenNode } from "./given-node.ts";
import { moveNodeAt } from "./move.ts";
import { moveNodeProblem } from "./move-finding.ts";

/** Tools of a chain family for the commands, besides its row in `FAMILIES`. */
interface FamilyTools {
  /** Makes a node from its address and its key, which may be "". */
  readonly nodeAt: (url: string, key: string) => GivenNode;
  /** Returns why a node cannot report a figure of the chain; null when it can. */
  readonly nodeProblem: (url: string, key: string, chain: ExpectedChain) => Promise<NodeProblem | null>;
  /** Predicate for nodes that can be read, as in "reported the supply". */
  readonly ability: (chain: ExpectedChain) => string;
  /** Fault of an address beyond its form, such as its checksum; null when there is none. */
  readonly addressProblem: (text: string) => string | null;
  /** States that an address has the form of another family, which this one would read as its own; null: it has not. */
  readonly foreignAddress: (text: string) => string | null;
  /** An address as people write it; any other text stays as it is. */
  readonly written: (text: string) => string;
}

const FAMILY_TOOLS: Readonly<Record<ChainFamily, FamilyTools>> = {
  move: {
    nodeAt: moveNodeAt,
    nodeProblem: moveNodeProblem,
    ability: ({ chainId }) => `reported the supply${chainId === null ? "" : ` on chain ${chainId}`}`,
    addressProblem: () => null,
    foreignAddress: (text) =>
      /^0x[\da-f]{40}$/i.test(text)
        ? "has the 40 digits of an EVM chain, and a Move chain would read it too: state the family of its chain (--chain-family evm, or chains in the file), or write all 64 digits"
        : null,
    written: (text) => text,
  },
  evm: {
    nodeAt: (url, key) => evmNodeAt(rpcAt(url, key)),
    nodeProblem: (url, key, chain) => evmNodeProblem(rpcAt(url, key), chain),
    ability: ({ prices }) =>
      `executed the call that reads everything at one block${prices.length === 0 ? "" : ` and was asked for the share prices ${prices.map(({ id }) => id).join(", ")}`}`,
    addressProblem: (text) =>
      passesChecksum(text) ? null : "fails its checksum (EIP-55): a digit is mistyped, or the case of a letter",
    foreignAddress: () => null,
    written: withChecksum,
  },
};

export function toolsOf(family: ChainFamily): FamilyTools {
  return FAMILY_TOOLS[family];
}
