import { describe, expect, test } from "vitest";
import { encodeBcs } from "../../../../devnode/codec/bcs-writer.ts";
import node from "../../../../openapi/node.json" with { type: "json" };
import { DOCUMENTED_ENDPOINTS } from "../../../../src/chain/endpoints.ts";
import { textCleaner } from "../../../../src/chain/node-text.ts";
import { userAgentOf } from "../../../../src/config.ts";
import { MAX_RESPONSE_BYTES } from "../../../../src/gateway/model/outcomes.ts";
import {
  exchange,
  type SendPorts,
  type Transport,
  type UpstreamResult,
} from "../../../../src/gateway/upstream/client.ts";
import { BodyMemoryLimit } from "../../../../src/http/body.ts";
import { requestFor } from "../requests.ts";

const LEDGER = { "X-Node-Chain-Id": "4", "X-Node-Ledger-Version": "1000" };
const JSON_HEADERS = { ...LEDGER, "Content-Type": "application/json; charset=utf-8" };
const NOW_MS = Date.parse("2026-11-21T02:00:00Z");
const ACCOUNT = '{"sequence_number":"7","authentication_key":"0x00"}';
const failure = (code: string): string => JSON.stringify({ message: "SECRET-STACK at 10.9.8.7", error_code: code });
const now: SendPorts["after"] = (_milliseconds, then) => {
  const timer = setTimeout(then, 0);
  return () => clearTimeout(timer);
};
const never: SendPorts["after"] = () => () => undefined;

const senderOf = (transport: Transport) => ({ transport, clean: textCleaner("") });
const portsWith = (more: Partial<SendPorts> = {}): SendPorts => ({
  after: never,
  memory: new BodyMemoryLimit(4 * MAX_RESPONSE_BYTES),
  withLength: ({ stream }) => stream,
  userAgent: "edge-api/test",
  now: () => NOW_MS,
  ...more,
});

async function send(
  transport: Transport,
  {
    path = "/v1/accounts/0x1",
    body = null as string | null,
    ...more
  }: Partial<SendPorts> & {
    path?: string;
    body?: string | null;
  } = {},
): Promise<UpstreamResult> {
  const request = await requestFor(body === null ? "GET" : "POST", path, body);
  return exchange(senderOf(transport), portsWith(more), request, "node", 1_000);
}
const answering =
  (text: BodyInit | null, init: ResponseInit = {}): Transport =>
  async () =>
    new Response(text, { headers: JSON_HEADERS, ...init });
/** `response <status>`, or the kind of error with its status. */
const outcome = (result: UpstreamResult): string =>
  result.kind === "response" ? `response ${result.response.status}` : `${result.error} ${result.status}`;

describe("a request to an upstream", () => {
  const sent = async (dialect: "node" | "aptos"): Promise<RequestInit & { headers: Record<string, string> }> => {
    let init: RequestInit = {};
    const transport: Transport = async (_path, given) => {
      init = given;
      return new Response(ACCOUNT, { headers: JSON_HEADERS });
    };
    const request = await requestFor("POST", "/v1/transactions", "{}");
    const bcs = { ...request, contentType: "application/x.node.signed_transaction+bcs" };
    const userAgent = userAgentOf({ buildRevision: "1.2.3\r\nX: y", contactUrl: null });
    await exchange(senderOf(transport), portsWith({ userAgent }), bcs, dialect, 1_000);
    return { ...init, headers: Object.fromEntries(new Headers(init.headers)) };
  };

  test("names the client and its revision, and nothing that would break the header", async () => {
    expect((await sent("node")).headers["user-agent"]).toBe("edge-api/1.2.3Xy");
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
    expect((await sent(dialect)).headers["content-type"]).toBe(contentType);
  });

  test("has its client's headers, which replace none of ours", async () => {
    let headers = new Headers();
    const transport: Transport = async (_path, init) => {
      headers = new Headers(init.headers);
      return new Response(ACCOUNT, { headers: JSON_HEADERS });
    };
    const request = { ...(await requestFor("GET", "/v1/accounts/0x1")), clientHeaders: { "X-Aptos-Client": "sdk/1" } };
    await exchange(senderOf(transport), portsWith(), request, "node", 1_000);
    expect([headers.get("X-Aptos-Client"), headers.get("User-Agent")]).toEqual(["sdk/1", "edge-api/test"]);
  });

  test("never follows a redirect", async () => {
    expect((await sent("node")).redirect).toBe("manual");
  });
});

