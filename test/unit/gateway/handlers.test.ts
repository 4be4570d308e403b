import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/chain/endpoints.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import { nodeRoutes } from "../../../src/gateway/gateway-handlers.ts";
import type { NodeRequest } from "../../../src/gateway/model/node-types.ts";
import { compilePath } from "../../../src/http/path-pattern.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { cachedResponse, DOWN, portsWith, shieldValue } from "./scripted.ts";

const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;

interface World {
  /** Place that refuses the request: the isolate, which knows it already, or the limiter. */
  readonly refusedBy?: "isolate" | "limiter";
  readonly isLarge?: boolean;
  /** Further headers of the request. */
  readonly given?: Readonly<Record<string, string>>;
}

/** Calls a route as the router does: what happens, in order, and the outcome. */
async function call(method: string, target: string, { refusedBy, isLarge = false, given }: World = {}) {
  const events: string[] = [];
  const sent: NodeRequest["clientHeaders"][] = [];
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void events.push("cancelled") });
  const gateway = new Gateway(
    portsWith({
      shield: async (_region, { request }) => {
        sent.push(request.clientHeaders);
        events.push(`${request.endpoint} ${request.path}`);
        return shieldValue(cachedResponse(isLarge ? { large: { length: 2_000_000, stream } } : {}));
      },
      call: async ({ clientHeaders }) => {
        events.push("upstream");
        sent.push(clientHeaders);
        return DOWN;
      },
    }),
  );
  const routes = nodeRoutes(gateway, {
    headerPrefix: "X-NODE-",
    isProduction: true,
    readBody: async (request, maxBytes, { refused }) => {
      events.push(maxBytes > 0 ? `body of ${maxBytes}` : "dropped");
      refused?.addEventListener("abort", () => events.push("dropped"));
      await new Promise(setImmediate);
      return new Uint8Array(await request.arrayBuffer());
    },
    withLength: (body) => body.stream,
  });
  const admission = {
    ...NO_CALLER,
    cachedRefusal: () => (refusedBy === "isolate" ? { ...REFUSAL } : null),
    admit: async () => {
      events.push("limiter");
      return { refusal: refusedBy === "limiter" ? { ...REFUSAL } : null, floor: null };
    },
  };
  const [path = "", query = ""] = target.split("?");
  const of = method === "POST" ? "POST" : "GET";
  const route = routes.find((row) => row.method === of && compilePath(row.path).test(path));
  if (route === undefined) throw new Error(`no route for ${path}`);
  const params = { ...compilePath(route.path).exec(path)?.groups };
  const body = JSON.stringify({ function: "0x1::coin::supply", type_arguments: [], arguments: [] });
  const headers = { "Content-Type": "application/json", ...given };
  const request = new Request(`https://edge.test${target}`, { method, headers, ...(of === "POST" ? { body } : {}) });
  const context = { version: null, nowMs: 1_000_000, requestId: "r", waitUntil: () => undefined, admission };
  const outcome = await route.handler({ ...context, request, method, path, query, params });
  return { events, outcome, sent };
}

test.each(["/v1", "/v1/"])("%s is the ledger's information", async (path) => {
  const { events, outcome } = await call("GET", path);
  expect([events, outcome.kind]).toEqual([["limiter", "ledger_info "], "reply"]);
});

test.each([
  ["passed on to GET", "GET", "0x3", []],
  ["not read for HEAD", "HEAD", "0x4", ["cancelled"]],
])("a large response is %s", async (_what, method, address, cancelled) => {
  const { events, outcome } = await call(method, `/v1/accounts/${address}`, { isLarge: true });
  expect(outcome.kind === "reply" && outcome.body instanceof ReadableStream).toBe(method === "GET");
  expect(events.slice(2)).toEqual(cancelled);
});

test("a refused read has no body to drop", async () => {
  const { events, outcome } = await call("GET", "/v1/accounts/0x5", { refusedBy: "isolate" });
  expect([events, outcome.kind]).toEqual([[], "throttled"]);
});

test("requests that differ in path or query are different", async () => {
  for (const path of ["/accounts/0x6", "/accounts/0x7", "/accounts/0x6?ledger_version=5", "/accounts/0x6"])
    expect((await call("GET", `/v1${path}`)).events).toContain(`account ${path}`);
});

describe("what the interface's own clients say of themselves reaches the node", () => {
  const GIVEN = {
    "X-Aptos-Client": "aptos-typescript-sdk/7.3.0",
    "X-Aptos-Typescript-Sdk-Origin-Method": "submitTransaction",
    "X-Aptos-Txn-Encryption-Key": "0xab",
    Traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
  const given = { ...GIVEN, Cookie: "session=1", Authorization: "Bearer theirs", "X-Api-Key": "theirs" };

  test.each([
    ["POST", "/v1/transactions"],
    ["POST", "/v1/transactions/simulate"],
    ["GET", `/v1/transactions/wait_by_hash/0x${"ab".repeat(32)}`],
  ])("with %s %s, and nothing else", async (method, path) => {
    expect((await call(method, path, { given })).sent.at(-1)).toEqual(GIVEN);
  });

  test("control: not with a read, whose response is shared, nor when it is no text", async () => {
    for (const [method, path] of [
      ["GET", "/v1/accounts/0x8"],
      ["POST", "/v1/view"],
    ] as const)
      expect((await call(method, path, { given })).sent).toEqual([undefined]);
    const odd = { "X-Aptos-Client": "x".repeat(4_097), Traceparent: "\u00fc" };
    expect((await call("POST", "/v1/transactions", { given: odd })).sent.at(-1)).toEqual({});
  });
});

describe.each(ENDPOINTS.filter(({ method }) => method === "POST"))("$id", ({ id, path, mode }) => {
  const isRead = mode === "read";
  const post = (world?: World) => call("POST", path.replace(/:\w+/, "0x1"), world);
  const kept = expect.stringMatching(isRead ? /^body of 1048576$/ : /^body of /);

  test("is counted once, before its body is read and then sent", async () => {
    const { events } = await post();
    expect(events.slice(0, 2)).toEqual(["limiter", kept]);
    expect(events.slice(2)).not.toContain("limiter");
    expect(events.at(-1)).toMatch(isRead ? `${id} /` : "upstream");
  });

  test("drops its body when the limiter refuses it; that of a read is read meanwhile", async () => {
    const { events, outcome } = await post({ refusedBy: "limiter" });
    expect(isRead ? events.slice(0, 3) : events).toEqual(["limiter", ...(isRead ? [kept] : []), "dropped"]);
    expect(outcome.kind).toBe("throttled");
  });

  test("of a caller who is known to be refused is not counted, and drops its body", async () => {
    const { events, outcome } = await post({ refusedBy: "isolate" });
    expect([events, outcome.kind]).toEqual([["dropped"], "throttled"]);
  });
});
