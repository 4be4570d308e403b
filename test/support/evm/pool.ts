import { EVM } from "../../../src/families/evm/family.ts";
import { type ExchangePorts, jsonExchangeOver } from "../../../src/home/json-exchange.ts";
import { PolledNodePool, type PolledPoolPorts } from "../../../src/home/polled-pool.ts";
import type { EvmTestNode } from "./node.ts";

interface PoolOptions extends Pick<PolledPoolPorts, "now" | "follows">, Pick<ExchangePorts, "after"> {
  /** Name of the chain in the labels of its nodes. */
  readonly name: string;
}

/** Makes the pool of a chain's nodes as the product has it, without a network. */
export function poolOver(nodes: readonly EvmTestNode[], { name, now, after, follows }: PoolOptions): PolledNodePool {
  const { protocol, mostBehindMs } = EVM;
  if (protocol === null) throw new Error("nodes of EVM chains are polled");
  return new PolledNodePool({
    protocol,
    mostBehindMs,
    senders: nodes.map((node, index) => ({
      label: `${name}-${index + 1}`,
      origin: String(index),
      calls: {
        exchange: jsonExchangeOver(
          async (_path, { body, signal }) => {
            const aborted = new Promise<never>((_, reject) => signal?.addEventListener("abort", reject));
            const { status = 200, body: sent, headers = {} } = await Promise.race([node.reply(String(body)), aborted]);
            return new Response(typeof sent === "string" ? sent : JSON.stringify(sent), { status, headers });
          },
          { after, now, userAgent: "test" },
        ),
      },
    })),
    now,
    follows,
  });
}
