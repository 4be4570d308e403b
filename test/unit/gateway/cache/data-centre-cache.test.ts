import { beforeEach, describe, expect, test } from "vitest";
import { dataCentreCache, type Place } from "../../../../src/gateway/cache/data-centre-cache.ts";
import { cachedResponse } from "../scripted.ts";

let nowMs: number;
let entries: Map<string, Response>;
let place: Place | null;
let logged: string[];
let isBroken: boolean;

const cacheOf = (salt: string) =>
  dataCentreCache({
    cache: {
      match: async (request) => {
        if (isBroken) throw new Error("no cache");
        return entries.get(new Request(request).url)?.clone();
      },
      put: async (request, response) => {
        if (isBroken) throw new Error("no cache");
        entries.set(new Request(request).url, response);
      },
    },
    salt,
    place: () => place,
    now: () => nowMs,
    log: (event) => void logged.push(event),
  });

beforeEach(() => {
  nowMs = 1_000_000;
  entries = new Map();
  place = { origin: "https://edge.test", region: "weur" };
  logged = [];
  isBroken = false;
});

const lifetimes = (): (string | null)[] => [...entries.values()].map(({ headers }) => headers.get("Cache-Control"));

describe("a response", () => {
  test("is found as it was stored, also with characters that a header cannot carry", async () => {
    const value = cachedResponse({ extras: { cursor: "ü\n%" }, body: new Uint8Array([0, 255]) });
    await cacheOf("a/").cache("0 GET /x?y=z", value);
    expect(await cacheOf("a/").cached("0 GET /x?y=z")).toEqual(value);
  });

  test("is not found under another key, other settings or another host", async () => {
    await cacheOf("a/").cache("k", cachedResponse());
    expect(await cacheOf("a/").cached("other")).toBeUndefined();
    expect(await cacheOf("b/").cached("k")).toBeUndefined();
    place = { origin: "https://other.test", region: "weur" };
    expect(await cacheOf("a/").cached("k")).toBeUndefined();
  });

  test.each([
    [cachedResponse({ retention: "immutable", seconds: 86_400 }), "public, max-age=86400"],
    [cachedResponse({ retention: "ttl", seconds: 2 }), "public, max-age=2"],
    // A second, and the time for which it may be served while it is renewed.
    [cachedResponse({ retention: "until-tip", seconds: 3_600 }), "public, max-age=2"],
    [cachedResponse({ retention: "until-tip", seconds: 1 }), "public, max-age=1"],
  ])("%o is stored as %s", async (value, lifetime) => {
    await cacheOf("a/").cache("k", value);
    expect(lifetimes()).toEqual([lifetime]);
  });

  test.each([
    ["without a head", {}],
    ["with a damaged head", { "X-Value": "%7B" }],
    ["with a head that is not encoded", { "X-Value": "%" }],
  ])("%s is a miss", async (_what, headers) => {
    const cache = cacheOf("a/");
    await cache.cache("k", cachedResponse());
    for (const url of entries.keys()) entries.set(url, new Response("7", { headers: { ...headers } }));
    expect(await cache.cached("k")).toBeUndefined();
  });
});

describe("a claim", () => {
  test("is for one of all isolates, and ends", async () => {
    const [one, other] = [cacheOf("a/"), cacheOf("a/")];
    expect([await one.claim("n", 60_000), await other.claim("n", 60_000), await other.claim("m", 60_000)]).toEqual([
      true,
      false,
      true,
    ]);
    nowMs += 59_999;
    expect(await other.claim("n", 60_000)).toBe(false);
    nowMs += 1;
    expect(await other.claim("n", 60_000)).toBe(true);
    expect(await one.claim("n", 60_000)).toBe(false);
  });

  test.each([
    [60, "public, max-age=1"],
    [60_000, "public, max-age=60"],
  ])("for %i ms is stored as %s", async (milliseconds, lifetime) => {
    await cacheOf("a/").claim("n", milliseconds);
    expect(lifetimes()).toEqual([lifetime]);
  });
});

test.each([
  ["before the first request, which reveals the host", () => (place = null), []],
  ["when the platform's cache fails", () => (isBroken = true), ["cache_error", "cache_error", "cache_error"]],
])("%s nothing is cached, and every claim succeeds", async (_when, arrange, errors) => {
  const cache = cacheOf("a/");
  await cache.cache("k", cachedResponse());
  arrange();
  entries.clear();
  await cache.cache("k", cachedResponse());
  expect([await cache.cached("k"), await cache.claim("n", 60), entries.size]).toEqual([undefined, true, 0]);
  expect(logged).toEqual(errors);
});
