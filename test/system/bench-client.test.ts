import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { client } from "../../bench/lib/client.ts";

let server: Server;
let url: string;
let resets: number;
let requests: number;

beforeEach(async () => {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    if (requests <= resets) request.socket.resetAndDestroy();
    else response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ["a read survives one reset connection", "GET", 1, "answered", 2],
  ["but not two in a row", "GET", 2, "ECONNRESET", 2],
  ["a submit is not sent twice", "POST", 1, "ECONNRESET", 1],
])("%s", async (_what, method, count, expected, sent) => {
  resets = count;
  const { call, close } = client(url, 1);
  const outcome = await call("/", { method }).then(
    ({ body }) => String(body),
    ({ code }) => code,
  );
  close();
  expect([outcome, requests]).toEqual([expected, sent]);
});
