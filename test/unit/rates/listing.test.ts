import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { poolFilter } from "../../../src/rates/defillama.ts";
import { ListingReader, type ListingTerms, MAX_PRODUCTS } from "../../../src/rates/listing.ts";
import { OWN, POOL } from "./rows.ts";

const TERMS: ListingTerms = {
  observedAtMs: Date.parse("2026-11-21T02:00:00Z"),
  samplesAllowed: false,
  filter: poolFilter(null, []),
  reservedIds: [],
  mapping: null,
};

/** The listing of a text that arrives in chunks of that many bytes. */
function readListing(text: string, terms: ListingTerms, chunkBytes = Number.POSITIVE_INFINITY) {
  const reader = new ListingReader(terms);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length && reader.push(bytes.subarray(at, at + chunkBytes)); at += chunkBytes);
  const end = reader.end();
  const { dropped, firstDropped } = reader;
  const log = { dropped, firstDropped };
  return "kind" in end ? { ...end, ...log, products: [] } : { kind: "listing", products: end, ...log, reason: "" };
}

const listingOf = (rows: unknown, terms: Partial<ListingTerms> = {}) =>
  readListing(JSON.stringify({ data: rows }), { ...TERMS, ...terms });

/** The product of a row, or the reason for its refusal. */
function only(row: unknown, terms: Partial<ListingTerms> = {}) {
  const listing = listingOf([row], terms);
  return listing.kind === "failure" ? ([...listing.dropped.keys()][0] ?? listing.reason) : listing.products[0];
}

test.each([
  [64, "native-staking"],
  [65, "the row has more than 64 members"],
])("a row of %i members: %s", (count, expected) => {
  const more = Array.from({ length: count - Object.keys(OWN).length }, (_none, index) => [`k${index}`, 0]);
  const found = only({ ...OWN, ...Object.fromEntries(more) });
  expect(typeof found === "object" ? found.id : found).toBe(expected);
});

