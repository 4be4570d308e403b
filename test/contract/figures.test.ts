import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { baseUrl, call, isShort } from "../support/call.ts";
import { expectDocumented } from "../support/openapi.ts";

/**
 * A deployment's upstreams may be down while it is checked. Inside workerd the embedded node answers: it must be 200.
 */
const upstreamsMayBeDown = baseUrl !== undefined;

const DIGITS = /^(0|[1-9]\d*)$/;
const FORMS = [
  ["", {}, "application/json", DIGITS],
  ["?format=number", { Accept: "text/plain" }, "application/json", DIGITS],
  ["?format=plain", {}, "text/plain; charset=utf-8", DIGITS],
  ["", { Accept: "text/plain" }, "text/plain; charset=utf-8", DIGITS],
  ["?format=result&unknown=1", {}, "application/json", /^\{"result":"(0|[1-9]\d*)"\}$/],
] as const;

async function documented(target: string, headers: Record<string, string> = {}) {
  const response = await call("GET", target, { headers });
  const text = await expectDocumented(publicDocument, "GET", target.split("?")[0] ?? "", response);
  const isDown = upstreamsMayBeDown && response.status === 503;
  if (isDown) {
    expect(JSON.parse(text)).toMatchObject({ error_code: "service_unavailable" });
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
  // A deployment's schedule may list no wallets, and its chain may have no stable token.
  const isAbsent = upstreamsMayBeDown && response.status === 404;
  return { response, text, isDown: isDown || isAbsent };
}

const ON_CHAIN = ["/api/total-supply", "/api/stable-supply", "/api/circulating-supply-on-chain", "/api/burned-supply"];

test.each(["/api/max-supply", "/api/circulating-supply", ...ON_CHAIN])(
  "%s answers CoinGecko's client with digits",
  async (path) => {
    const client = { "X-Requested-With": "com.coingecko", "User-Agent": "CoinGecko +https://coingecko.com/" };
    const { response, text, isDown } = await documented(path, client);
    if (isDown) return;
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(text).toMatch(DIGITS);
  },
);

describe.each(ON_CHAIN)("the figure of %s", (path) => {
  test.each(isShort && path !== "/api/total-supply" ? FORMS.slice(0, 1) : FORMS)(
    "%s with %o is %s",
    async (query, headers, type, body) => {
      const { response, text, isDown } = await documented(path + query, headers);
      if (isDown) return;
      expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
      expect(text).toMatch(body);
      const age = response.headers.get("Age");
      expect(age).toMatch(DIGITS);
      expect(Number(age)).toBeLessThanOrEqual(3_600);
      expect(response.headers.get("Cache-Status")).toMatch(/^\S+; (hit|fwd=[a-z-]+)/);
    },
  );

  test.skipIf(isShort)("is the same figure in every format", async () => {
    const forms = await Promise.all(["number", "plain", "result"].map((form) => documented(`${path}?format=${form}`)));
    if (forms.some(({ isDown }) => isDown)) return;
    const digits = forms.map(({ text }) => text.replace(/\D/g, ""));
    expect(new Set(digits).size).toBe(1);
  });

  test.skipIf(isShort)("has with decimals=exact its whole tokens and a fraction without a trailing zero", async () => {
    const exact = await documented(`${path}?decimals=exact&format=plain`);
    if (exact.isDown) return;
    expect(exact.text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    expect((await documented(`${path}?decimals=exact`)).text).toBe(exact.text);
    expect(JSON.parse((await documented(`${path}?decimals=exact&format=result`)).text)).toEqual({
      result: exact.text,
    });
    expect(exact.text.split(".")[0]).toBe((await documented(path)).text);
  });

  test
    .skipIf(isShort)
    .each(["?decimals=", "?decimals=8", "?decimals=exact&decimals=exact", "?format=xml", "?format=plain&format=plain"])(
    "%s is refused",
    async (query) => {
      const response = await call("GET", path + query);
      expect(response.status).toBe(400);
      await expectDocumented(publicDocument, "GET", path, response);
    },
  );
});

test("/api/supply and /api/total-supply have exactly the same total", async () => {
  const [supply, total] = [await documented("/api/supply"), await documented("/api/total-supply?format=plain")];
  if (supply.isDown || total.isDown) return;
  const { total: exact, unavailable } = JSON.parse(supply.text);
  if (upstreamsMayBeDown && exact === null) return;
  expect(unavailable).not.toHaveProperty("total");
  expect(BigInt(exact.tokens.split(".")[0])).toBe(BigInt(total.text));
});

test("/api/rates: every product's rates add up, and ids are unique", async () => {
  const { response, text, isDown } = await documented("/api/rates");
  if (isDown) return;
  expect(response.status).toBe(200);
  const body = JSON.parse(text);
  expect(body.count).toBeGreaterThan(0);
  expect(body.data).toHaveLength(body.count);
  expect(new Set(body.data.map((each: { id: string }) => each.id)).size).toBe(body.count);
  for (const { apy, apy_base, apy_reward, apr, apy_mean_30d } of body.data) {
    for (const rate of [apy, apy_base, apy_reward, apr, apy_mean_30d])
      expect(rate === null || /^-?\d+(\.\d{1,5})?$/.test(String(rate))).toBe(true);
    if (apy_base !== null && apy_reward !== null) expect(apy).toBeCloseTo(apy_base + apy_reward, 5);
  }
});

test.each(["/api/total-supply", "/api/rates"])("%s: a request with the current ETag is answered 304", async (path) => {
  const { response, isDown } = await documented(path);
  if (isDown) return;
  const etag = response.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);
  const again = await call("GET", path, { headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("/api/health is consistent, never stored and contains no address", async () => {
  const response = await call("GET", "/api/health");
  const text = await expectDocumented(publicDocument, "GET", "/api/health", response);
  const report = JSON.parse(text);
  const unavailable = report.figures.filter((figure: { available: boolean }) => !figure.available);
  expect([response.status, report.status === "failing"]).toEqual(unavailable.length > 0 ? [503, true] : [200, false]);
  expect(report.status === "ok").toBe(report.problems.length === 0);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(text).not.toMatch(/https?:/);
  if (!upstreamsMayBeDown) expect(unavailable).toEqual([]);
});
