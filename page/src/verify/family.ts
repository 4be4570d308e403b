import { family } from "virtual:site";
import type { Asset } from "../../../src/chain/asset.ts";
import type { Holding } from "../../../src/supply/schedule.ts";
import type { SupplyBreakdown } from "../documents.ts";
import { evmAsset, evmBrowserNode, evmCommand } from "./evm.ts";
import { moveAsset, moveBrowserNode, moveCommands } from "./move.ts";
import type { BrowserNode } from "./node.ts";

/** What a check must know of the chain's family. */
interface Family {
  readonly assetOf: (text: string) => Asset;
  readonly nodeAt: (address: string, breakdown: SupplyBreakdown) => BrowserNode;
  readonly commands: (address: string, breakdown: SupplyBreakdown, holding: Holding | null) => Promise<string>;
  /** What a reading is of, after it was said in full. */
  readonly version: string;
  readonly own: string;
  readonly notANode: string;
}

const MOVE: Family = {
  assetOf: moveAsset,
  nodeAt: moveBrowserNode,
  commands: moveCommands,
  version: "version",
  own: "gateway",
  notANode: "What answers at this address is no chain node: its address ends in /v1.",
};

const EVM: Family = {
  assetOf: evmAsset,
  nodeAt: evmBrowserNode,
  commands: evmCommand,
  version: "block",
  own: "address",
  notANode: "What answers at this address is no JSON-RPC node of an EVM chain.",
};

/** Of this deployment; the build leaves out the other one. */
export const FAMILY: Family = family === "evm" ? EVM : MOVE;
