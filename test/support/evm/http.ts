import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { closing, listening } from "../listening.ts";
import type { EvmChain } from "./chain.ts";
import { EvmTestNode } from "./node.ts";

/** A node over real HTTP. */
export interface HttpEvmNode {
  readonly node: EvmTestNode;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startEvmNode(chain: EvmChain): Promise<HttpEvmNode> {
  const node = new EvmTestNode(chain);
  const server = createServer(async (request, response) => {
    const { status = 200, body, headers = {} } = await node.reply(await text(request));
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { node, url: `${await listening(server)}/rpc/eth`, close: () => closing(server) };
}