describe("a response is", () => {
  test.each<[string, BodyInit | null, ResponseInit, string]>([
    ["valid", ACCOUNT, {}, "response 200"],
    ["a redirect", null, { status: 302 }, "refused 302"],
    ["created", ACCOUNT, { status: 201 }, "invalid 201"],
    ["accepted, of a read", ACCOUNT, { status: 202 }, "invalid 202"],
    ["partial, of a read", ACCOUNT, { status: 206 }, "invalid 206"],
    ["without content", null, { status: 204 }, "invalid 204"],
    ["not modified", null, { status: 304 }, "refused 304"],
    ["the node's own error", failure("account_not_found"), { status: 404 }, "response 404"],
    ["a page of a proxy", "<h1>", { status: 414, headers: { "Content-Type": "text/html" } }, "refused 414"],
    ["the first status of a proxy", "<h1>", { status: 400, headers: { "Content-Type": "text/html" } }, "refused 400"],
    ["a 500 without JSON", "<h1>", { status: 500, headers: { "Content-Type": "text/html" } }, "failed 500"],
    ["a refusal of our key", failure("x"), { status: 401 }, "refused 401"],
    ["a bill that was not paid", failure("x"), { status: 402 }, "refused 402"],
    ["a proxy without its node", "<h1>", { status: 502, headers: { "Content-Type": "text/html" } }, "failed 502"],
    [
      "a node that sheds load",
      failure("overloaded"),
      { status: 503, headers: { "Content-Type": "application/json" } },
      "unavailable 503",
    ],
    ["throttled", "slow down", { status: 429, headers: { "Retry-After": "7" } }, "throttled 429"],
    ["the node's own failure", failure("internal_error"), { status: 500 }, "response 500"],
    ["a proxy that has no node", "<h1>", { status: 503, headers: { "Content-Type": "text/html" } }, "unavailable 503"],
    ["a 503 that names a time", "<h1>", { status: 503, headers: { "Retry-After": "7" } }, "throttled 503"],
    ["a balancer's 408", "<h1>", { status: 408, headers: { "Content-Type": "text/html" } }, "silent 408"],
    ["a 408 in the node's form", failure("web_framework_error"), { status: 408 }, "silent 408"],
    ["a connection that nginx closed", null, { status: 444 }, "silent 444"],
    ["a page of Cloudflare without its origin", "error code: 522", { status: 522 }, "silent 522"],
    ["shorter than declared", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Length": "99" } }, "truncated 200"],
    ["of an unknown encoding", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "zstd" } }, "invalid 200"],
    ["of two encodings", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "gzip, br" } }, "invalid 200"],
    ["decoded by the platform", ACCOUNT, { headers: { ...JSON_HEADERS, "Content-Encoding": "gzip" } }, "response 200"],
    ["not JSON", "[", {}, "invalid 200"],
    ...["0".repeat(4_097), "<b>", "1; x=1", ""].map((cursor): [string, string, ResponseInit, string] => [
      `with the cursor "${cursor.slice(0, 9)}", which no node sends`,
      ACCOUNT,
      { headers: { ...JSON_HEADERS, "X-Node-Cursor": cursor } },
      "invalid 200",
    ]),
    ["too large, of no declared length", new Uint8Array(MAX_RESPONSE_BYTES + 1), {}, "too_large 200"],
    ["without ledger headers", ACCOUNT, { headers: { "Content-Type": "application/json" } }, "headerless 200"],
  ])("%s", async (_what, text, init, expected) => {
    expect(outcome(await send(answering(text, init)))).toBe(expected);
  });

  test.each([202, 206])("%d of a submit", async (status) => {
    const transport = answering('{"transaction_failures":[]}', { status });
    expect(outcome(await send(transport, { path: "/v1/transactions/batch", body: "[]" }))).toBe(`response ${status}`);
  });

  // Statuses of an upstream that the edge replaces by its own answer: a limit, and failures.
  const OWN = [429, 502, 503];
  const documented = DOCUMENTED_ENDPOINTS.map((endpoint) => {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const operation = node.paths[path as keyof typeof node.paths] as Record<string, { responses: object }>;
    return { endpoint, named: Object.keys(operation[endpoint.method.toLowerCase()]?.responses ?? {}).map(Number) };
  });
  test.each(documented)(
    "the node's with the statuses of the document alone: $endpoint.id",
    async ({ endpoint, named }) => {
      const { id, mode, method } = endpoint;
      expect(named.length, "in the document").toBeGreaterThan(4);
      const request = { ...(await requestFor("GET", "/v1")), endpoint: id, mode, method };
      const passed = [];
      for (let status = 200; status < 600; status += 1) {
        const hasBody = status !== 204 && status !== 205 && status !== 304;
        const isJson = status < 300 ? '{"transaction_failures":[]}' : failure("vm_error");
        const transport = answering(hasBody ? isJson : null, { status });
        const result = await exchange(senderOf(transport), portsWith(), request, "node", 1_000);
        // A 2xx without the content of the endpoint is invalid for that reason.
        const isPassed =
          result.kind === "response" || (result.error === "invalid" && result.detail !== `status ${status}`);
        if (isPassed) passed.push(status);
      }
      expect(passed).toEqual(named.filter((status) => !OWN.includes(status) || (id === "healthy" && status === 503)));
    },
  );

  test.each([
    [200, ACCOUNT, "invalid 200"],
    [404, failure("account_not_found"), "refused 404"],
  ])("with %d only where they name a media type", async (status, text, expected) => {
    // Bytes have no media type of their own, as a text has.
    const body = new TextEncoder().encode(text);
    expect(outcome(await send(answering(body, { status, headers: LEDGER })))).toBe(expected);
  });

  test("of a media type without parameters of the upstream's own", async () => {
    const headers = { ...JSON_HEADERS, "Content-Type": "application/json; secret=10.9.8.7" };
    const result = await send(answering(ACCOUNT, { headers }));
    expect(result).toMatchObject({ response: { contentType: "application/json; charset=utf-8" } });
  });
});

