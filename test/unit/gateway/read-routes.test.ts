import { beforeEach, describe, expect, test } from "vitest";
import { nodeRoutes } from "../../../src/gateway/handlers.ts";
import { Gateway } from "../../../src/gateway/isolate.ts";
import type { ShieldRequest } from "../../../src/gateway/shield/messages.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { cachedResponse, portsWith, shieldValue } from "./scripted.ts";

const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;

let reads: ShieldRequest[];
let bodies: string[];
let isCancelled: boolean;
let isLarge: boolean;

beforeEach(() => {
  [reads, bodies, isCancelled, isLarge] = [[], [], false, false];
});

/** Calls a route as the router does. */
async function call(
  method: string,
  path: string,
  { isRefused = false, body }: { isRefused?: boolean; body?: string } = {},
) {
  const cancel = (): void => {
    isCancelled = true;
  };
  const gateway = new Gateway(
    portsWith({
      shield: async (_region, read) => {
        reads.push(read);
        const large = { length: 2_000_000, stream: new ReadableStream<Uint8Array>({ cancel }) };
        return shieldValue(cachedResponse(isLarge ? { large } : {}));
      },
    }),
  );
  const routes = nodeRoutes(gateway, {
    headerPrefix: "X-NODE-",
    isProduction: true,
    readBody: async (sent, { maxBytes }) => {
      bodies.push(`read ${maxBytes}`);
      return new Uint8Array(await sent.arrayBuffer());
    },
    withLength: ({ stream }) => stream,
  });
  const [pathname = "", query = ""] = path.split("?");
  const params = pathname.startsWith("/v1/accounts/") ? { address: pathname.slice(13) } : {};
  const pattern = pathname.startsWith("/v1/accounts/") ? "/v1/accounts/:address" : pathname;
  const route = routes.find((row) => row.path === pattern && row.method === (method === "POST" ? "POST" : "GET"));
  const headers = { "Content-Type": "application/json" };
  const request = new Request(`https://edge.test${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const admission = isRefused ? { ...NO_CALLER, knownRefusal: () => ({ ...REFUSAL }) } : NO_CALLER;
  const context = { nowMs: 1_000_000, requestId: "r", waitUntil: () => undefined, admission };
  const outcome = await route?.handler({ ...context, request, method, path: pathname, query, params });
  if (outcome === undefined) throw new Error(`no route for ${path}`);
  return outcome;
}

test.each(["/v1", "/v1/"])("%s is the ledger's information", async (path) => {
  expect((await call("GET", path)).kind).toBe("reply");
  expect(reads.map(({ request }) => request.endpoint)).toEqual(["ledger_info"]);
});

describe("a large response", () => {
  test("is passed on to GET", async () => {
    isLarge = true;
    const outcome = await call("GET", "/v1/accounts/0x3");
    expect([outcome.kind === "reply" && outcome.body instanceof ReadableStream, isCancelled]).toEqual([true, false]);
  });

  test("is not read for HEAD", async () => {
    isLarge = true;
    const outcome = await call("HEAD", "/v1/accounts/0x4");
    expect([outcome.kind === "reply" && outcome.body instanceof ReadableStream, isCancelled]).toEqual([false, true]);
  });
});

describe("a view", () => {
  const body = JSON.stringify({ function: "0x1::coin::supply", type_arguments: [], arguments: [] });

  test("is read with its body", async () => {
    expect(await call("POST", "/v1/view", { body })).toMatchObject({ kind: "reply", status: 200 });
    expect(bodies).toEqual(["read 1048576"]);
  });

  test("of a caller who is known to be refused drops its body", async () => {
    expect(await call("POST", "/v1/view", { body, isRefused: true })).toMatchObject({ kind: "throttled" });
    expect([bodies, reads]).toEqual([["read 0"], []]);
  });
});

test("a refused read has no body to drop", async () => {
  expect(await call("GET", "/v1/accounts/0x5", { isRefused: true })).toMatchObject({ kind: "throttled" });
  expect([bodies, reads]).toEqual([[], []]);
});

test("requests that differ in path, query or method of encoding are different", async () => {
  for (const path of ["/v1/accounts/0x6", "/v1/accounts/0x7", "/v1/accounts/0x6?ledger_version=5", "/v1/accounts/0x6"])
    await call("GET", path);
  expect(reads.map(({ request }) => request.path)).toEqual([
    "/accounts/0x6",
    "/accounts/0x7",
    "/accounts/0x6?ledger_version=5",
    "/accounts/0x6",
  ]);
});
