import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { FIGURES, unitOf } from "../../src/figures.ts";
import { call, isServed, served } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectDocumented } from "../support/openapi.ts";

const DIGITS = /^(0|[1-9]\d*)$/;
const DECIMAL = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;
const RESULT_DIGITS = /^\{"result":"(0|[1-9]\d*)"\}$/;
const RESULT_DECIMAL = /^\{"result":"(0|[1-9]\d*)(\.\d*[1-9])?"\}$/;
const FORMS = [
  ["", {}, "application/json", DIGITS],
  ["?format=number", { Accept: "text/plain" }, "application/json", DIGITS],
  ["?format=plain", {}, "text/plain; charset=utf-8", DIGITS],
  ["", { Accept: "text/plain" }, "text/plain; charset=utf-8", DIGITS],
  ["?format=result&unknown=1", {}, "application/json", RESULT_DIGITS],
] as const;

async function documented(target: string, headers: Record<string, string> = {}) {
  const response = await call("GET", target, { headers });
  const text = await expectDocumented(publicDocument, "GET", target.split("?")[0] ?? "", response);
  return { response, text };
}

const ON_CHAIN = FIGURES.flatMap(({ path, source }) =>
  source !== "schedule" && path !== null && isServed(path) ? [path] : [],
);
/** Percent have their decimals in every form. */
const isPercent = (path: string): boolean => FIGURES.some((row) => row.path === path && unitOf(row) === "percent");
const formOf = (path: string, tokens: RegExp): RegExp =>
  isPercent(path) ? (tokens === DIGITS ? DECIMAL : RESULT_DECIMAL) : tokens;
const readsChain = isServed("/api/total-supply");
const hasYields = isServed("/api/rates");

test.each(["/api/max-supply", "/api/circulating-supply", ...ON_CHAIN])(
  "%s answers CoinGecko's client with digits",
  async (path) => {
    const client = { "X-Requested-With": "com.coingecko", "User-Agent": "CoinGecko +https://coingecko.com/" };
    const { response, text } = await documented(path, client);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(text).toMatch(formOf(path, DIGITS));
  },
);

