import { isRecord } from "../../src/base/json.ts";
import { assetText } from "../../src/chain/asset.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import type { TokenChain } from "../../src/chain/token-chain.ts";
import type { LegSettings } from "../../src/config.ts";
import type { Finding } from "../doctor/finding.ts";
import { evmNodesFinding } from "../evm/check-nodes.ts";
import { nodesFinding } from "./finding.ts";
import { nodeAt } from "./move-views.ts";

const DEADLINE_MS = 10_000;

/** Whether the nodes of a further chain can be read, by their names in health. */
export async function legFinding({ chain, ...nodes }: LegSettings): Promise<Finding> {
  const { id, family, chainId, asset } = chain;
  if (family === "evm") return evmNodesFinding({ name: id, ...nodes, chainId, assets: { native: asset } });
  return nodesFinding({ chain: id, ...nodes }, `said the supply on chain ${chainId}`, (url, key) =>
    whyNot(url, key, chain),
  );
}

/** What the node does instead; null: it is of that chain, and says what exists of the asset there. */
async function whyNot(address: string, key: string, { chainId: wanted, asset }: TokenChain): Promise<string | null> {
  const { url, headers } = nodeAccess(address, key);
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => undefined);
  if (response === undefined) return "does not answer";
  const ledger: unknown = await response.json().catch(() => undefined);
  const { chain_id: chainId, ledger_version: newest } = isRecord(ledger) ? ledger : {};
  if (typeof chainId !== "number" || typeof newest !== "string" || !/^\d+$/.test(newest))
    return `does not answer as a chain node (status ${response.status})`;
  if (chainId !== wanted) return `is of chain ${chainId}, and its chain_id in the schedule is ${wanted}`;
  const version = BigInt(newest);
  const said = await nodeAt(url, version, headers).supply(asset, version, null);
  return "why" in said ? `says of ${assetText(asset)}: ${said.reason}` : null;
}