describe("our own shape", () => {
  test("is passed on unchanged, without unknown keys", () => {
    expect(only({ ...OWN, internal_margin: 3 })).toEqual(OWN);
  });

  test("needs six members; everything else is then unknown, and the product active", () => {
    const { id, name, kind, provider, apy } = OWN;
    expect(only({ id, name, kind, provider, apy, asset: { symbol: "XYZ" } })).toEqual({
      ...Object.fromEntries(Object.keys(OWN).map((key) => [key, null])),
      id,
      name,
      kind,
      provider,
      apy,
      asset: { symbol: "XYZ", address: null, decimals: null },
      status: "active",
      source: "listing",
      featured: false,
      as_of: "2026-11-21T02:00:00Z",
      stale_after: "2026-11-21T04:00:00Z",
    });
  });

  const unsaid = { apy: null, apy_base: null, apy_reward: null };
  test.each([
    ["the sum of its parts", { apy: null, apy_base: 0.1, apy_reward: 0.2 }, { apy: 0.3 }],
    ["recomputed when rounded upstream", { apy: 3.33, apy_base: 1.674, apy_reward: 1.66 }, { apy: 3.334 }],
    ["the compounded simple rate", { ...unsaid, apr: 10, compounds_per_year: 365 }, { apy: 10.51558, apr: 10 }],
    ["the simple rate where nothing compounds", { ...unsaid, apr: 10, compounds_per_year: 0 }, { apy: 10, apr: 10 }],
    [
      "unknown when the compounding is unknown",
      { ...unsaid, apr: 10, compounds_per_year: null },
      { apy: null, apr: 10 },
    ],
    ["unknown when a part is", { apy: null, apy_base: 5, apy_reward: null }, { apy: null, apy_base: 5 }],
    ["rounded to five decimals", { apy: 1.23456789, apy_base: null, apy_reward: null }, { apy: 1.23457 }],
  ])("the yield is %s", (_name, given, expected) => {
    expect(only({ ...OWN, ...given })).toMatchObject(expected);
  });

  test.each([
    ["id", undefined, "id is missing"],
    ["id", "a b", "id is not a slug"],
    ["name", "", "name is not printable text of 1 to 200 characters"],
    ["name", "evil\u202etxt", "name is not printable text of 1 to 200 characters"],
    ["name", "half \ud83d", "name is not printable text of 1 to 200 characters"],
    ["kind", "ponzi", "kind is none of staking, liquid_staking, lending, vault, savings, liquidity"],
    ["url", "javascript:alert(1)", "url is not an https link"],
    ["url", "http://example.org", "url is not an https link"],
    ["asset", null, "asset is refused: asset.symbol is missing"],
    ["asset", { symbol: "X", decimals: 8.5 }, "asset is refused: asset.decimals is not a whole number"],
    ["asset", { symbol: "X".repeat(65) }, "asset is refused: asset.symbol is not printable text of 1 to 64 characters"],
    ["apy", "7.5", "apy is not a number from -100 to 1000000"],
    ["apy", 1e7, "apy is not a number from -100 to 1000000"],
    ["apy", 9, "apy is not apy_base + apy_reward"],
    ["apr", 10, "apy is not apr compounded compounds_per_year times"],
    ["tvl", 12, "tvl is not printable text of 1 to 200 characters"],
    ["tvl", "1e9", "tvl is not a canonical decimal"],
    ["tvl", "1,000", "tvl is not a canonical decimal"],
    ["tvl_usd", -1, "tvl_usd is not a number from 0 to 9007199254740991"],
    ["lockup_seconds", 1.5, "lockup_seconds is not a whole number"],
    ["window", "1y", "window is none of spot, 24h, 7d, 30d"],
    ["status", "open", "status is none of active, paused, deprecated, stale"],
    ["kind", undefined, "kind is missing"],
    ["chain", 7, "chain is not printable text of 1 to 64 characters"],
    ["reward_assets", "XYZ", "reward_assets is not a list of at most 20 texts of 1 to 1000 characters"],
    ["reward_assets", ["a\u202eb"], "reward_assets is not a list of at most 20 texts of 1 to 1000 characters"],
    ["as_of", "yesterday", "as_of is not an instant in UTC"],
    ["as_of", "2026-04-31T00:00:00Z", "as_of is not an instant in UTC"],
    ["as_of", "2026-11-22T00:00:00Z", "as_of is in the future"],
    ["stale_after", "2026-11-20T00:00:00Z", "stale_after is before as_of"],
    ["source", "sample", "source is sample"],
    ["featured", "yes", "featured is neither true nor false"],
  ])("a row whose %s is %o is refused: %s", (name, value, reason) => {
    expect(only({ ...OWN, [name]: value })).toBe(reason);
  });

  const asset = (more: object): object => ({ symbol: "XYZ", address: null, decimals: 8, ...more });
  test.each<[string, unknown, unknown]>([
    ["name", "n".repeat(200), "n".repeat(201)],
    ["url", `https://e.org/${"p".repeat(1_986)}`, `https://e.org/${"p".repeat(1_987)}`],
    ["asset", asset({ symbol: "S".repeat(64) }), asset({ symbol: "S".repeat(65) })],
    ["asset", asset({ address: "a".repeat(1_000) }), asset({ address: "a".repeat(1_001) })],
    ["asset", asset({ decimals: 255 }), asset({ decimals: 256 })],
    ["asset", asset({ decimals: 0 }), asset({ decimals: -1 })],
    ["tvl_usd", 0, -0.01],
    ["tvl_usd", 9_007_199_254_740_991, 9_007_199_254_740_992],
    ["lockup_seconds", 0, -1],
    ["compounds_per_year", 31_536_000, 31_536_001],
    // Clocks differ by up to five minutes.
    ["as_of", "2026-11-21T02:05:00Z", "2026-11-21T02:05:01Z"],
    ["stale_after", "2026-11-21T01:00:00Z", "2026-11-21T00:59:59Z"],
  ])("%s: the last allowed value is accepted, the next one refused", (name, allowed, refused) => {
    const row = { ...OWN, apr: null, [name]: allowed };
    expect(only(row)).toMatchObject({ id: OWN.id });
    expect(typeof only({ ...row, [name]: refused })).toBe("string");
  });

  test.each([
    [-100, -100.1],
    [1_000_000, 1_000_000.1],
  ])("a yield of %d percent is published, one of %d is refused", (allowed, refused) => {
    const parts = { apy_base: null, apy_reward: null };
    expect(only({ ...OWN, ...parts, apy: allowed })).toMatchObject({ apy: allowed });
    expect(typeof only({ ...OWN, ...parts, apy: refused })).toBe("string");
  });

  test.each([
    ["compounded", { apy_base: null, apy_reward: null, apr: 100_000, compounds_per_year: 365 }],
    ["compounded beyond every number", { apy_base: null, apy_reward: null, apr: 1e6, compounds_per_year: 365 }],
    ["added up", { apy_base: 1e6, apy_reward: 1 }],
  ])("a yield %s above the maximum is refused, neither published nor treated as unknown", (_name, given) => {
    expect(only({ ...OWN, apy: null, ...given })).toBe("apy is beyond 1000000 percent");
  });

  test.each([
    [0.02, true],
    [0.03, false],
  ])("a yield of %d percent that should be 0 is taken for rounded: %s", (apy, isAccepted) => {
    const found = only({ ...OWN, apr: null, apy, apy_base: 0, apy_reward: 0 });
    if (isAccepted) expect(found).toMatchObject({ apy: 0 });
    else expect(found).toBe("apy is not apy_base + apy_reward");
  });

  test("an APY that equals the APR despite compounding is refused; the correct one is not", () => {
    const sold = { ...OWN, apy_base: null, apy_reward: null, apr: 10, compounds_per_year: 365 };
    expect(only({ ...sold, apy: 10 })).toBe("apy is not apr compounded compounds_per_year times");
    expect(only({ ...sold, apy: 10.51558 })).toMatchObject({ apy: 10.51558, apr: 10 });
  });

  test("samples are refused outside development", () => {
    expect(only({ ...OWN, source: "sample" }, { samplesAllowed: true })).toMatchObject({ source: "sample" });
  });

  test("rows without a date have the listing's, never one after its retrieval", () => {
    const dateless = { ...OWN, as_of: null, stale_after: null };
    const dated = (as_of: string) => readListing(JSON.stringify({ as_of, data: [dateless] }), TERMS);
    expect(dated("2026-11-20T00:00:00Z")).toMatchObject({ products: [{ as_of: "2026-11-20T00:00:00Z" }] });
    expect(dated("2027-01-01T00:00:00Z")).toMatchObject({ products: [{ as_of: "2026-11-21T02:00:00Z" }] });
  });
});

