import { type RunningNode, startNode } from "./devnode.ts";
import { startEdge } from "./edge.ts";

/**
 * Starts the embedded node behind the edge, with the header fields that the public SDK expects. Faucet requests go to
 * the node directly.
 */
export async function startBehindEdge(): Promise<RunningNode> {
  const node = await startNode();
  const edge = await startEdge([node.url], { NODE_HEADER_PREFIX: "X-APTOS-" });
  return {
    url: `${edge.url}/v1`,
    origin: node.origin,
    close: async () => {
      await edge.close();
      await node.close();
    },
  };
}
