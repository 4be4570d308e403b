import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** The state of an upstream. */
export type Mode = "healthy" | "down" | "failing" | "slow" | "cut";

/** A proxy in front of a chain node that corrupts its responses on request. */
export interface FaultyProxy {
  readonly url: string;
  mode: Mode;
  /** The number of corrupted or delayed responses. */
  readonly spoiled: () => number;
  readonly stop: () => Promise<void>;
}

const SLOW_MS = 1_500;

export async function faultyProxy(upstream: string): Promise<FaultyProxy> {
  let spoiled = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (proxy.mode !== "healthy") spoiled += 1;
    if (proxy.mode === "down") return void request.socket.destroy();
    if (proxy.mode === "failing") return void response.writeHead(500).end("<html>Internal Server Error</html>");
    if (proxy.mode === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method = "GET", url = "/" } = request;
    const headers = { "Content-Type": request.headers["content-type"] ?? "", Accept: request.headers.accept ?? "*/*" };
    const init = method === "GET" ? { headers } : { method, headers, body: Buffer.concat(chunks) };
    const found = await fetch(upstream + url, init);
    const body = Buffer.from(await found.arrayBuffer());
    const fields = [...found.headers].filter(
      ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection)$/.test(name),
    );
    response.writeHead(found.status, { ...Object.fromEntries(fields), "Content-Length": body.length });
    if (proxy.mode !== "cut") return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    mode: "healthy",
    spoiled: () => spoiled,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
