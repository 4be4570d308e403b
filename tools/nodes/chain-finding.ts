import type { Holding } from "../../src/chain/holding.ts";
import type { ChainSettings } from "../../src/families/chain-settings.ts";
import { FIRST_LABEL, isFirst } from "../../src/families/token-chain.ts";
import { toolsOf } from "./families.ts";
import { type NodesFinding, nodesFinding } from "./finding.ts";

/**
 * Checks whether the nodes of a chain can be read. The nodes have the same names as in health. `decimals`: those that
 * the token must have. `wallets`: those that the schedule lists on the chain.
 */
export function chainFinding(
  { chain, nodeUrls, nodeKeys }: ChainSettings,
  decimals?: number,
  wallets: readonly Holding[] = [],
): Promise<NodesFinding> {
  const { nodeProblem: whyNot, ability: can } = toolsOf(chain.family);
  const tried = { ...chain, decimals, wallets };
  const nodes = { chain: isFirst(chain) ? FIRST_LABEL : chain.id, nodeUrls, nodeKeys };
  return nodesFinding(nodes, can(tried), (url, key) => whyNot(url, key, tried));
}
