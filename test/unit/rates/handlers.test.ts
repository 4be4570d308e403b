import { beforeEach, describe, expect, test } from "vitest";
import type { GetRoute, Outcome } from "../../../src/http/handler.ts";
import type { Product } from "../../../src/rates/product.ts";
import { publishedProducts, type RecordedMeans } from "../../../src/rates/published.ts";
import { ratesRoutes } from "../../../src/rates/rate-handlers.ts";
import { CachedCopy } from "../../../src/swr/cached-copy.ts";
import { type CachedValue, HOURLY, type Unavailable } from "../../../src/swr/cached-value.ts";
import { loadError, type Sample } from "../../../src/swr/loader.ts";
import { SharedValue } from "../../../src/swr/shared-value.ts";
import { getContext } from "../../support/get-context.ts";
import { OWN } from "./rows.ts";

const START = Date.parse("2026-11-21T02:00:00Z");
const STALE = Date.parse(OWN.stale_after);

const product = (changes: Partial<Product> = {}) => ({ ...OWN, ...changes }) as Product; // rows are typed by inference
const LENDING = product({ id: "lend:1.x", name: "Lending", kind: "lending", chain: null, tvl: "0.50", apy_reward: 0 });

const CACHED: Omit<CachedValue<unknown>, "value"> = {
  kind: "cached",
  observedAtMs: START,
  ageSeconds: 0,
  origin: "fresh",
  error: null,
  unconfirmed: [],
  policy: HOURLY,
};
const SILENT: Unavailable = { kind: "unavailable", reason: "the history does not answer", retryAfterSeconds: 5 };

let products: readonly Product[];
let routes: readonly GetRoute[];
let rates: CachedCopy<readonly Product[]>;
let isDown: boolean;
let staking: CachedValue<Product> | Unavailable;
let sharePrices: CachedValue<readonly Product[]> | Unavailable;
/** Recorded means; null: the history does not answer. */
let means: Record<string, RecordedMeans> | null;

const MEANS = {
  apy_mean_7d: 6.2,
  apy_mean_7d_base: 5,
  apy_mean_7d_reward: 1.2,
  apy_mean_30d: 6.1,
  apy_mean_30d_base: 5.1,
  apy_mean_30d_reward: 1,
  apy_mean_90d: 6,
  apy_mean_90d_base: 5.2,
  apy_mean_90d_reward: 0.8,
  apy_mean_365d: null,
  apy_mean_365d_base: null,
  apy_mean_365d_reward: null,
};
const NO_MEANS = Object.fromEntries(Object.keys(MEANS).map((name) => [name, null]));

beforeEach(() => {
  means = {};
  staking = { ...SILENT, reason: "the chain is silent" };
  sharePrices = { ...SILENT, reason: "no price is read yet" };
  products = [product(), LENDING];
  isDown = false;
  let good: Sample<readonly Product[]> | null = null;
  const kept = new SharedValue<readonly Product[]>({
    name: "rates",
    freshSeconds: HOURLY.freshSeconds,
    good: () => good,
    load: async (nowMs) => {
      if (isDown) return loadError("the listing does not answer");
      good = { kind: "observed", value: products, observedAtMs: nowMs };
      return null;
    },
    now: () => requestedAtMs,
    log: () => undefined,
  });
  rates = new CachedCopy({
    policy: HOURLY,
    ask: (...question) => kept.get(...question),
    now: () => requestedAtMs,
    pause: () => Promise.resolve(),
  });
  routes = routesOf(false);
});

/** Forces a reading of the listing, whatever its age. */
function renew(nowMs: number) {
  requestedAtMs = nowMs;
  return rates.read({ nowMs, waitUntil: () => undefined }, { mode: "force" });
}

function routesOf(hasStaking: boolean, hasSharePrices = false, hasListing = true): GetRoute[] {
  return ratesRoutes(
    publishedProducts({
      listing: hasListing ? (when) => rates.read(when) : null,
      staking: hasStaking ? () => Promise.resolve(staking) : null,
      sharePrices: hasSharePrices ? { ids: ["vault"], read: () => Promise.resolve(sharePrices) } : null,
      means: async () => (means === null ? SILENT : { ...CACHED, value: means }),
    }),
  );
}

let requestedAtMs = START;

