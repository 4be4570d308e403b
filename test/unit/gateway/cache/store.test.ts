import { expect, test } from "vitest";
import { parseStored } from "../../../../src/base/json.ts";
import { sharedCache } from "../../../../src/gateway/cache/store.ts";
import type { CachedResponse } from "../../../../src/gateway/model/node-types.ts";
import { cachedResponse } from "../scripted.ts";
import { ledgerAt } from "../upstream/nodes.ts";

/** The data centre's cache, as a map by URL. */
function cacheAt(origin: string | null, entries = new Map<string, Response>()) {
  const logged: string[] = [];
  const cache = {
    match: async (request: RequestInfo | URL) => entries.get(new Request(request).url)?.clone(),
    put: async (request: RequestInfo | URL, response: Response) => void entries.set(new Request(request).url, response),
  };
  const log = (event: string) => void logged.push(event);
  return { shared: sharedCache({ cache, salt: "s/", origin: () => origin, log }), entries, logged };
}
const ORIGIN = "https://edge.example";

test("a response is read back as it was put, for as long as it is of use", async () => {
  const { shared, entries } = cacheAt(ORIGIN);
  const tip = cachedResponse({ extras: { CURSOR: "é" } });
  const final = cachedResponse({
    retention: "immutable",
    timeless: true,
    seconds: 86_400,
    ledger: ledgerAt(2n ** 64n - 1n),
  });
  const none = cachedResponse({ ledger: null, retention: "ttl", seconds: 1.5 });
  for (const [key, value] of Object.entries({ tip, final, none })) {
    await shared.put(key, value);
    expect(await shared.match(key)).toEqual(value);
  }
  expect([...entries.values()].map(({ headers }) => headers.get("Cache-Control"))).toEqual([
    "public, max-age=1",
    "public, max-age=86400",
    "public, max-age=2",
  ]);
});

// Entries are read without validation, and an SDK takes a list without its cursor for whole.
test("the form of an entry is that of the number in its address", async () => {
  const { shared, entries } = cacheAt(ORIGIN);
  await shared.put("a", cachedResponse({ extras: { CURSOR: "1" } }));
  const [[url, entry] = ["", undefined]] = entries;
  const FORM = "bytes,contentType,era,etag,extras,ledger,point,retention,revealed,seconds,status,storedAtMs,timeless";
  const head = parseStored<CachedResponse>(decodeURIComponent(entry?.headers.get("X-Value") ?? ""));
  expect(new URL(url).pathname).toMatch(/^\/__values\/8\//);
  expect([
    head?.extras,
    Object.keys(head ?? {})
      .sort()
      .join(),
  ]).toEqual([{ CURSOR: "1" }, FORM]);
});

test("nothing is found under another key, of another origin, or before the origin is known", async () => {
  const { shared, entries } = cacheAt(ORIGIN);
  await shared.put("0 a", cachedResponse());
  expect(await shared.match("1 a")).toBeUndefined();
  for (const origin of ["https://other.example", null])
    expect(await cacheAt(origin, entries).shared.match("0 a")).toBeUndefined();
});

test.each<[string, (entry: Response) => Response]>([
  ["of a head that is no head", () => new Response("[]", { headers: { "X-Value": "{" } })],
  ["without a head", () => new Response("[]")],
  ["of an empty body", ({ headers }) => new Response(null, { headers })],
  ["of a body that was cut off", ({ headers }) => new Response("[", { headers })],
])("an entry %s is a miss", async (_what, damage) => {
  const { shared, entries } = cacheAt(ORIGIN);
  await shared.put("a", cachedResponse());
  expect(await shared.match("a"), "control: it was stored").toBeDefined();
  for (const [url, entry] of entries) entries.set(url, damage(entry));
  expect(await shared.match("a")).toBeUndefined();
});

test("a cache that fails is a miss, and is logged", async () => {
  const logged: string[] = [];
  const fail = () => Promise.reject(new Error("down"));
  const log = (event: string) => void logged.push(event);
  const shared = sharedCache({ cache: { match: fail, put: fail }, salt: "", origin: () => ORIGIN, log });
  await shared.put("a", cachedResponse());
  expect([await shared.match("a"), logged]).toEqual([undefined, ["cache_error", "cache_error"]]);
});
