import { describe, expect, test } from "vitest";
import { faucetRoutes } from "../../../../src/gateway/faucet/faucet-handlers.ts";
import { appOf, ask } from "../../../support/app.ts";

const ORIGIN = "https://dapp.example";

function appWith() {
  const calls: { path: string; method: string | undefined; type: string | null; body: string | null }[] = [];
  const routes = faucetRoutes(async (path, { method, headers, body }) => {
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : null;
    calls.push({ path, method, type: new Headers(headers).get("Content-Type"), body: text });
    return Response.json({ txn_hashes: ["0x1"] });
  });
  const app = appOf(routes);
  return { calls, request: (path: string, init?: RequestInit) => ask(app, path, init) };
}

describe.each(["/fund", "/mint", "/faucet/fund", "/faucet/mint"])("%s from a page of another origin", (path) => {
  test("the preflight of an SDK is allowed with its headers and credentials", async () => {
    const { request } = appWith();
    const { status, headers } = await request(path, {
      method: "OPTIONS",
      headers: {
        Origin: ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-aptos-client",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
    expect(headers.get("Access-Control-Allow-Credentials")).toBe("true");
    expect(headers.get("Access-Control-Allow-Headers")).toBe("content-type,x-aptos-client");
  });

  test("the answer may be read with credentials", async () => {
    const { request, calls } = appWith();
    const body = '{"address":"0x1","amount":1}';
    const headers = { Origin: ORIGIN, "Content-Type": "text/json", "Content-Length": String(body.length) };
    const response = await request(path, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
    expect(response.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    expect(calls).toEqual([{ path, method: "POST", type: "text/json", body }]);
  });
});

test("mint needs no body, so that curl -X POST is enough", async () => {
  const { request, calls } = appWith();
  expect((await request("/mint?address=0x1&amount=1", { method: "POST" })).status).toBe(200);
  const path = "/mint?address=0x1&amount=1";
  expect(calls).toEqual([{ path, method: "POST", type: "application/json", body: "" }]);
});

test("the faucet's health is at its base", async () => {
  const { request, calls } = appWith();
  expect((await request("/faucet")).status).toBe(200);
  expect(calls).toEqual([{ path: "/faucet", method: "GET", type: "application/json", body: null }]);
});

test("a body of more than 64 KiB is refused, and not sent", async () => {
  const { request, calls } = appWith();
  const response = await request("/fund", { method: "POST", body: "x".repeat(65_537) });
  expect([response.status, calls]).toEqual([400, []]);
});
