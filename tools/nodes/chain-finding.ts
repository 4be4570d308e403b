import type { ChainSettings } from "../../src/families/chain-settings.ts";
import { FIRST_LABEL, isFirst } from "../../src/families/token-chain.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { pricesOn } from "../../src/supply/share-prices.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { toolsOf } from "./families.ts";
import { type NodesFinding, nodesFinding } from "./finding.ts";

/**
 * Checks whether the nodes of a chain can be read. The nodes have the same names as in health. `decimals`: those that
 * the token must have. `schedule`: the file whose wallets and share prices on the chain are read; null: none are.
 */
export function chainFinding(
  { chain, nodeUrls, nodeKeys }: ChainSettings,
  decimals?: number,
  schedule: Schedule | null = null,
): Promise<NodesFinding> {
  const { nodeProblem: whyNot, ability: can } = toolsOf(chain.family);
  const [wallets, prices] =
    schedule === null ? [[], []] : [holdingsOn(schedule, chain.id), pricesOn(schedule, chain.id)];
  const tried = { ...chain, decimals, wallets, prices };
  const nodes = { chain: isFirst(chain) ? FIRST_LABEL : chain.id, nodeUrls, nodeKeys };
  return nodesFinding(nodes, can(tried), (url, key) => whyNot(url, key, tried));
}