async function get(target: string, { nowMs = START, accept = "" } = {}): Promise<Outcome> {
  requestedAtMs = nowMs;
  const [path = ""] = target.split("?");
  const id = path.split("/")[3];
  const route = routes.find((each) => each.path === (id === undefined ? path : "/api/rates/:id"));
  if (route === undefined) throw new Error(target);
  const headers: Record<string, string> = accept === "" ? {} : { Accept: accept };
  return route.handler(getContext(target, { headers, params: id === undefined ? {} : { id }, nowMs }));
}

async function reply(target: string, init: Parameters<typeof get>[1] = {}) {
  const outcome = await get(target, init);
  if (outcome.kind !== "reply") throw new Error(JSON.stringify(outcome));
  return { ...outcome, text: String(outcome.body) };
}

const json = async (target: string, init: Parameters<typeof get>[1] = {}) =>
  JSON.parse((await reply(target, init)).text);

test("a refresh with the same products has the new time and a new ETag", async () => {
  const first = await reply("/api/rates");
  await renew(START + 60_000);
  const second = await reply("/api/rates", { nowMs: START + 60_000 });
  expect(JSON.parse(first.text).as_of).toBe("2026-11-21T02:00:00Z");
  expect(JSON.parse(second.text).as_of).toBe("2026-11-21T02:01:00Z");
  expect(first.headers["ETag"]).not.toBe(second.headers["ETag"]);
  expect((await reply("/api/rates", { nowMs: START + 61_000 })).headers["ETag"]).toBe(second.headers["ETag"]);
});

test("the listing is as old as the oldest of what it has, each product as old as itself", async () => {
  products = [LENDING];
  routes = routesOf(true);
  const ageOf = async (target: string) => (await reply(target, { nowMs: START + 60_000 })).headers["Age"];
  await reply("/api/rates");
  const own = product({ source: "ledger" });
  for (const [seconds, age] of [
    [20, "60"],
    [90, "90"],
  ] as const) {
    staking = { ...CACHED, value: own, observedAtMs: START + (60 - seconds) * 1_000, ageSeconds: seconds };
    expect(await ageOf("/api/rates")).toBe(age);
    expect(await ageOf("/api/rates/native-staking")).toBe(String(seconds));
    expect(await ageOf("/api/rates/lend%3A1.x")).toBe("60");
  }
  routes = routesOf(false, true);
  const priced = product({ id: "vault", source: "share_price" });
  sharePrices = { ...CACHED, value: [priced], observedAtMs: START - 30_000, ageSeconds: 90 };
  expect(await ageOf("/api/rates")).toBe("90");
  expect(await ageOf("/api/rates/lend%3A1.x")).toBe("60");
});

test("without a listing, what one product of the chain lacks takes nothing from the others", async () => {
  routes = routesOf(true, true, false);
  expect(await get("/api/rates")).toMatchObject({ kind: "unavailable" });
  sharePrices = { ...CACHED, value: [product({ id: "vault", source: "share_price" })] };
  expect((await json("/api/rates")).data.map(({ id }: Product) => id)).toEqual(["vault"]);
  expect(await get("/api/rates/native-staking")).toMatchObject({ kind: "unavailable" });
  [staking, sharePrices] = [{ ...CACHED, value: product({ source: "ledger" }) }, SILENT];
  expect((await json("/api/rates")).data.map(({ source }: Product) => source)).toEqual(["ledger"]);
});

test("a share price that cannot be read now is unavailable, never unknown; the listing is served without it", async () => {
  products = [LENDING];
  staking = { ...CACHED, value: product({ source: "ledger" }) };
  routes = routesOf(true, true);
  expect(await get("/api/rates/vault")).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("no price is read yet"),
  });
  expect(await get("/api/rates/nobody")).toMatchObject({ kind: "not_found" });
  expect((await json("/api/rates")).count).toBe(2);
  sharePrices = { ...CACHED, value: [product({ id: "vault", source: "share_price" })] };
  expect(await json("/api/rates/vault")).toMatchObject({ id: "vault" });
});

