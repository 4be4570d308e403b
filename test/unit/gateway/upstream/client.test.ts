import { describe, expect, test } from "vitest";
import { ByteBudget } from "../../../../src/gateway/byte-budget.ts";
import {
  httpSender,
  type SendPorts,
  type Transport,
  type TransportInit,
} from "../../../../src/gateway/upstream/client.ts";
import { MAX_RESPONSE_BYTES } from "../../../../src/gateway/upstream/large-body.ts";
import { upstreamSenders, userAgentOf } from "../../../../src/gateway/upstream/senders.ts";
import type { UpstreamResult } from "../../../../src/gateway/upstream/upstream-result.ts";
import { requestFor } from "../requests.ts";

const largeBodies = new ByteBudget(MAX_RESPONSE_BYTES);
const LEDGER = { "X-Node-Chain-Id": "4", "X-Node-Ledger-Version": "1000" };
const JSON_HEADERS = { ...LEDGER, "Content-Type": "application/json; charset=utf-8" };
const ACCOUNT = '{"sequence_number":"7","authentication_key":"0x00"}';
const failure = (code: string): string => JSON.stringify({ message: "SECRET-STACK at 10.9.8.7", error_code: code });
const now: SendPorts["after"] = (_milliseconds, then) => {
  const timer = setTimeout(then, 0);
  return () => clearTimeout(timer);
};
const never: SendPorts["after"] = () => () => undefined;

async function send(
  transport: Transport,
  { path = "/v1/accounts/0x1", body = null as string | null, after = never } = {},
): Promise<UpstreamResult> {
  const request = await requestFor(body === null ? "GET" : "POST", path, body);
  return httpSender({ transport, after, userAgent: "edge-api/test", largeBodies: new ByteBudget(MAX_RESPONSE_BYTES) })(
    request,
    "node",
    1_000,
  );
}
const answering =
  (text: BodyInit | null, init: ResponseInit = {}): Transport =>
  async () =>
    new Response(text, { headers: JSON_HEADERS, ...init });
/** `response <status>`, or the kind of error with its status. */
const outcome = (result: UpstreamResult): string =>
  result.kind === "response" ? `response ${result.response.status}` : `${result.error} ${result.status}`;

describe("a request to an upstream", () => {
  const sent = async (dialect: "node" | "aptos"): Promise<TransportInit> => {
    const inits: TransportInit[] = [];
    const transport: Transport = async (_path, init) => {
      inits.push(init);
      return new Response(ACCOUNT, { headers: JSON_HEADERS });
    };
    const request = { ...(await requestFor("POST", "/v1/transactions", "{}")) };
    const bcs = { ...request, contentType: "application/x.node.signed_transaction+bcs" };
    await httpSender({
      transport,
      after: never,
      largeBodies,
      userAgent: userAgentOf({ buildRevision: "1.2.3\r\nX: y", contactUrl: null }),
    })(bcs, dialect, 1_000);
    const [init] = inits;
    if (init === undefined) throw new Error("nothing was sent");
    return init;
  };

  test("names the client and its revision, and nothing that would break the header", async () => {
    expect((await sent("node")).headers["User-Agent"]).toBe("edge-api/1.2.3Xy");
  });

  test.each([
    ["https://example.org/about", "edge-api/7 (+https://example.org/about)"],
    ["https://example.org/a) b(c", "edge-api/7 (+https://example.org/a%29%20b%28c)"],
  ])("names the contact page %s in a comment of the field", (contactUrl, wanted) => {
    expect(userAgentOf({ buildRevision: "7", contactUrl })).toBe(wanted);
  });

  test.each([
    ["node", "application/x.node.signed_transaction+bcs"],
    ["aptos", "application/x.aptos.signed_transaction+bcs"],
  ] as const)("of dialect %s has the content type %s", async (dialect, contentType) => {
    expect((await sent(dialect)).headers["Content-Type"]).toBe(contentType);
  });

  test("never follows a redirect", async () => {
    expect((await sent("node")).redirect).toBe("manual");
  });
});

