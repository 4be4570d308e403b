import { isRecord } from "../../src/base/json.ts";
import type { TokenChain } from "../../src/chain/token-chain.ts";
import { type LegSettings, nodeAccess } from "../../src/config.ts";
import type { Finding } from "../doctor/finding.ts";
import { evmNodesFinding } from "../evm/check-nodes.ts";
import { nodeAt } from "./move-views.ts";

const DEADLINE_MS = 10_000;

/** Whether the nodes of a further chain can be read, by their names in health. */
export async function legFinding({ chain, nodeUrls, nodeKeys }: LegSettings): Promise<Finding> {
  const { id: name, family, chainId, asset } = chain;
  if (family === "evm") return evmNodesFinding({ name, nodeUrls, nodeKeys, chainId, assets: { native: asset } });
  const found = await Promise.all(
    nodeUrls.map(async (url, index) => {
      const cannot = await whyNot(url, nodeKeys[index] ?? "", chain);
      return cannot === null ? [] : [`${name}-${index + 1} (${new URL(url).host}) ${cannot}`];
    }),
  );
  return { is: `the nodes of ${name} say the token's supply on chain ${chainId}`, problems: found.flat() };
}

/** null: it is a node of that chain, and knows the token. */
async function whyNot(address: string, key: string, { chainId: wanted, asset }: TokenChain): Promise<string | null> {
  const { url, headers } = nodeAccess(address, key);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) });
    const body: unknown = response.ok ? await response.json() : undefined;
    const { chain_id: chainId, ledger_version: version } = isRecord(body) ? body : {};
    if (typeof chainId !== "number" || !/^\d+$/.test(String(version)))
      return `does not answer as a chain node (status ${response.status})`;
    if (chainId !== wanted) return `is of chain ${chainId}, and its chain_id in the schedule is ${wanted}`;
    const newest = BigInt(String(version));
    const said = await nodeAt(url, newest, headers).supply(asset, newest, null);
    return "why" in said ? `does not say the token's supply: ${said.reason}` : null;
  } catch {
    return "does not answer";
  }
}