describe("a node's own 5xx is passed on: its code, its words without addresses, nothing else", () => {
  const SENT = "AptosDB Other Error: Too many values requested in /data/db at 10.9.8.7:6186";
  const SHOWN = "AptosDB Other Error: Too many values requested in (address) at (address)";
  test.each<[number, string, string, string | null]>([
    [507, "mempool_is_full", "/v1/transactions", "{}"],
    [507, "mempool_is_full", "/v1/transactions/simulate", "{}"],
    [503, "health_check_failed", "/v1/-/healthy", null],
    [500, "internal_error", "/v1/transactions", "{}"],
    [500, "internal_error", "/v1/transactions/batch", "[]"],
    [500, "internal_error", "/v1/-/healthy", null],
    [500, "internal_error", "/v1/accounts/0x1", null],
    [500, "vm_error", "/v1/view", "{}"],
  ])("%d %s of %s", async (status, code, path, body) => {
    const sent = JSON.stringify({ message: SENT, error_code: code, vm_error_code: null, backtrace: "at main.rs:7" });
    const result = await send(answering(sent, { status }), { path, body });
    if (result.kind !== "response") throw new Error(result.detail);
    const text = new TextDecoder().decode(result.response.body);
    expect([result.response.status, JSON.parse(text)]).toEqual([
      status,
      { message: SHOWN, error_code: code, vm_error_code: null },
    ]);
  });

  test("a code that is not of the list is the interface's for a failure", async () => {
    const sent = JSON.stringify({ message: "Rejected by filter", error_code: "rejected_by_filter" });
    const result = await send(answering(sent, { status: 500 }), { path: "/v1/transactions", body: "{}" });
    if (result.kind !== "response") throw new Error(result.detail);
    expect(JSON.parse(new TextDecoder().decode(result.response.body))).toMatchObject({ error_code: "internal_error" });
  });

  test.each([
    [
      "First requested event is probably pruned. expected: 0, actual: 40",
      "/v1/accounts/0x1/events/2?start=0",
      "pruned",
    ],
    ["First requested event is probably pruned. expected: 0, actual: 40", "/v1/accounts/0x1/events/2", "pruned_so_far"],
    ["Transaction at version 500 is pruned, min available version is 1400.", "/v1/transactions?start=500", "pruned"],
  ])("that says %s is 410 for %s", async (message, path, of) => {
    const sent = JSON.stringify({ message, error_code: "internal_error" });
    const result = await send(answering(sent, { status: 500 }), { path });
    if (result.kind !== "response") throw new Error(result.detail);
    expect([result.response.status, result.classification.kind]).toEqual([410, of]);
    const body = JSON.parse(new TextDecoder().decode(result.response.body));
    expect(body).toEqual({ message, error_code: "version_pruned", vm_error_code: null });
  });

  test("that says so of a submit is its failure", async () => {
    const sent = JSON.stringify({ message: "the sender's state is pruned", error_code: "internal_error" });
    const result = await send(answering(sent, { status: 500 }), { path: "/v1/transactions", body: "{}" });
    expect(result).toMatchObject({ response: { status: 500 }, classification: { kind: "failed" } });
  });
});