describe("a response is", () => {
  test.each<[string, BodyInit | null, ResponseInit, string]>([
    ["valid", ACCOUNT, {}, "response 200"],
    ["a redirect", null, { status: 302 }, "invalid 302"],
    ["created", ACCOUNT, { status: 201 }, "invalid 201"],
    ["accepted, of a read", ACCOUNT, { status: 202 }, "invalid 202"],
    ["partial, of a read", ACCOUNT, { status: 206 }, "invalid 206"],
    ["without content", null, { status: 204 }, "invalid 204"],
    ["not modified", null, { status: 304 }, "invalid 304"],
    ["the node's own error", failure("account_not_found"), { status: 404 }, "response 404"],
    ["a page of a proxy", "<h1>", { status: 414, headers: { "Content-Type": "text/html" } }, "refused 414"],
    ["the first status of a proxy", "<h1>", { status: 400, headers: { "Content-Type": "text/html" } }, "refused 400"],
    ["a 500 without JSON", "<h1>", { status: 500, headers: { "Content-Type": "text/html" } }, "server_error 500"],
    ["a refusal of our key", failure("x"), { status: 401 }, "server_error 401"],
    ["throttled", "slow down", { status: 429, headers: { "Retry-After": "7" } }, "throttled 429"],
    ["a server error with a code", failure("internal_error"), { status: 500 }, "server_error 500"],
    ["a server error without", "<h1>", { status: 503, headers: { "Content-Type": "text/html" } }, "server_error 503"],
    ["shorter than declared", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Length": "99" } }, "truncated 200"],
    ["of an unknown encoding", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "zstd" } }, "invalid 200"],
    ["of two encodings", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "gzip, br" } }, "invalid 200"],
    ["decoded by the platform", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "gzip" } }, "response 200"],
    ["of another form", "[]", {}, "invalid 200"],
    ["too large", new Uint8Array(MAX_RESPONSE_BYTES + 1), {}, "too_large 200"],
  ])("%s", async (_what, text, init, expected) => {
    expect(outcome(await send(answering(text, init)))).toBe(expected);
  });

  test.each([202, 206])("%d of a submit", async (status) => {
    const transport = answering('{"transaction_failures":[]}', { status });
    expect(outcome(await send(transport, { path: "/v1/transactions/batch", body: "[]" }))).toBe(`response ${status}`);
  });

  test("throttled for the time it states", async () => {
    const result = await send(answering("", { status: 429, headers: { "Retry-After": "7" } }));
    expect(result).toMatchObject({ error: "throttled", retryAfterSeconds: 7 });
  });
});

describe("no text of an upstream's 5xx is passed on", () => {
  test.each([
    [
      "a full mempool",
      507,
      "mempool_is_full",
      "/v1/transactions",
      "The node's mempool is full. Send the transaction again later.",
    ],
    [
      "a failed health check",
      503,
      "health_check_failed",
      "/v1/-/healthy",
      "The node is not healthy: its ledger is older than the given duration.",
    ],
  ])("%s", async (_what, status, code, path, message) => {
    const body = path === "/v1/transactions" ? "{}" : null;
    const result = await send(answering(failure(code), { status }), { path, body });
    if (result.kind !== "response") throw new Error(result.detail);
    const text = new TextDecoder().decode(result.response.body);
    expect([result.response.status, JSON.parse(text)]).toEqual([
      status,
      { message, error_code: code, vm_error_code: null },
    ]);
  });

  test.each([
    ["/v1/transactions", "{}"],
    ["/v1/transactions/batch", "[]"],
    ["/v1/-/healthy", null],
    ["/v1/accounts/0x1", null],
  ])("a 500 of %s is not passed on", async (path, body) => {
    const result = await send(answering(failure("internal_error"), { status: 500 }), { path, body });
    expect(outcome(result)).toBe("server_error 500");
    expect(JSON.stringify(result)).not.toContain("SECRET");
  });
});

describe("an upstream's own headers", () => {
  test("cursor and gas are passed on, the ledger is read, all others are dropped", async () => {
    const headers = {
      ...JSON_HEADERS,
      "X-Node-Cursor": "00ab",
      "X-Node-Gas-Used": "3",
      "X-Node-Backend": "10.9.8.7:8080",
    };
    const result = await send(answering(ACCOUNT, { headers }));
    if (result.kind !== "response") throw new Error(result.detail);
    expect(result.response.extras).toEqual({ cursor: "00ab", "gas-used": "3" });
    expect(result.response.ledger).toMatchObject({ chainId: 4, version: 1_000n });
    expect(result.dialect).toBe("node");
  });

  test.each([
    ["absent", undefined],
    ["negative", "-1"],
    ["twice", "1000, 1000"],
    ["above u64", "18446744073709551616"],
    ["no number", "NaN"],
  ])("a ledger version that is %s makes a read unusable", async (_what, version) => {
    const { "X-Node-Ledger-Version": _dropped, ...others } = JSON_HEADERS;
    const headers = version === undefined ? others : { ...others, "X-Node-Ledger-Version": version };
    expect(outcome(await send(answering(ACCOUNT, { headers })))).toBe("invalid 200");
  });
});