describe("filters of /api/rates", () => {
  test.each([
    ["", ["native-staking", "lend:1.x"]],
    ["utm_source=tracker&constructor=1&toString=", ["native-staking", "lend:1.x"]],
    ["url=https://tracker.example&name=x&apy=1&featured=1&tvl_usd=1&apy=2", ["native-staking", "lend:1.x"]],
    ["source=&id=&kind=lending", ["lend:1.x"]],
    ["id=&id=lend:1.x&id=", ["lend:1.x"]],
    ["id=native-staking", ["native-staking"]],
    ["kind=lending", ["lend:1.x"]],
    ["kind=Staking&asset=xyz", ["native-staking"]],
    ["chain=example", ["native-staking"]],
    ["provider=Example&status=active", ["native-staking", "lend:1.x"]],
  ])("?%s: %j", async (query, ids) => {
    const { count, data } = await json(`/api/rates?${query}`);
    expect([count, data.map(({ id }: Product) => id)]).toEqual([ids.length, ids]);
  });

  test.each([
    ["id=nobody", "not_found", 'No product has id "nobody". Every product is listed at /api/rates.'],
    ["kind=vault&asset=XYZ", "not_found", 'No product has kind "vault" and asset "XYZ".'],
    ["status=stale", "not_found", 'No product has status "stale".'],
    ["id=a&id=b", "invalid_input", "Parameter id is given more than once."],
    ["source=tracker", "not_found", 'No product has source "tracker".'],
  ])("?%s: %s", async (query, kind, message) => {
    expect(await get(`/api/rates?${query}`)).toMatchObject({ kind, message: expect.stringContaining(message) });
  });

  test("a filtered page is not the memory of the whole one", async () => {
    const whole = await reply("/api/rates");
    expect((await reply("/api/rates?kind=lending")).headers["ETag"]).not.toBe(whole.headers["ETag"]);
    expect((await reply("/api/rates")).text).toBe(whole.text);
  });
});

describe("one product", () => {
  test("is its row", async () => {
    const { headers, text } = await reply("/api/rates/native-staking");
    expect(JSON.parse(text)).toEqual({ ...OWN, ...NO_MEANS, apy_mean_30d: 7.1, apy_mean_30d_source: "listing" });
    expect(headers).toMatchObject({ Age: "0", "Cache-Control": "public, max-age=60", ETag: expect.any(String) });
    expect(await json("/api/rates/lend%3A1.x")).toMatchObject(LENDING);
  });

  test.each([
    ["native-staking", "value=apy", "7.5"],
    ["native-staking", "value=apy_change_7d", "-0.25"],
    ["native-staking", "value=tvl", "123456789.5"],
    ["native-staking", "value=tvl_usd", "1000000.25"],
    ["native-staking", "value=cooldown_seconds", "1209600"],
    ["native-staking", "value=lockup_seconds", "0"],
    ["lend:1.x", "value=tvl", "0.5"],
    ["lend:1.x", "value=apy_reward", "0"],
    ["native-staking", "value=apy&format=result", '{"result":"7.5"}'],
  ])("%s?%s is the bare number %s", async (id, query, body) => {
    expect(await reply(`/api/rates/${id}?${query}`)).toMatchObject({ text: body, status: 200 });
  });

  test.each([
    ["value=apy", "", "application/json"],
    ["value=apy&format=plain", "", "text/plain; charset=utf-8"],
    ["value=apy", "text/plain", "text/plain; charset=utf-8"],
    ["value=apy&format=number", "text/plain", "application/json"],
    ["", "text/plain", "application/json"],
  ])("?%s with Accept %o is %s", async (query, accept, type) => {
    const { headers } = await reply(`/api/rates/native-staking?${query}`, { accept });
    expect(headers["Content-Type"]).toBe(type);
  });

  test.each([
    ["nobody", "", "not_found", 'No product has id "nobody". Every product is listed at /api/rates.'],
    ["nobody", "value=apy", "not_found", 'No product has id "nobody". Every product is listed at /api/rates.'],
    ["native-staking", "value=apr", "not_found", 'The apr of product "native-staking" is not known.'],
    ["native-staking", "value=APY", "invalid_input", "Parameter value must be one of apy, apy_base"],
    ["native-staking", "value=apy&format=xml", "invalid_input", "Parameter format must be one of"],
    ["native-staking", "format=plain", "invalid_input", "Parameter format needs the parameter value."],
  ])("%s?%s: %s", async (id, query, kind, message) => {
    expect(await get(`/api/rates/${id}?${query}`)).toMatchObject({ kind, message: expect.stringContaining(message) });
  });

  test("a change of the value changes its ETag, nothing else does", async () => {
    const tag = async (nowMs: number) =>
      (await reply("/api/rates/native-staking?value=apy", { nowMs })).headers["ETag"];
    const before = await tag(START);
    products = [product({ tvl_usd: 7 })];
    await renew(START + 60_000);
    expect(await tag(START + 60_000)).toBe(before);
    products = [product({ apy: 8 })];
    await renew(START + 120_000);
    expect(await tag(START + 120_000)).not.toBe(before);
  });
});

