import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/chain/endpoints.ts";
import { nodeRoutes } from "../../../src/gateway/handlers.ts";
import { Gateway } from "../../../src/gateway/isolate.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { cachedResponse, DOWN, portsWith, shieldValue } from "./scripted.ts";

const REFUSAL = { kind: "throttled", quota: 300, windowSeconds: 60, retryAfterSeconds: 7 } as const;
/** Runs one endpoint's handler; the limiter's answer is `isAdmitted`. Returns what happened, in order. */
async function callsOf(id: string, isAdmitted: boolean): Promise<string[]> {
  const calls: string[] = [];
  const gateway = new Gateway(
    portsWith({
      // The ledger that the answer will name.
      shield: async () => shieldValue(cachedResponse()),
      call: async () => {
        calls.push("upstream");
        return DOWN;
      },
    }),
  );
  const routes = nodeRoutes(gateway, {
    headerPrefix: "aptos",
    isProduction: false,
    readBody: async (_request, { maxBytes }, { refused }) => {
      calls.push(maxBytes > 0 ? "body read" : "body dropped");
      refused?.addEventListener("abort", () => calls.push("body dropped"));
      await new Promise(setImmediate);
      return new TextEncoder().encode("{}");
    },
    withLength: ({ stream }) => stream,
  });
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

describe.each(["view", "table_item", "raw_table_item"])("%s", (id) => {
  test("is counted before its body is read, which ends when it is refused", async () => {
    const calls = await callsOf(id, false);
    expect(calls.slice(0, 3)).toEqual(["limiter", "body read", "body dropped"]);
    expect((await callsOf(id, true)).slice(0, 2)).toEqual(["limiter", "body read"]);
  });
});

describe.each(["submit", "submit_batch", "simulate", "encode_submission"])("%s", (id) => {
  test("is refused without keeping its body", async () => {
    expect(await callsOf(id, false)).toEqual(["limiter", "body dropped", "throttled"]);
  });

  test("is counted once, read and then sent", async () => {
    expect((await callsOf(id, true)).slice(0, 3)).toEqual(["limiter", "body read", "upstream"]);
  });
});
