import { hasEvm, hasMove } from "virtual:site";
import type { Asset, ChainFamily } from "../../../src/chain/asset.ts";
import type { Holding } from "../../../src/supply/schedule.ts";
import { evmAsset, evmBrowserNode, evmCommand } from "./evm.ts";
import { moveAsset, moveBrowserNode, moveCommands } from "./move.ts";
import type { BrowserNode, Leg } from "./node.ts";

/** Terms and functions of a chain family that a check uses. */
interface Family {
  readonly assetOf: (text: string) => Asset;
  readonly nodeAt: (address: string, leg: Leg) => BrowserNode;
  readonly commands: (address: string, leg: Leg, holding: Holding | null) => Promise<string>;
  /** Short word for a version, after the full one was used. */
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

/** The build leaves out a family of which the token has no chain. */
export function familyTerms(family: ChainFamily): Family {
  if (!hasEvm) return MOVE;
  return !hasMove || family === "evm" ? EVM : MOVE;
}