describe("means and change", () => {
  const rowWith = async (changes: Partial<Product>, recorded: typeof means) => {
    products = [product(changes)];
    means = recorded;
    return json("/api/rates/native-staking");
  };
  const recorded = { "native-staking": { ...MEANS, apy_7d_ago: 7.4 } };

  test("are those of the recorded days where the listing says none", async () => {
    const row = await rowWith({ apy_mean_30d: null, apy_change_7d: null }, recorded);
    expect(row).toMatchObject({ ...MEANS, apy_mean_30d_source: "history", apy_change_7d: 0.1 });
    expect(row).not.toHaveProperty("apy_7d_ago");
    expect(await reply("/api/rates/native-staking?value=apy_mean_30d_base")).toMatchObject({ text: "5.1" });
  });

  test("the listing's own 30-day mean and change stay what the listing says", async () => {
    const own = { ...MEANS, apy_mean_30d: 7.1, apy_mean_30d_source: "listing", apy_change_7d: -0.25 };
    expect(await rowWith({}, recorded)).toMatchObject(own);
  });

  test.each([
    ["too few days", { "native-staking": { ...MEANS, ...NO_MEANS, apy_7d_ago: null } }],
    ["no day", {}],
    ["no answer of the history", null],
  ])("with %s they are unknown, and their bare number 404", async (_name, found) => {
    const row = await rowWith({ apy_mean_30d: null, apy_change_7d: null }, found);
    expect(row).toMatchObject({ ...NO_MEANS, apy_mean_30d_source: null, apy_change_7d: null, apy: 7.5 });
    expect(await get("/api/rates/native-staking?value=apy_mean_7d")).toMatchObject({ kind: "not_found" });
  });

  test("a product with the name of an inherited member has its own members only", async () => {
    products = [product({ id: "constructor", apy_mean_30d: null })];
    means = recorded;
    expect(await json("/api/rates/constructor")).toMatchObject({ id: "constructor", ...NO_MEANS });
  });
});

describe("after stale_after, with the listing down", () => {
  const statusAt = async (nowMs: number) => (await json("/api/rates?id=native-staking", { nowMs })).data[0].status;

  beforeEach(async () => {
    products = [product(), { ...LENDING, status: "paused" }];
    await reply("/api/rates");
    isDown = true;
  });

  test("an active product is stale from that instant on, a paused one still paused", async () => {
    expect([await statusAt(STALE - 1), await statusAt(STALE)]).toEqual(["active", "stale"]);
    const { data } = await json("/api/rates", { nowMs: STALE });
    expect(data.map(({ status }: Product) => status)).toEqual(["stale", "paused"]);
    expect(await json("/api/rates/native-staking", { nowMs: STALE })).toMatchObject({ status: "stale", apy: 7.5 });
    expect((await json("/api/rates?status=stale", { nowMs: STALE })).count).toBe(1);
  });

  test("no copy outlives that instant", async () => {
    for (const target of ["/api/rates", "/api/rates/native-staking", "/api/rates/native-staking?value=apy"])
      expect((await reply(target, { nowMs: STALE - 7_000 })).headers).toMatchObject({
        "Cache-Control": "public, max-age=7",
      });
  });

  test("its bare number is 503, a paused one's too, its row has its age", async () => {
    for (const { id } of products)
      expect(await get(`/api/rates/${id}?value=apy`, { nowMs: STALE })).toEqual({
        kind: "unavailable",
        message: `The rates of product "${id}" are out of date since 2026-11-21T05:00:00Z.`,
        retryAfterSeconds: 60,
      });
    expect((await reply("/api/rates/native-staking", { nowMs: STALE })).headers).toMatchObject({ Age: "10800" });
  });

  test("beyond the listing's bound of a day everything is 503", async () => {
    for (const target of ["/api/rates", "/api/rates/native-staking", "/api/rates/lend:1.x?value=apy"])
      expect(await get(target, { nowMs: START + 86_401_000 })).toMatchObject({
        kind: "unavailable",
        message: "Yield rates are not available: the listing does not answer.",
      });
  });
});
