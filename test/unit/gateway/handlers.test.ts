import { describe, expect, test } from "vitest";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import { type NodeRouteOptions, nodeRoutes } from "../../../src/gateway/handlers.ts";
import { ENDPOINTS } from "../../../src/gateway/request/endpoints.ts";
import { NO_CALLER } from "../../support/no-caller.ts";

const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;
const unexpected = (): never => {
  throw new Error("called for a refused request");
};

/** Runs one endpoint's handler; the limiter's answer is `isAdmitted`. Returns what happened, in order. */
async function callsOf(id: string, isAdmitted: boolean): Promise<string[]> {
  const calls: string[] = [];
  const down = { kind: "down", maybeSent: false, lagging: false, retryAfterSeconds: 1, attempts: [] } as const;
  const gateway = new Gateway({
    now: () => 1_000,
    sleep: async () => undefined,
    memory: responseLru(10_000),
    cached: async () => undefined,
    cache: async () => undefined,
    claim: async () => true,
    shield: unexpected,
    call: async () => {
      calls.push("upstream");
      return down;
    },
    learnUpstreams: () => undefined,
    log: () => undefined,
    count: null,
    staleIfErrorSeconds: 30,
  });
  const readBody: NodeRouteOptions["readBody"] = async (_request, maxBytes) => {
    calls.push(maxBytes > 0 ? "body read" : "body dropped");
    return { bytes: new TextEncoder().encode("{}"), release: () => void calls.push("body released") };
  };
  const passOn: NodeRouteOptions["passOn"] = ({ stream }) => stream;
  const routes = nodeRoutes(gateway, { headerPrefix: "aptos", isProduction: false, readBody, passOn });
  const endpoint = ENDPOINTS.find((row) => row.id === id);
  const route = routes.find(({ method, path }) => method === endpoint?.method && path === endpoint?.path);
  const admission = {
    ...NO_CALLER,
    admit: async () => {
      calls.push("limiter");
      return { refusal: isAdmitted ? null : { ...REFUSAL }, floor: null };
    },
  };
  const request = new Request("https://edge.example/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
  });
  const context = { params: {}, query: "", nowMs: 1_000, requestId: "r", waitUntil: () => undefined };
  const outcome = await route?.handler({ ...context, request, method: "POST", path: route.path, admission });
  return [...calls, outcome?.kind ?? "no route"];
}

describe.each(["submit", "submit_batch", "simulate", "encode_submission"])("%s", (id) => {
  test("is refused without keeping its body", async () => {
    expect(await callsOf(id, false)).toEqual(["limiter", "body dropped", "throttled"]);
  });

  test("is counted once, read and then sent; its body has its memory until it is answered", async () => {
    const [first, second, third, ...rest] = await callsOf(id, true);
    expect([first, second, third]).toEqual(["limiter", "body read", "upstream"]);
    expect(rest.indexOf("body released")).toBe(rest.length - 2);
  });
});
