import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { FakeNode, type RawBody } from "../support/fake-node.ts";
import { SLOW } from "../support/runtime.ts";

const MIB = 1_048_576;
/** A list of resources of exactly this many bytes. */
function listOf(bytes: number): string {
  const [head, tail] = ['[{"type":"0x1::a::A","data":{"padding":"', '"}}]'];
  return head + "x".repeat(bytes - head.length - tail.length) + tail;
}

describe("a response too large to be buffered", () => {
  let node: FakeNode;
  let edge: BareProduct;
  const bodies = new Map<string, RawBody>();
  const read = (path: string, init?: RequestInit) => fetch(`${edge.url}${path}`, init);
  const serve = (address: string, body: RawBody): string => {
    bodies.set(address, body);
    return `/v1/accounts/${address}/resources`;
  };

  beforeAll(async () => {
    node = await FakeNode.start();
    node.raw = ({ path }) => bodies.get(path.split("/")[2] ?? "") ?? null;
    edge = await startBareProduct({ NODE_URLS: node.url, RATE_LIMIT_NODE: "10000/1" }, SLOW);
  });

  afterAll(async () => {
    await edge.remove();
    await node.stop();
  });

  test.each([
    ["of 1 MiB, still buffered", "0xa1", MIB, true, "; stored"],
    ["of a byte more, declared", "0xa2", MIB + 1, true, ""],
    ["of 8 MiB, declared", "0xa3", 8 * MIB, true, ""],
    ["of a byte more than 1 MiB, not declared", "0xa4", MIB + 1, false, ""],
    ["of 8 MiB, not declared", "0xa5", 8 * MIB, false, ""],
  ])("%s: is received complete, with its length", async (_what, address, bytes, isDeclared, stored) => {
    const text = listOf(bytes);
    const path = serve(address, { text, isDeclared });
    const response = await read(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Length")).toBe(String(bytes));
    expect(response.headers.get("X-NODE-LEDGER-VERSION")).toBe("10");
    expect(response.headers.get("Cache-Status")).toBe(`edge; fwd=miss; fwd-status=200${stored}`);
    expect(response.headers.has("ETag")).toBe(stored !== "");
    expect((await response.text()) === text).toBe(true);
  });

  test("more than 8 MiB is passed on when it is declared, and else refused by name, not to be repeated", async () => {
    const text = listOf(20 * MIB);
    expect((await (await read(serve("0xb1", { text, isDeclared: true }))).text()) === text).toBe(true);
    const refused = await read(serve("0xb2", { text: listOf(8 * MIB + 1), isDeclared: false }));
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([502, null]);
    expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/more than 8388608 bytes.*`limit`/) });
    expect(node.calls("/accounts/0xb2/resources?limit=9999")).toBe(1);
  });

  test("one that is truncated breaks the connection, and is never a short body", async () => {
    const path = serve("0xc1", { text: listOf(4 * MIB), isDeclared: true, cutAt: 2 * MIB });
    const response = await read(path);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    // The control: it is received when it is complete.
    serve("0xc1", { text: listOf(4 * MIB), isDeclared: true });
    expect((await (await read(path)).text()).length).toBe(4 * MIB);
  });

  test("one of unknown length that is truncated is requested again, and then refused", async () => {
    const path = serve("0xc2", { text: listOf(4 * MIB), isDeclared: false, cutAt: 2 * MIB });
    expect((await read(path)).status).toBe(503);
    expect(node.calls("/accounts/0xc2/resources?limit=9999")).toBe(4);
  });

  test("is received by each of twenty concurrent callers", async () => {
    const text = listOf(8 * MIB);
    const path = serve("0xd1", { text, isDeclared: true });
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await read(path)).text()));
    expect(texts.map((each) => (each === text ? "whole" : each.slice(0, 200)))).toEqual(texts.map(() => "whole"));
  });

  test("is not read to its end for a caller that disconnects or sends HEAD", async () => {
    const path = serve("0xe1", { text: listOf(8 * MIB), isDeclared: true, slowly: 32_768 });
    const closed = () => expect.poll(() => node.openResponses).toBe(0);
    expect((await read(path, { method: "HEAD" })).status).toBe(200);
    await closed();
    const caller = new AbortController();
    const response = await read(path, { signal: caller.signal });
    expect((await response.body?.getReader().read())?.value?.byteLength).toBeGreaterThan(0);
    expect(node.openResponses).toBe(1);
    caller.abort();
    await closed();
  });
});

describe("uploads of one caller that never end", () => {
  const QUOTA = 20;
  let node: FakeNode;
  let limited: BareProduct;
  beforeAll(async () => {
    node = await FakeNode.start();
    limited = await startBareProduct({ NODE_URLS: node.url, RATE_LIMIT_NODE: `${QUOTA}/60` }, SLOW);
  });
  afterAll(async () => {
    await limited.remove();
    await node.stop();
  });

  /** Sends the head of a view with a body of that length, and its first bytes. The response, once there is one. */
  function upload(caller: string, length: number, bytes: number) {
    const { hostname, port } = new URL(limited.url);
    let response = "";
    const socket = connect(Number(port), hostname).on("error", ({ message }) => {
      response ||= `failed: ${message}`;
    });
    socket.on("data", (chunk: Buffer) => {
      response += chunk.toString();
    });
    socket.write(
      `POST /v1/view HTTP/1.1\r\nHost: edge\r\nCF-Connecting-IP: ${caller}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${length}\r\n\r\n${" ".repeat(bytes)}`,
    );
    return { socket, status: () => Number(response.split(" ")[1] ?? 0), text: () => response };
  }

  test("count when they begin, and drop only that caller's own when memory is short", async () => {
    const begin = (count: number) => Array.from({ length: count }, () => upload("192.0.2.1", 1_000_000, 1));
    const statusesOf = (uploads: ReturnType<typeof begin>) => uploads.map(({ status }) => status());
    const send = (uploads: ReturnType<typeof begin>, bytes: number) => {
      for (const { socket, status } of uploads) if (status() === 0) socket.write(" ".repeat(bytes));
    };
    // A preflight is told the caller's state, and does not count.
    const preflight = { method: "OPTIONS", headers: { "CF-Connecting-IP": "192.0.2.1" } };
    const remaining = async () => (await fetch(`${limited.url}/v1/view`, preflight)).headers.get("RateLimit");
    const admitted = begin(QUOTA);
    await expect.poll(remaining).toContain("r=0;");
    const refused = begin(10);
    const view = JSON.stringify({ function: "0x1::a::b", type_arguments: [], arguments: [] });
    const other = upload("192.0.2.2", 200_000 + view.length, 200_000);
    await expect.poll(() => statusesOf(refused)).toContain(429);
    // Before a body has ended, there is no other status.
    expect([0, 429]).toEqual(expect.arrayContaining(statusesOf(refused)));
    expect(new Set(statusesOf(admitted))).toEqual(new Set([0]));
    send(admitted, 949_999);
    await expect.poll(() => statusesOf(admitted)).toContain(503);
    expect(admitted.find(({ status }) => status() === 503)?.text()).toContain("fewer large bodies at a time");
    other.socket.write(view);
    await expect.poll(() => other.status()).toBe(200);
    // An upload that begins when this isolate already knows the refusal is read to its end before it is answered.
    send(admitted, 50_000);
    send(refused, 999_999);
    await expect.poll(() => statusesOf([...admitted, ...refused])).not.toContain(0);
    expect(new Set(statusesOf(refused))).toEqual(new Set([429]));
    expect(statusesOf(admitted)).not.toContain(429);
    for (const { socket } of [...admitted, ...refused, other]) socket.destroy();
  });
});
