import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { closing, listening } from "../listening.ts";
import type { EvmChain } from "./chain.ts";
import { EvmTestNode } from "./node.ts";

/** Node over real HTTP. */
export interface HttpEvmNode {
  readonly node: EvmTestNode;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Headers with which public nodes answer pages of any origin. */
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type" };

export async function startEvmNode(chain: EvmChain): Promise<HttpEvmNode> {
  const node = new EvmTestNode(chain);
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(request.method === "OPTIONS" ? 204 : 405, CORS).end();
      return;
    }
    const { status = 200, body, headers = {} } = await node.reply(await text(request));
    response.writeHead(status, { "Content-Type": "application/json", ...CORS, ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { node, url: `${await listening(server)}/rpc/eth`, close: () => closing(server) };
}