describe("DefiLlama's pools", () => {
  test.each([
    ["https://yields.llama.fi/pools", "https://defillama.com/yields/pool/p%207"],
    ["https://pro-api.llama.fi/KEY/yields/pools", "https://defillama.com/yields/pool/p%207"],
    ["https://rates.example/pools", "https://vault.example/7"],
    ["https://notllama.fi/pools", "https://vault.example/7"],
    [null, "https://vault.example/7"],
  ])("from %s link to %s: only their own pools have a page there", (listingUrl, url) => {
    const found = only(
      { ...POOL, pool: "p 7", url: "https://vault.example/7" },
      { filter: poolFilter(null, [], listingUrl) },
    );
    expect(found).toMatchObject({ url });
  });

  test("become products; missing fields stay unknown", () => {
    const filter = poolFilter("aptos", ["Thala-LSD:liquid_staking"], "https://yields.llama.fi/pools");
    expect(only(POOL, { filter })).toEqual({
      id: "747c1d2a-c668-4682-b9f9-296708a3dd90",
      name: "thala-lsd STHAPT",
      kind: "liquid_staking",
      provider: "thala-lsd",
      url: "https://defillama.com/yields/pool/747c1d2a-c668-4682-b9f9-296708a3dd90",
      chain: "Aptos",
      asset: { symbol: "STHAPT", address: "0x1::aptos_coin::AptosCoin", decimals: null },
      reward_assets: ["0x1::a::B"],
      apy: 9.33456,
      apy_base: 1.23456,
      apy_reward: 8.1,
      apr: null,
      compounds_per_year: null,
      rate_type: null,
      window: null,
      apy_mean_30d: 9.12346,
      apy_change_7d: -0.02,
      tvl: null,
      tvl_usd: 36_424_113,
      min_deposit: null,
      lockup_seconds: null,
      cooldown_seconds: null,
      status: "active",
      as_of: "2026-11-21T02:00:00Z",
      stale_after: "2026-11-21T04:00:00Z",
      source: "defillama",
      featured: false,
      order: null,
    });
  });

  test.each([
    [null, [], ["a", "b", "c"]],
    ["APTOS", [], ["a", "b"]],
    ["aptos", ["echelon-market"], ["b"]],
    [null, ["echelon-market:lending"], ["b", "c"]],
  ])("chain %o and projects %j leave %j", (chain, projects, ids) => {
    const rows = [
      { ...POOL, pool: "a" },
      { ...POOL, pool: "b", project: "echelon-market" },
      { ...POOL, pool: "c", project: "echelon-market", chain: "Move" },
    ];
    const listing = listingOf(rows, { filter: poolFilter(chain, projects) });
    expect(listing).toMatchObject({ kind: "listing", products: ids.map((id) => ({ id })) });
    expect(listing.dropped.size).toBe(0);
  });

  test.each([
    [[], []],
    [null, null],
    [["0x1::a::B", null], null],
    [["<b>"], null],
  ])("reward tokens %j are published as %j", (rewardTokens, reward_assets) => {
    expect(only({ ...POOL, rewardTokens })).toMatchObject({ reward_assets });
  });

  test("more than 20 reward tokens are not published", () => {
    const found = (count: number) => only({ ...POOL, rewardTokens: Array(count).fill("0x1") });
    expect([found(20), found(21)]).toMatchObject([{ reward_assets: Array(20).fill("0x1") }, { reward_assets: null }]);
  });

  test("a pool of several assets is liquidity; the kind of a single-asset pool is unknown", () => {
    expect(only({ ...POOL, exposure: "multi" })).toMatchObject({ kind: "liquidity" });
    expect(only(POOL)).toMatchObject({ kind: null });
  });

  test.each<[string, unknown, string | null]>([
    ["a type tag", ["0x1::a::B<0x2::c::D, u8>"], "0x1::a::B<0x2::c::D, u8>"],
    ["hex", ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"], "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"],
    ["base58", ["So11111111111111111111111111111111111111112"], "So11111111111111111111111111111111111111112"],
    ["with its chain", ["coingecko:aptos"], "coingecko:aptos"],
    ["markup", ["<img src=x onerror=alert(1)>"], null],
    ["empty", [""], null],
    ["a control character", ["0x1\u0000"], null],
    ["an escape sequence", ["\u001b[31m0x1"], null],
    ["a text direction override", ["0x1\u202e"], null],
    ["an unpaired surrogate", ["\ud800"], null],
    ["two lines", ["0x1\n0x2"], null],
    ["too long", ["a".repeat(1_001)], null],
    ["no text", [7], null],
  ])("a token's address is published unchanged or omitted: %s", (_what, underlyingTokens, address) => {
    expect(only({ ...POOL, underlyingTokens })).toMatchObject({ asset: { address } });
  });

  test("a null part of a yield is unknown, not zero", () => {
    expect(only({ ...POOL, apy: 1.5, apyBase: 1.5, apyReward: null })).toMatchObject({
      apy: 1.5,
      apy_base: 1.5,
      apy_reward: null,
    });
  });

  test.each([
    ["apy", null, "apy is missing", { apyBase: null }],
    ["apy", "9.3", "apy is not a number from -100 to 1000000", {}],
    ["apy", 3, "apy is not apy_base + apy_reward", {}],
    ["tvlUsd", null, "tvlUsd is missing", {}],
    ["tvlUsd", -5, "tvlUsd is not a number from 0 to 9007199254740991", {}],
    ["symbol", null, "symbol is missing", {}],
    ["pool", "half \ud83d", "pool is not printable text of 1 to 128 characters", {}],
    ["poolMeta", 7, "poolMeta is not printable text of 1 to 200 characters", {}],
  ])("a pool whose %s is %o is refused: %s", (name, value, reason, also) => {
    expect(only({ ...POOL, ...also, [name]: value })).toBe(reason);
  });
});

describe("a listing", () => {
  test("drops invalid rows and counts them by reason", () => {
    const listing = listingOf([OWN, { ...OWN, id: "b", apy: "7" }, { ...OWN, id: "c", apy: "8" }, null, 7, OWN, POOL]);
    expect(listing).toMatchObject({ kind: "listing", products: [{ id: OWN.id }, { id: POOL.pool }] });
    expect(Object.fromEntries(listing.dropped)).toEqual({
      "apy is not a number from -100 to 1000000": 2,
      "the row is not an object": 2,
      "id is listed twice": 1,
    });
    expect(Object.fromEntries(listing.firstDropped)).toEqual({
      "apy is not a number from -100 to 1000000": "b",
      "id is listed twice": "native-staking",
    });
  });

  const ROW = JSON.stringify(OWN);
  const NAN = '"apy":NaN';
  const REST = '"name":"A","kind":"vault","provider":"P","asset":{"symbol":"X"}';
  test.each([
    ["NaN", `{"id":"a",${REST},${NAN}}`, "the row is not JSON", "a"],
    ["a date without quotes", `{"id":"a",${REST},"as_of":2026-01-01}`, "the row is not JSON", "a"],
    [
      "an undefined value, in a pool",
      `{"chain":"X" , "pool" : "p \\"7" , "apy":undefined}`,
      "the row is not JSON",
      'p "7',
    ],
    ["NaN, without an id", `{${NAN}}`, "the row is not JSON", "row 2"],
    ["an id that is no text", `{"id":7,${NAN}}`, "the row is not JSON", "row 2"],
    ["no JSON at all", "{a: [1, 2]}", "the row is not JSON", "row 2"],
    ["no member of its own", "{}", "asset is refused: asset.symbol is missing", "row 2"],
    ["more than 64 KiB", `{"id":"a","x":"${"x".repeat(70_000)}"}`, "the row is too long", "row 2"],
  ])("loses one row that has %s, named by its id or its place", (_what, row, reason, name) => {
    const found = (chunkBytes: number) =>
      readListing(`{"data":[${ROW},${row},${JSON.stringify(POOL)}]}`, TERMS, chunkBytes);
    for (const listing of [found(7), found(65_536)]) {
      expect(listing).toMatchObject({ kind: "listing", products: [{ id: OWN.id }, { id: POOL.pool }] });
      expect([...listing.dropped]).toEqual([[reason, 1]]);
      expect([...listing.firstDropped]).toEqual([[reason, name]]);
    }
  });

  test("of which no row is JSON is an upstream failure", () => {
    const reason = "none of 2 rows is valid";
    expect(readListing(`[{${NAN}},{${NAN}}]`, TERMS)).toMatchObject({ kind: "failure", reason });
  });

  test.each([
    ["not JSON", "<html>", "the answer is not a listing"],
    ["truncated", '{"data":[{"id":"a"', "the answer is not a listing"],
    ["null", "null", "the answer is not a listing"],
    ["an object without data", '{"message":"oops"}', "the answer is not a listing"],
    [
      "of an error, beside old rows",
      JSON.stringify({ status: "error", data: [OWN] }),
      "the listing says that it failed",
    ],
    [
      "of a failure, after its rows",
      JSON.stringify({ data: [OWN], status: "Failed" }),
      "the listing says that it failed",
    ],
    ["an empty list", '{"data":[]}', "none of 0 rows is valid"],
    ["without a valid row", '{"data":[{"id":"a"}]}', "none of 1 rows is valid"],
    ["without a row of this chain", JSON.stringify([{ ...POOL, chain: "Elsewhere" }]), "none of 1 rows is valid"],
  ])("that is %s is an upstream failure", (_name, text, reason) => {
    const terms = { ...TERMS, filter: poolFilter("Aptos", []) };
    expect(readListing(text, terms)).toMatchObject({ kind: "failure", reason });
  });

  test.each([
    ["rows", (n: number) => `{"pool":"p${n}","project":"p","symbol":"S","apy":1,"tvlUsd":${n}}`],
    ["elements that are no rows", () => "1"],
  ])("may have 50,000 %s; with one more it fails as a whole, by that reason", (_what, row) => {
    const text = (count: number) =>
      `{"data":[${JSON.stringify(OWN)},${Array.from({ length: count - 1 }, (_none, n) => row(n)).join()}]}`;
    expect(readListing(text(50_000), TERMS, 65_536)).toMatchObject({ kind: "listing" });
    const reason = "the listing has more than 50000 rows";
    expect(readListing(text(50_001), TERMS, 65_536)).toMatchObject({ kind: "failure", reason });
  });

  test("is not read further after its 50,000th row", () => {
    const reader = new ListingReader(TERMS);
    const rows = new TextEncoder().encode("{},".repeat(10_000));
    const pushes = [new TextEncoder().encode("["), ...Array.from({ length: 9 }, () => rows)];
    expect(pushes.filter((chunk) => reader.push(chunk)).length).toBe(6);
  });

  test("may state its success", () => {
    const listing = readListing(JSON.stringify({ status: "success", data: [OWN] }), TERMS);
    expect(listing).toMatchObject({ kind: "listing", products: [OWN] });
  });

  test("may be a bare array", () => {
    expect(readListing(JSON.stringify([OWN]), TERMS)).toMatchObject({ kind: "listing", products: [OWN] });
  });

  test("keeps its order, rows without a number last", () => {
    const rows = [null, 3, 1, null, 2].map((order, index) => ({ ...OWN, id: `p${index}`, order }));
    const listing = listingOf(rows);
    expect(listing.kind === "listing" && listing.products.map(({ id }) => id)).toEqual(["p2", "p4", "p1", "p0", "p3"]);
  });

  test.each([1, 5, MAX_PRODUCTS + 1])("publishes the largest products when there are %i too many", (excess) => {
    const rows = Array.from({ length: MAX_PRODUCTS + excess }, (_, n) => ({ ...POOL, pool: `p${n}`, tvlUsd: n }));
    const listing = listingOf(rows);
    expect(listing.kind === "listing" && listing.products.length).toBe(MAX_PRODUCTS);
    expect(listing.kind === "listing" && listing.products.some(({ id }) => id === `p${excess - 1}`)).toBe(false);
    expect([...listing.dropped.values()]).toEqual([excess]);
  });

  test("property: any row is either refused or published complete and valid", () => {
    const value = fc.oneof(
      fc.constantFrom(null, undefined, 0, -0, 5.25, -3, 1e9, Number.NaN, "7", "", "active", "staking", true, [], {}),
      fc.double(),
      fc.string(),
    );
    const change = fc.record({ key: fc.constantFrom(...Object.keys(OWN)), value });
    const outcomes = { published: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        const changed = { ...OWN, ...Object.fromEntries(changes.map((each) => [each.key, each.value])) };
        const listing = listingOf([changed]);
        outcomes[listing.kind === "listing" ? "published" : "refused"] += 1;
        if (listing.kind === "failure") {
          expect([...listing.dropped.values()]).toEqual([1]);
          return;
        }
        const [product] = listing.products;
        expect(Object.keys(product ?? {})).toEqual(Object.keys(OWN));
        for (const rate of [product?.apy, product?.apy_base, product?.apy_reward, product?.apr])
          expect(rate === null || /^-?\d+(\.\d{1,5})?$/.test(String(rate))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(outcomes.published, outcomes.refused)).toBeGreaterThan(50);
  });
});

describe("bounds", () => {
  test("a pool of two tokens has neither as its asset", () => {
    expect(only({ ...POOL, underlyingTokens: ["0x1::a::A", "0x1::b::B"] })).toMatchObject({ asset: { address: null } });
    expect(only(POOL)).toMatchObject({ asset: { address: "0x1::aptos_coin::AptosCoin" } });
  });
});
