import type { ChainFamily } from "../../src/families/family.ts";
import { hasChecksum, withChecksum } from "../lib/eip55.ts";
import { evmNodeAt, rpcAt } from "./evm.ts";
import { whyNotEvm } from "./evm-finding.ts";
import type { Cannot, TriedChain } from "./finding.ts";
import type { GivenNode } from "./given-node.ts";
import { moveNodeAt } from "./move.ts";
import { whyNotMove } from "./move-finding.ts";

/** Row of a chain family, besides `FAMILIES`, for the commands. */
interface FamilyTools {
  /** A node by its address and its key, "" for none. */
  readonly nodeAt: (url: string, key: string) => GivenNode;
  /** Says why a node cannot report a figure of the chain; null when it can. */
  readonly whyNot: (url: string, key: string, chain: TriedChain) => Promise<Cannot | null>;
  /** Verb and more for nodes that can, as in "said the supply". */
  readonly can: (chain: TriedChain) => string;
  /** Fault of an address that a person has written, besides its form; null when there is none. */
  readonly addressProblem: (text: string) => string | null;
  /** An address as people write it; the text itself for what is no address. */
  readonly written: (text: string) => string;
}

const FAMILY_TOOLS: Readonly<Record<ChainFamily, FamilyTools>> = {
  move: {
    nodeAt: moveNodeAt,
    whyNot: whyNotMove,
    can: ({ chainId }) => `said the supply${chainId === null ? "" : ` on chain ${chainId}`}`,
    addressProblem: () => null,
    written: (text) => text,
  },
  evm: {
    nodeAt: (url, key) => evmNodeAt(rpcAt(url, key)),
    whyNot: (url, key, chain) => whyNotEvm(rpcAt(url, key), chain),
    can: () => "executed the call that reads everything at one block",
    addressProblem: (text) =>
      hasChecksum(text) ? null : "fails its checksum (EIP-55): a digit is mistyped, or the case of a letter",
    written: withChecksum,
  },
};

export function toolsOf(family: ChainFamily): FamilyTools {
  return FAMILY_TOOLS[family];
}
