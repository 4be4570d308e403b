import { EvmPool, type EvmPoolPorts } from "../../../src/evm/pool.ts";
import { type RpcPorts, rpcOver } from "../../../src/evm/rpc.ts";
import type { EvmTestNode } from "./node.ts";

interface PoolOptions extends Pick<EvmPoolPorts, "now" | "follows">, Pick<RpcPorts, "after"> {
  /** Of the chain, in the labels of its nodes. */
  readonly name: string;
}

/** The nodes of a chain as the product sees them, without a network. */
export function poolOver(nodes: readonly EvmTestNode[], { name, now, after, follows }: PoolOptions): EvmPool {
  return new EvmPool({
    senders: nodes.map((node, index) => ({
      label: `${name}-${index + 1}`,
      origin: String(index),
      call: rpcOver(
        async (_path, { body, signal }) => {
          const aborted = new Promise<never>((_, reject) => signal?.addEventListener("abort", reject));
          const { status = 200, body: sent, headers = {} } = await Promise.race([node.reply(String(body)), aborted]);
          return new Response(typeof sent === "string" ? sent : JSON.stringify(sent), { status, headers });
        },
        { after, now, userAgent: "test" },
      ),
    })),
    now,
    follows,
  });
}
