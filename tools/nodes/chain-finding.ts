import type { ChainSettings } from "../../src/config.ts";
import { isFirst } from "../../src/families/token-chain.ts";
import { toolsOf } from "./families.ts";
import { type NodesFinding, nodesFinding } from "./finding.ts";

/** Whether the nodes of a chain can be read, by their names in health. `decimals`: that its token must have. */
export function chainFinding({ chain, nodeUrls, nodeKeys }: ChainSettings, decimals?: number): Promise<NodesFinding> {
  const { whyNot, can } = toolsOf(chain.family);
  const tried = { ...chain, decimals };
  const nodes = { chain: isFirst(chain) ? "upstream" : chain.id, nodeUrls, nodeKeys };
  return nodesFinding(nodes, can(tried), (url, key) => whyNot(url, key, tried));
}
