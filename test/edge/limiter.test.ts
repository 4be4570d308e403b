import "../support/started-workers.js";
import { exports } from "cloudflare:workers";
import { isInnerList, parseList, Token } from "structured-headers";
import { describe, expect, test } from "vitest";

const ORIGIN = "https://edge.example";
let callers = 0;
/** Every test has its own callers. */
const newCaller = () => `198.51.100.${++callers}`;
const send = (path: string, caller: string | null, init: RequestInit = {}) =>
  exports.default.fetch(ORIGIN + path, {
    ...init,
    headers: { ...(caller === null ? {} : { "CF-Connecting-IP": caller }), ...init.headers },
  });

/** The single item of a structured field, parsed by an independent library (RFC 9651). */
function onlyItem(text: string | null): { readonly name: string; readonly parameters: Record<string, unknown> } {
  const [item, ...others] = parseList(text ?? "");
  if (item === undefined || others.length > 0 || isInnerList(item)) throw new Error(`not one item: ${text}`);
  const [name, parameters] = item;
  return {
    name: name instanceof Token ? name.toString() : `not a token: ${String(name)}`,
    parameters: Object.fromEntries(parameters),
  };
}

const expectFields = (response: Response, remaining: number, name = "default", quota = 60) => {
  expect(onlyItem(response.headers.get("RateLimit-Policy"))).toEqual({ name, parameters: { q: quota, w: 60 } });
  const state = onlyItem(response.headers.get("RateLimit"));
  expect(state).toEqual({ name, parameters: { r: remaining, t: expect.any(Number) } });
  expect(state.parameters["t"]).toBeGreaterThanOrEqual(1);
  expect(state.parameters["t"]).toBeLessThanOrEqual(60);
};

const etag = async () => (await send("/api/max-supply", newCaller())).headers.get("ETag") ?? "";

describe("the fields are parsed back by a structured-fields library, byte for byte, on", () => {
  test.each([
    { status: 200, path: "/api/max-supply" },
    { status: 304, path: "/api/max-supply", conditional: true },
    { status: 400, path: "/api/circulating-supply?month=never" },
    { status: 400, path: "/api/max-supply", headers: { "X-API-Version": "9" } },
    { status: 404, path: "/api/nothing" },
    { status: 405, path: "/api/max-supply", method: "POST" },
    { status: 200, path: "/api/max-supply", method: "HEAD" },
    { status: 404, path: "/api/nothing", method: "HEAD" },
  ])("$status $method $path $headers", async ({ status, path, method = "GET", headers = {}, conditional = false }) => {
    const caller = newCaller();
    const fields: Record<string, string> = { ...headers, ...(conditional ? { "If-None-Match": await etag() } : {}) };
    const first = await send(path, caller, { method, headers: fields });
    expect(first.status).toBe(status);
    expect(first.headers.get("RateLimit")).toBe("default;r=59;t=60");
    expect(first.headers.get("RateLimit-Policy")).toBe("default;q=60;w=60");
    expectFields(first, 59);
    expectFields(await send(path, caller, { method, headers: fields }), 58);
    if (method === "HEAD") expect(await first.text()).toBe("");
  });

  test("429, with a Retry-After that equals t", async () => {
    const caller = newCaller();
    await use(caller, 60);
    const one = await send("/api/max-supply", caller);
    expect(one.status).toBe(429);
    expectFields(one, 0);
    expect(one.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(one.headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    expect(one.headers.get("Cache-Control")).toBe("no-store");
    expect(one.headers.get("Retry-After")).toBe(String(onlyItem(one.headers.get("RateLimit")).parameters["t"]));
    expect(await one.json()).toEqual({
      message: expect.stringContaining("60 requests per 60 seconds"),
      error_code: "rate_limited",
    });
    expect((await send("/api/nothing", caller)).status).toBe(429);
    const head = await send("/api/max-supply", caller, { method: "HEAD" });
    expect([head.status, head.headers.get("RateLimit")]).toEqual([429, expect.stringMatching(/^default;r=0;t=\d+$/)]);
  });
});

/** One after the other: many at once may wait longer for the limiter, on a busy machine, than its deadline. */
async function use(caller: string, requests: number): Promise<void> {
  for (let request = 0; request < requests; request += 1)
    expect((await send("/api/max-supply", caller)).status).toBe(200);
}

test("OPTIONS is not counted and reports the remaining quota, even when it is used up", async () => {
  const caller = newCaller();
  const preflight = () => send("/api/max-supply", caller, { method: "OPTIONS" });
  for (let call = 0; call < 3; call++) {
    const response = await preflight();
    expect([response.status, response.headers.get("RateLimit")]).toEqual([204, "default;r=60;t=0"]);
  }
  expect((await send("/api/max-supply", caller)).headers.get("RateLimit")).toBe("default;r=59;t=60");
  await use(caller, 59);
  const full = await preflight();
  expect([full.status, full.headers.get("RateLimit")]).toEqual([204, expect.stringMatching(/^default;r=0;t=\d+$/)]);
});

test("OPTIONS of an unknown path is counted: only a preflight is free", async () => {
  const caller = newCaller();
  const response = await send("/api/nothing", caller, { method: "OPTIONS" });
  expect(response.status).toBe(404);
  expectFields(response, 59);
});

test("the two policies count separately", async () => {
  const caller = newCaller();
  expectFields(await send("/v1/nothing", caller), 299, "node", 300);
  expectFields(await send("/api/max-supply", caller), 59);
});

test("every form of an address and a whole /64 are one caller; a mapped address is its IPv4", async () => {
  const forms = ["2001:db8:7:1::1", "2001:0DB8:0007:0001:0:0:0:2", "[2001:db8:7:1::3]", "2001:db8:7:1:ffff::"];
  const left: (string | null)[] = [];
  for (const caller of forms) left.push((await send("/api/max-supply", caller)).headers.get("RateLimit"));
  expect(left.map((state) => state?.split(";")[1])).toEqual(["r=59", "r=58", "r=57", "r=56"]);
  expectFields(await send("/api/max-supply", "2001:db8:7:2::1"), 59);
  expectFields(await send("/api/max-supply", "192.0.2.77"), 59);
  expectFields(await send("/api/max-supply", "::ffff:192.0.2.77"), 58);
  expectFields(await send("/api/max-supply", "::ffff:c000:24d"), 57);
});

test("callers without an address share one log per kind, and are still limited", async () => {
  expectFields(await send("/api/max-supply", null), 59);
  expectFields(await send("/api/max-supply", null, { headers: { "X-Forwarded-For": "203.0.113.9" } }), 58);
  expectFields(await send("/api/max-supply", "nonsense"), 59);
});
