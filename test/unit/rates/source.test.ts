import { expect, test } from "vitest";
import { poolFilter } from "../../../src/rates/defillama.ts";
import type { FetchListing } from "../../../src/rates/fetch-listing.ts";
import { NO_LISTING } from "../../../src/rates/gate.ts";
import { readListing } from "../../../src/rates/source.ts";
import { OWN } from "./rows.ts";

const SETTINGS = {
  filter: poolFilter(null, []),
  samplesAllowed: false,
  reservedIds: [],
  mapping: null,
  // The settings' defaults.
  stepFactor: 5,
  confirmSeconds: 60,
};
const NOW_MS = Date.parse("2026-11-21T02:00:00Z");

const answering =
  (text: string): FetchListing =>
  async (take) => {
    take(new TextEncoder().encode(text));
    return 200;
  };

/** Reads a listing from a text, or from a given fetch, and returns the log too. */
async function load(listed: string | FetchListing) {
  const logged: unknown[] = [];
  const settings = {
    ...SETTINGS,
    fetchListing: typeof listed === "string" ? answering(listed) : listed,
    log: (event: string, detail: object) => void logged.push([event, detail]),
  };
  const { memory, error } = await readListing(settings, NO_LISTING, NOW_MS);
  expect(error === null || memory === NO_LISTING).toBe(true);
  return { result: error ?? memory.good, logged };
}
const listing = (...rows: unknown[]): string => JSON.stringify({ data: rows });

test("a listing is as of now", async () => {
  const { result, logged } = await load(listing(OWN));
  expect(result).toMatchObject({ kind: "observed", observedAtMs: NOW_MS, value: [{ id: "native-staking" }] });
  expect(logged).toEqual([]);
});

test("a row without its own date is current for two hours", async () => {
  const { as_of: _date, stale_after: _end, ...undated } = OWN;
  const { result } = await load(listing(undated));
  expect(result).toMatchObject({ value: [{ as_of: "2026-11-21T02:00:00Z", stale_after: "2026-11-21T04:00:00Z" }] });
});

test.each<[string, string | FetchListing, string]>([
  ["no answer", async () => undefined, "the listing does not answer"],
  ["an error", async () => 500, "the listing answers 500"],
  ["a status without a body", async () => 204, "the listing answers 204"],
  ["no JSON", "<html>", "the listing is unusable: "],
  ["no valid row", listing({ id: 7 }), "the listing is unusable: "],
  [
    "too many rows",
    listing(OWN, ...Array(50_000).fill({})),
    "the listing is unusable: the listing has more than 50000 rows",
  ],
])("%s is a failure with its reason", async (_what, listed, reason) => {
  const { result } = await load(listed);
  expect(result).toEqual({ kind: "failure", reason: expect.stringContaining(reason) });
});

test("invalid rows are logged with their number, and at most twenty of their reasons", async () => {
  const mismatched = Array.from({ length: 30 }, (_none, index) => ({ ...OWN, id: `p${index}`, kind: `k${index}` }));
  const { result, logged } = await load(listing(OWN, ...mismatched, ...mismatched));
  expect(result).toMatchObject({ kind: "observed", value: [{ id: "native-staking" }] });
  const [[event, detail] = []] = logged as [string, { rows: number; reasons: object; first: object }][]; // as logged above
  expect([logged.length, event, detail?.rows]).toEqual([1, "rates_rows_dropped", 60]);
  expect(Object.keys(detail?.reasons ?? {}).length).toBeLessThanOrEqual(20);
  expect(Object.values(detail?.first ?? {})).toEqual(["p0"]);
});

/** Serves one deployment after each of these listings, which are read a minute apart. */
async function served(...listings: readonly (readonly unknown[])[]): Promise<(readonly [string, number | null])[][]> {
  let memory = NO_LISTING;
  const results: (readonly [string, number | null])[][] = [];
  for (const [index, rows] of listings.entries()) {
    const settings = { ...SETTINGS, fetchListing: answering(listing(...rows)), log: () => undefined };
    const read = await readListing(settings, memory, NOW_MS + index * 59_000);
    ({ memory } = read);
    results.push(read.error === null ? (memory.good?.value ?? []).map(({ id, apy }) => [id, apy]) : []);
  }
  return results;
}

const { apy_base: _base, apy_reward: _reward, apr: _apr, compounds_per_year: _times, ...BARE } = OWN;
const row = (id: string, apy: number | null) => ({ ...BARE, id, apy });

test.each<[string, readonly unknown[]]>([
  ["not listed", []],
  ["listed without a rate", [row("a", null)]],
])("a product that was %s once returns with no rate far from all others until it is confirmed", async (_what, gap) => {
  const other = row("b", 9);
  const lie = [row("a", 999_999), other];
  const [first, , second, third] = await served([row("a", 5), other], [...gap, other], lie, lie, lie);
  expect(first).toEqual([
    ["a", 5],
    ["b", 9],
  ]);
  expect(second).not.toContainEqual(["a", 999_999]);
  expect(third).not.toContainEqual(["a", 999_999]);
  const [, , , , confirmed] = await served([row("a", 5), other], [...gap, other], lie, lie, lie);
  expect(confirmed).toContainEqual(["a", 999_999]);
});

test("a new product with a rate like the others' is served at once", async () => {
  const [, second] = await served([row("b", 9)], [row("b", 9), row("new", 44)]);
  expect(second).toContainEqual(["new", 44]);
});

test("a listing of which every rate is doubtful is a failure, and its doubts are confirmed by the next one", async () => {
  const [row5, row999] = [row("a", 5), row("a", 999_999)];
  expect(await served([row5], [row999], [row999], [row999])).toEqual([
    [["a", 5]],
    [["a", 5]],
    [["a", 5]],
    [["a", 999_999]],
  ]);
  expect(await served([row("b", 5)], [row999], [row999], [row999])).toEqual([[["b", 5]], [], [], [["a", 999_999]]]);
});