describe.skipIf(!readsChain).each(ON_CHAIN)("the figure of %s", (path) => {
  test.each(FORMS)("%s with %o is %s", async (query, headers, type, body) => {
    const { response, text } = await documented(path + query, headers);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    expect(text).toMatch(formOf(path, body));
    const age = response.headers.get("Age");
    expect(age).toMatch(DIGITS);
    expect(Number(age)).toBeLessThanOrEqual(3_600);
    expect(response.headers.get("Cache-Status")).toMatch(/^\S+; (hit|fwd=[a-z-]+)/);
    expect(response.headers.get("X-Ledger-Version")).toMatch(DIGITS);
  });

  test("is the same figure in every format", async () => {
    const forms = await Promise.all(["number", "plain", "result"].map((form) => documented(`${path}?format=${form}`)));
    const digits = forms.map(({ text }) => text.replace(/\D/g, ""));
    expect(new Set(digits).size).toBe(1);
  });

  test("has with decimals=exact its whole tokens and a fraction without a trailing zero", async () => {
    const exact = await documented(`${path}?decimals=exact&format=plain`);
    expect(exact.text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    expect((await documented(`${path}?decimals=exact`)).text).toBe(exact.text);
    expect(JSON.parse((await documented(`${path}?decimals=exact&format=result`)).text)).toEqual({
      result: exact.text,
    });
    expect(isPercent(path) ? exact.text : exact.text.split(".")[0]).toBe((await documented(path)).text);
  });

  test.each([
    "?decimals=",
    "?decimals=8",
    "?decimals=exact&decimals=exact",
    "?format=xml",
    "?format=plain&format=plain",
  ])("%s is refused", async (query) => {
    const { response } = await documented(path + query);
    expect(response.status).toBe(400);
  });
});

test.skipIf(!readsChain)("/api/supply and /api/total-supply have exactly the same total", async () => {
  const [supply, total] = [await documented("/api/supply"), await documented("/api/total-supply?format=plain")];
  const { total: exact, unavailable } = JSON.parse(supply.text);
  expect(unavailable).not.toHaveProperty("total");
  expect(BigInt(exact.tokens.split(".")[0])).toBe(BigInt(total.text));
});

/** The figures of the native token on the paths that show them in other forms. */
test.skipIf(!readsChain).each([
  ["/api/supply", "/api/supply"],
  ["/api/supply-breakdown", "/api/supply-breakdown"],
  ["/api/badge/{figure}.json", "/api/badge/total-supply.json"],
])("%s names the ledger version of its figures on chain", async (template, target) => {
  const response = await call("GET", target);
  const text = await expectDocumented(publicDocument, "GET", template, response);
  const version = response.headers.get("X-Ledger-Version");
  expect(version).toMatch(DIGITS);
  if (target === "/api/supply-breakdown" && response.status === 200) {
    const { ledger_version, confirmed_by } = JSON.parse(text);
    expect([ledger_version, confirmed_by.ledger_version]).toEqual([version, version]);
    expect(confirmed_by.nodes.length).toBeGreaterThan(0);
  }
});

test("health names the nodes that say the same of each figure on chain", async () => {
  const { text } = await documented("/api/health");
  const readings = JSON.parse(text).figures.filter(({ name }: { name: string }) => name === "total_supply");
  for (const { available, confirmed_by } of readings)
    expect(available).toBe(confirmed_by !== null && confirmed_by.nodes.length > 0);
  expect(readings).toHaveLength(readsChain ? 1 : 0);
});

test.skipIf(!hasYields)("/api/rates: every product's rates add up, and ids are unique", async () => {
  const { response, text } = await documented("/api/rates");
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

test.skipIf(!hasYields)("/api/rates/{id}: one product is its row, one value of it a bare number", async () => {
  const { text } = await documented("/api/rates");
  const [first] = JSON.parse(text).data;
  const path = `/api/rates/${encodeURIComponent(first.id)}`;
  const read = async (query: string) => {
    const response = await call("GET", path + query);
    return [response.status, await expectDocumented(publicDocument, "GET", "/api/rates/{id}", response)] as const;
  };
  const [status, row] = await read("");
  expect([status, JSON.parse(row).id]).toEqual([200, first.id]);
  expect(JSON.parse((await documented(`/api/rates?id=${encodeURIComponent(first.id)}`)).text).count).toBe(1);
  if (first.apy === null || first.status === "stale") return;
  expect(await read("?value=apy&format=plain")).toEqual([200, String(first.apy)]);
  expect(await read("?value=apy&format=result")).toEqual([200, JSON.stringify({ result: String(first.apy) })]);
  expect((await read("?value=everything"))[0]).toBe(400);
});

test.skipIf(!readsChain && !hasYields).each(["/api/total-supply", "/api/rates"].filter(isServed))(
  "%s: a request with the current ETag is answered 304",
  async (path) => {
    const { response } = await documented(path);
    const etag = response.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await call("GET", path, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  },
);

test("/api/health is consistent, never stored and contains no address", async () => {
  const { response, text, report } = await eventually(async () => {
    const response = await call("GET", "/api/health");
    const text = await expectDocumented(publicDocument, "GET", "/api/health", response);
    const report = JSON.parse(text);
    expect(report.figures.filter(({ available }: { available: boolean }) => !available)).toEqual([]);
    expect([response.status, report.status === "failing"]).toEqual([200, false]);
    return { response, text, report };
  });
  expect(report.status === "ok").toBe(report.problems.length === 0);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(text).not.toMatch(/https?:/);
});

describe.skipIf(readsChain)("without a chain", () => {
  test("/api/supply has the schedule's figures, and null with its reason for the chain's", async () => {
    const { text } = await documented("/api/supply");
    const reason = "This deployment reads no chain.";
    expect(JSON.parse(text)).toMatchObject({
      max: { tokens: expect.any(String) },
      circulating: { tokens: expect.any(String) },
      total: null,
      circulating_on_chain: null,
      circulating_above_plan: null,
      burned: null,
      unavailable: { total: reason, circulating_on_chain: reason, circulating_above_plan: reason, burned: reason },
    });
  });

  test("/api/history has no rows and says why", async () => {
    const { text } = await documented("/api/history");
    expect(JSON.parse(text)).toMatchObject({ data: [], absent: { total_supply: "This deployment reads no chain." } });
  });

  test("health lists no node and is not troubled by that", async () => {
    const { text } = await documented("/api/health");
    expect(JSON.parse(text)).toMatchObject({ upstreams: [] });
  });

  test.each(["total-supply", "apy"])("the badge %s is 404 with the reason", async (figure) => {
    for (const [path, form] of [
      [`/api/badge/${figure}.json`, /"message":"This deployment (reads|lists) no /],
      [`/badge/${figure}.svg`, /./],
    ] as const) {
      if (figure === "apy" && hasYields) continue;
      const response = await call("GET", path);
      expect([response.status, await response.text()]).toEqual([404, expect.stringMatching(form)]);
    }
  });

  // Last of this file, in which every kind of path was read before.
  test("no node is ever asked, not by any path nor by the hourly check", async () => {
    const platform = "cloudflare:workers";
    const { env, exports } = (await import(/* @vite-ignore */ platform)) as {
      readonly env: { readonly NODE: { fetch(url: string): Promise<Response> } };
      readonly exports: { readonly default: { scheduled(event: object): Promise<unknown> } };
    };
    for (const path of [...served, "/v1", "/api/total-supply", "/api/rates"]) await (await call("GET", path)).text();
    await exports.default.scheduled({ cron: "7 * * * *", scheduledTime: new Date() });
    const asked = async () => (await (await env.NODE.fetch("http://node/v1")).json()) as object;
    expect([await asked(), await asked()]).toEqual([{ asked: 0 }, { asked: 1 }]);
  });
});