describe("a connection that", () => {
  const broken = (error: Error): ReadableStream =>
    new ReadableStream({
      type: "bytes",
      start: (controller) => controller.enqueue(new Uint8Array([0x7b])),
      pull: (c) => c.error(error),
    });
  test.each<[string, Transport, boolean, string]>([
    ["cannot be made", () => Promise.reject(new Error("refused by 10.9.8.7")), false, "connect null"],
    ["breaks in the body", answering(broken(new Error("reset"))), false, "truncated null"],
    ["hangs", (_path, { signal }) => hang(signal), true, "timeout null"],
    ["hangs in the body", answering(new ReadableStream({ type: "bytes" })), true, "timeout null"],
  ])("%s", async (_what, transport, isLate, expected) => {
    const result = await send(transport, { after: isLate ? now : never });
    expect(outcome(result)).toBe(expected);
    expect(JSON.stringify(result)).not.toContain("10.9.8.7");
  });

  function hang(signal: AbortSignal): Promise<Response> {
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  }
});

describe("the key of the node's operator", () => {
  const urls: { url: string; key: string | undefined }[] = [];
  const senders = (apiKey: string | undefined, ...nodeUrls: string[]) =>
    upstreamSenders({
      nodeUrls,
      apiKey,
      userAgent: "edge-api/test",
      largeBodies,
      after: never,
      fetchUrl: async (url, { headers }) => {
        urls.push({ url, key: headers["Authorization"] });
        return new Response(ACCOUNT, { headers: JSON_HEADERS });
      },
      fetchEmbedded: undefined,
    });

  test("is sent to the host of the first upstream and to no other", async () => {
    const request = await requestFor("GET", "/v1/accounts/0x1");
    const each = senders("k", "https://a.example/v1", "https://a.example/archive/v1", "https://b.example/v1");
    for (const { send: sendTo } of each) await sendTo(request, "node", 1_000);
    expect(urls).toEqual([
      { url: "https://a.example/v1/accounts/0x1", key: "Bearer k" },
      { url: "https://a.example/archive/v1/accounts/0x1", key: "Bearer k" },
      { url: "https://b.example/v1/accounts/0x1", key: undefined },
    ]);
    expect(each.map(({ label }) => label)).toEqual(["upstream-1", "upstream-2", "upstream-3"]);
  });

  test.each([undefined, ""])("is not sent when it is %j", async (apiKey) => {
    urls.length = 0;
    const request = await requestFor("GET", "/v1/accounts/0x1");
    for (const { send: sendTo } of senders(apiKey, "https://a.example/v1")) await sendTo(request, "node", 1_000);
    expect(urls.map(({ key }) => key)).toEqual([undefined]);
  });
});

describe("large bodies", () => {
  const part = new Uint8Array(300_000).fill(0x20);
  /** A body with a declared length of 8 MiB that sends the test's chunks. */
  const slowBody = () => {
    const pulled = { count: 0 };
    let finish = (): void => undefined;
    const body = new ReadableStream({
      type: "bytes",
      pull: async (controller) => {
        pulled.count += 1;
        if (pulled.count <= 2) return controller.enqueue(part.slice());
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    return { body, pulled, finish: () => finish() };
  };
  const afterTurn: SendPorts["after"] = (milliseconds, then) => {
    if (milliseconds >= 1_000) return () => undefined;
    const timer = setImmediate(then);
    return () => clearImmediate(timer);
  };
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  test("are read one at a time when memory allows one; small ones are read meanwhile", async () => {
    const request = await requestFor("GET", "/v1/accounts/0x1");
    const [first, second] = [slowBody(), slowBody()];
    const bodies = [first.body, second.body, ACCOUNT];
    const transport: Transport = async () => new Response(bodies.shift() ?? null, { headers: JSON_HEADERS });
    const budget = new ByteBudget(MAX_RESPONSE_BYTES);
    const sendNext = httpSender({ transport, after: afterTurn, userAgent: "t", largeBodies: budget });
    const results = [sendNext(request, "node", 1_000), sendNext(request, "node", 1_000)];
    await turns(20);
    expect([first.pulled.count, second.pulled.count]).toEqual([3, 1]);
    expect(outcome(await sendNext(request, "node", 1_000))).toBe("response 200");
    first.finish();
    await turns(20);
    expect(second.pulled.count).toBe(3);
    second.finish();
    expect((await Promise.all(results)).map(outcome)).toEqual(["response 200", "response 200"]);
    expect(budget.tryReserve(MAX_RESPONSE_BYTES)).toBe(true);
  });
});
