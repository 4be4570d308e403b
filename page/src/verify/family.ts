import type { Holding } from "../../../src/chain/holding.ts";
import type { ChainFamily } from "../../../src/families/family.ts";
import { evmBrowserNode, evmCommands } from "./evm.ts";
import { moveBrowserNode, moveCommands } from "./move.ts";
import type { BrowserNode, ServedChain } from "./node.ts";

/** Row of a chain family for checks in the browser, in addition to its row of `FAMILIES`. */
interface PageFamily {
  readonly nodeAt: (address: string, chain: ServedChain) => BrowserNode;
  readonly commands: (address: string, chain: ServedChain, holding: Holding | null) => Promise<string>;
  /** Short name of a version, once its full name stands before it. */
  readonly version: string;
  readonly addressName: string;
  readonly notANode: string;
}

const PAGE_FAMILIES: Readonly<Record<ChainFamily, PageFamily>> = {
  move: {
    nodeAt: moveBrowserNode,
    commands: moveCommands,
    version: "version",
    addressName: "gateway",
    notANode: "What answers at this address is no chain node: its address ends in /v1.",
  },
  evm: {
    nodeAt: evmBrowserNode,
    commands: evmCommands,
    version: "block",
    addressName: "address",
    notANode: "What answers at this address is no JSON-RPC node of an EVM chain.",
  },
};

export function pageFamily(family: ChainFamily): PageFamily {
  return PAGE_FAMILIES[family];
}
