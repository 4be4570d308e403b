import { expect, test } from "vitest";
import { type ListingPorts, listingDownloader } from "../../../src/rates/fetch-listing.ts";

/** Fetches a listing, with how it was asked for, how much of it was taken, and how its time runs out. */
function fetching(fetchSource: ListingPorts["fetchSource"], url: string | null = "https://rates.example/") {
  const asked: unknown[] = [];
  const timers: { readonly run: () => void; readonly delayMs: number }[] = [];
  const fetchListing = listingDownloader({
    fetchSource: (from, init) => {
      const { signal: _signal, ...rest } = init;
      asked.push([from, rest]);
      return fetchSource(from, init);
    },
    later: (run, delayMs) => void timers.push({ run, delayMs }),
    userAgent: "edge/1",
    url,
  });
  let takenBytes = 0;
  const status = fetchListing((chunk) => {
    takenBytes += chunk.byteLength;
    return true;
  });
  return { asked, timers, status, taken: () => takenBytes };
}

const MAX_BYTES = 33_554_432;

test.each([
  ["of 32 MiB is read whole", MAX_BYTES, 200],
  ["that is longer does not count", MAX_BYTES + 1, undefined],
])("a listing %s", async (_what, bytes, expected) => {
  const { status, taken } = fetching(async () => new Response(new Uint8Array(bytes)));
  expect(await status).toBe(expected);
  expect(taken()).toBeLessThanOrEqual(MAX_BYTES);
});

test("an error is its status, and its body is not read", async () => {
  const cancelled: unknown[] = [];
  const body = new ReadableStream({ type: "bytes", cancel: (reason) => void cancelled.push(reason) });
  const { status, taken } = fetching(async () => new Response(body, { status: 403 }));
  expect([await status, taken(), cancelled]).toEqual([403, 0, [undefined]]);
});

test.each([
  [408, 2, 200],
  [502, 2, 200],
  [522, 2, 200],
  [404, 1, 404],
  [429, 1, 429],
  [503, 1, 503],
])("a listing that answers %d once is asked for %d times", async (first, times, expected) => {
  const statuses = [first, 200];
  const { status, asked } = fetching(async () => new Response("[]", { status: statuses.shift() ?? 599 }));
  expect([await status, asked.length]).toEqual([expected, times]);
});

test("a listing that answers 408 twice has that status", async () => {
  const { status, asked } = fetching(async () => new Response("late", { status: 408 }));
  expect([await status, asked.length]).toEqual([408, 2]);
});

test.each<[string, ListingPorts["fetchSource"]]>([
  ["that is not there", async () => undefined],
  ["that cannot be reached", () => Promise.reject(new Error("https://secret.example"))],
  [
    "that breaks off",
    async () => new Response(new ReadableStream({ type: "bytes", pull: (body) => body.error(new Error("broken")) })),
  ],
])("a listing %s has no status", async (_what, fetchSource) => {
  expect(await fetching(fetchSource).status).toBeUndefined();
});

test.each<[string, ListingPorts["fetchSource"]]>([
  [
    "never begins",
    (_url, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal))),
  ],
  ["never ends", async () => new Response(new ReadableStream({ type: "bytes" }))],
])("an answer that %s is given up after ten seconds", async (_what, fetchSource) => {
  const { status, timers } = fetching(fetchSource);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([10_000]);
  timers[0]?.run();
  expect(await status).toBeUndefined();
});

test.each([["https://rates.example/"], [null]])("the listing at %s is asked for once, by name", async (url) => {
  const { asked, status } = fetching(async () => new Response("[]"), url);
  expect(await status).toBe(200);
  const headers = { Accept: "application/json", "User-Agent": "edge/1" };
  expect(asked).toEqual([[url, { redirect: "manual", headers }]]);
});
