import { isRecord } from "../../src/base/json.ts";
import { type LegSettings, nodeAccess } from "../../src/config.ts";
import type { Finding } from "../doctor/finding.ts";
import { evmNodesFinding } from "../evm/check-nodes.ts";

const DEADLINE_MS = 10_000;

/** Whether the nodes of a further chain can be read, by their names in health. */
export async function legFinding({ chain, nodeUrls, nodeKeys }: LegSettings): Promise<Finding> {
  const { id: name, family, chainId, asset } = chain;
  if (family === "evm") return evmNodesFinding({ name, nodeUrls, nodeKeys, chainId, assets: { native: asset } });
  const found = await Promise.all(
    nodeUrls.map(async (url, index) => {
      const cannot = await whyNot(url, nodeKeys[index] ?? "", chainId);
      return cannot === null ? [] : [`${name}-${index + 1} (${new URL(url).host}) ${cannot}`];
    }),
  );
  return { is: `the nodes of ${name} answer for chain ${chainId}`, problems: found.flat() };
}

/** null: it is a node of that chain. */
async function whyNot(address: string, key: string, wanted: number): Promise<string | null> {
  const { url, headers } = nodeAccess(address, key);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) });
    const body: unknown = response.ok ? await response.json() : undefined;
    const chainId = isRecord(body) ? body["chain_id"] : undefined;
    if (chainId === wanted) return null;
    if (typeof chainId === "number") return `is of chain ${chainId}, and its chain_id in the schedule is ${wanted}`;
    return `does not answer as a chain node (status ${response.status})`;
  } catch {
    return "does not answer";
  }
}