describe("a node that limits our requests is left alone for as long as it says, a minute at most:", () => {
  test.each([
    [429, "8", 8_000],
    [503, "8", 8_000],
    [429, " 0 ", null],
    [429, "3600", 60_000],
    [429, "Sat, 21 Nov 2026 02:00:07 GMT", 7_000],
    [429, "Sat, 21 Nov 2026 01:59:00 GMT", null],
    [429, "-5", null],
    [429, null, null],
  ])("%d Retry-After %s", async (status, text, expected) => {
    const headers = { "Content-Type": "text/plain", ...(text === null ? {} : { "Retry-After": text }) };
    expect(await send(answering("slow down", { status, headers }))).toMatchObject({
      error: "throttled",
      retryAfterMs: expected,
    });
  });
});

describe("an upstream's own headers", () => {
  test("cursor and gas are passed on, the ledger is read, all others are dropped", async () => {
    const headers = {
      ...JSON_HEADERS,
      "X-Node-Cursor": "00ab",
      "X-Node-Gas-Used": "3",
      "X-Node-Txn-Encryption-Key": "0x00ab",
      "X-Node-Backend": "10.9.8.7:8080",
    };
    const result = await send(answering(ACCOUNT, { headers }));
    if (result.kind !== "response") throw new Error(result.detail);
    expect(result.response.extras).toEqual({
      CURSOR: "00ab",
      "GAS-USED": "3",
      "TXN-ENCRYPTION-KEY": "0x00ab",
    });
    expect(result.response.ledger).toMatchObject({ chainId: 4, version: 1_000n });
  });

  test.each(["node", "aptos"])("a node whose prefix is X-%s- is understood", async (dialect) => {
    const renamed = Object.entries({ ...JSON_HEADERS, "X-Node-Cursor": "00ab" }).map(
      ([name, text]): [string, string] => [name.replace("X-Node-", `X-${dialect}-`), text],
    );
    const result = await send(answering(ACCOUNT, { headers: Object.fromEntries(renamed) }));
    expect(result).toMatchObject({ dialect, response: { ledger: { version: 1_000n }, extras: { CURSOR: "00ab" } } });
  });

  test.each([
    ["00ab", "00ab"],
    ["<b>", "invalid 200"],
  ])("a cursor %s under the other prefix is read like the node's own", async (cursor, expected) => {
    const result = await send(answering(ACCOUNT, { headers: { ...JSON_HEADERS, "X-Aptos-Cursor": cursor } }));
    expect(result.kind === "response" ? result.response.extras["CURSOR"] : outcome(result)).toBe(expected);
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
    expect(outcome(await send(answering(ACCOUNT, { headers })))).toBe("headerless 200");
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

  function hang(signal?: AbortSignal | null): Promise<Response> {
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  }
});

describe("an error of the node is passed on with the members of the interface alone:", () => {
  const MESSAGE = "Account not found by Address(0xf) and Ledger version(12)";
  test.each<[string, Record<string, unknown>, unknown]>([
    ["its own", { message: MESSAGE, error_code: "account_not_found" }, [MESSAGE, "account_not_found", null]],
    ["with the VM's code", { message: "m", error_code: "vm_error", vm_error_code: 3 }, ["m", "vm_error", 3]],
    [
      "without an archive that an SDK would follow",
      { message: "m", error_code: "version_pruned", archival_endpoint: "https://evil.example/v1", hint: "h" },
      ["m", "version_pruned", null],
    ],
    [
      "without addresses in its text",
      { message: "see https://a.example/v1?key=s or 10.9.8.7:8080, not 0x1::m::f", error_code: "invalid_input" },
      ["see (address) or (address), not 0x1::m::f", "invalid_input", null],
    ],
    ["with a code of the list", { message: "m", error_code: "rejected_by_filter" }, ["m", "web_framework_error", null]],
    ["of no text or odd types", { error_code: "vm_error", vm_error_code: "3" }, ["", "vm_error", null]],
  ])("%s", async (_what, sent, expected) => {
    const status = sent["error_code"] === "version_pruned" ? 410 : 404;
    const result = await send(answering(JSON.stringify(sent), { status }));
    if (result.kind !== "response") throw new Error(result.detail);
    const body = JSON.parse(new TextDecoder().decode(result.response.body));
    expect(Object.keys(body)).toEqual(["message", "error_code", "vm_error_code"]);
    expect(Object.values(body)).toEqual(expected);
  });

  test("a code that is none is a refusal of something else", async () => {
    const sent = JSON.stringify({ message: "m", error_code: "see https://evil.example" });
    expect(outcome(await send(answering(sent, { status: 404 })))).toBe("refused 404");
  });
});

describe("the report of a batch has of each failure the error's members and the index:", () => {
  const report = async (body: BodyInit, status: number, type = "application/json") => {
    const transport = answering(body, { status, headers: { ...LEDGER, "Content-Type": type } });
    return send(transport, { path: "/v1/transactions/batch", body: "[]" });
  };
  const EVIL = "see https://evil.example/v1, 0x1::coin";

  test.each([202, 206])("a %d in JSON", async (status) => {
    const error = {
      message: EVIL,
      error_code: "vm_error",
      vm_error_code: 3,
      archival_endpoint: "https://evil.example",
    };
    const failures = [{ error, transaction_index: 1, more: 1 }];
    const result = await report(JSON.stringify({ transaction_failures: failures, archival_endpoint: "x" }), status);
    if (result.kind !== "response") throw new Error(result.detail);
    const shown = { message: "see (address), 0x1::coin", error_code: "vm_error", vm_error_code: 3 };
    expect(JSON.parse(new TextDecoder().decode(result.response.body))).toEqual({
      transaction_failures: [{ error: shown, transaction_index: 1 }],
    });
  });

  const bcsOf = (...failures: readonly (readonly [message: string, vmCode: number | null])[]) =>
    encodeBcs((writer) =>
      writer.vector(failures, (inner, [message, code]) =>
        inner
          .string(message)
          .uleb(300)
          .option(code, (each, value) => each.u64(BigInt(value)))
          .u64(7n),
      ),
    );

  test.each([202, 206])("a %d in BCS, with lengths of one byte and of two", async (status) => {
    const long = `${"word ".repeat(60)}`;
    const sent = bcsOf([EVIL, 3], [`${long}${EVIL}`, null], ["", 0]);
    const result = await report(sent, status, "application/x-bcs");
    if (result.kind !== "response") throw new Error(result.detail);
    const shown = "see (address), 0x1::coin";
    expect([...result.response.body]).toEqual([...bcsOf([shown, 3], [`${long}${shown}`, null], ["", 0])]);
  });

  test.each<[string, BodyInit, string?]>([
    ["another object", '{"message":"m"}'],
    ["a list", "[]"],
    ["a failure without a code", '{"transaction_failures":[{"error":{"message":"m"},"transaction_index":0}]}'],
    ["an index that is none", '{"transaction_failures":[{"error":{"error_code":"vm_error"},"transaction_index":"0"}]}'],
    ["BCS with bytes after it", Uint8Array.of(0, 0), "application/x-bcs"],
    ["BCS that is cut off", bcsOf([EVIL, 3]).slice(0, -1) as Uint8Array<ArrayBuffer>, "application/x-bcs"],
    ["BCS of a length beyond the end", Uint8Array.of(1, 255, 255, 127), "application/x-bcs"],
    ["BCS without any byte", new Uint8Array(), "application/x-bcs"],
    ["what is too large to read, in BCS,", new Uint8Array(1_048_577), "application/x-bcs"],
    ["what is too large to read, in JSON,", new Uint8Array(1_048_577).fill(0x20)],
  ])("%s is no report", async (_what, body, type) => {
    expect(outcome(await report(body, 206, type))).toBe("invalid 206");
  });
});

describe("the key that a node was sent is in nothing that is passed on", () => {
  const KEY = "deadbeef0123456789";
  const clean = textCleaner(`X-Api-Key: ${KEY}`);
  const echoed = async (path: string, body: BodyInit, init: ResponseInit) => {
    const request = await requestFor(path.startsWith("/v1/transactions") ? "POST" : "GET", path, "[]");
    const transport = answering(body, init);
    return exchange({ transport, clean }, portsWith(), request, "node", 1_000);
  };
  const error = { message: `key ${KEY} has no plan`, error_code: "invalid_input", vm_error_code: null };

  test.each([400, 404, 500])("of an error %d, whose other words stay", async (status) => {
    const result = await echoed("/v1/accounts/0x1", JSON.stringify(error), { status, headers: JSON_HEADERS });
    if (result.kind !== "response") throw new Error(result.detail);
    expect(JSON.parse(new TextDecoder().decode(result.response.body)).message).toBe("key (key) has no plan");
  });

  test("of the report of a batch", async () => {
    const sent = JSON.stringify({ transaction_failures: [{ error, transaction_index: 0 }] });
    const result = await echoed("/v1/transactions/batch", sent, { status: 206, headers: JSON_HEADERS });
    if (result.kind !== "response") throw new Error(result.detail);
    const text = new TextDecoder().decode(result.response.body);
    expect([text.includes("key (key) has no plan"), text.includes(KEY)]).toEqual([true, false]);
  });

  test.each([KEY, `0x${KEY}`, `00${KEY}00`])("of a header with %s", async (cursor) => {
    const headers = { ...JSON_HEADERS, "X-Node-Cursor": cursor };
    expect(outcome(await echoed("/v1/accounts/0x1", ACCOUNT, { headers }))).toBe("invalid 200");
  });

  test("but the data of a 200 passes byte for byte", async () => {
    const data = `{"sequence_number":"7","authentication_key":"0x${KEY}","more":"https://a.example/${KEY}"}`;
    const headers = { ...JSON_HEADERS, "X-Node-Cursor": "0xdeadbeef" };
    const result = await echoed("/v1/accounts/0x1", data, { headers });
    if (result.kind !== "response") throw new Error(result.detail);
    expect(new TextDecoder().decode(result.response.body)).toBe(data);
  });
});

describe("a body above 1 MiB", () => {
  const text = new Uint8Array(1_048_577).fill(0x20);
  const LIST = "/v1/accounts/0x1/resources";
  const read = (stream: ReadableStream | undefined) => new Response(stream).arrayBuffer();

  test("that declares more than the bound is passed on all the same", async () => {
    const length = 2 * MAX_RESPONSE_BYTES;
    const headers = { ...JSON_HEADERS, "Content-Length": String(length) };
    const result = await send(answering(new ReadableStream({ type: "bytes" }), { headers }), { path: LIST });
    expect(result).toMatchObject({ kind: "response", response: { large: { length } } });
  });

  test.each([
    ["declared is passed on as it arrives", { ...JSON_HEADERS, "Content-Length": "1048577" }],
    ["of no declared length is read to its end first", JSON_HEADERS],
  ])("%s, with its length", async (_what, headers) => {
    const timers = new Set<number>();
    const after: SendPorts["after"] = (milliseconds) => {
      timers.add(milliseconds);
      return () => void timers.delete(milliseconds);
    };
    const result = await send(answering(text, { headers }), { path: LIST, after });
    if (result.kind !== "response") throw new Error(result.detail);
    const { large } = result.response;
    expect([...timers], "a pending timer would keep an object awake").toEqual([]);
    expect([large?.length, (await read(large?.stream)).byteLength]).toEqual([1_048_577, 1_048_577]);
  });

  test("of no declared length that nobody reads is dropped when others need its memory", async () => {
    const memory = new BodyMemoryLimit(3_000_000);
    const results = [];
    for (let time = 0; time < 3; time += 1) results.push(await send(answering(text), { path: LIST, memory }));
    const streams = results.map((result) => (result.kind === "response" ? result.response.large?.stream : undefined));
    await expect(read(streams[0])).rejects.toThrow();
    for (const stream of streams.slice(1)) expect((await read(stream)).byteLength).toBe(1_048_577);
  });

  test("of a response that is refused is closed", async () => {
    let cancels = 0;
    const body = new ReadableStream({ type: "bytes", cancel: () => void cancels++ });
    const headers = { "Content-Type": "text/html", "Content-Length": "2000000" };
    expect(outcome(await send(answering(body, { headers }), { path: LIST }))).toBe("headerless 200");
    expect(cancels).toBe(1);
  });
});
