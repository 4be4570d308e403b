import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import largeNode from "../workers/large-node.js";

/** A yield listing of 15 MB; one in a hundred of its pools is of the chain "Aptos". */
const LISTING = JSON.stringify({
  status: "success",
  data: Array.from({ length: 30_000 }, (_, row) => ({
    ...{ chain: row % 100 === 0 ? "Aptos" : "Other", project: "thala-lsd", symbol: "STHAPT", pool: `p${row}` },
    ...{ tvlUsd: 36_424_113, apyBase: 1.2, apyReward: 8.1, apy: 9.3, exposure: "single", padding: "x".repeat(350) },
  })),
});

/** `large-node.js` over HTTP at `/v1`, and the listing at `/rates`. */
export async function listenLarge(port) {
  const server = createServer(async (request, response) => {
    if (request.url === "/rates") return response.end(LISTING);
    const body = request.method === "POST" ? Readable.toWeb(request) : null;
    const received = new Request(`http://node${request.url}`, { method: request.method, body, duplex: "half" });
    const answer = await largeNode.fetch(received);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
