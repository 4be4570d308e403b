import { describe, expect, test } from "vitest";
import { STABLE_TOKEN } from "../../../devnode/genesis.ts";
import { parseStored } from "../../../src/base/json.ts";
import { dayText } from "../../../src/base/utc.ts";
import { EMBEDDED_STABLE_ASSET } from "../../../src/config.ts";
import { rateRows } from "../../../src/home/history/rows.ts";
import { parseSchedule } from "../../../tools/schedule/parse-schedule.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { deploymentWorld, type Stored, timed, WORLD_START_MS } from "../../support/deployment-world.ts";
import { OWN } from "../rates/rows.ts";

const TOTAL = 97_000_000_012_345_678n;
const ROWS = [{ ...OWN, source: "operator" }];

/** The fixture's schedule, mostly without wallets: their balances are covered by the tests of readings. */
function parsed(hasWallets: boolean) {
  const buckets = native.buckets.map(({ addresses: _addresses, ...bucket }) => bucket);
  const schedule = parseSchedule(hasWallets ? native : { ...native, buckets, wallets: [] });
  if (schedule.kind !== "schedule") throw new Error("the published schedule is valid");
  return schedule.schedule;
}

const balanceIf = (isReadable: boolean) => () => (isReadable ? 7n : undefined);

function deployment(
  settings: Record<string, string> = {},
  rows: readonly unknown[] = ROWS,
  nodes = ["upstream-1"],
  hasWallets = false,
) {
  const total = { minted: TOTAL };
  const store = new Map<string, Stored>();
  const chain = { minted: () => total.minted };
  const place = deploymentWorld({ schedule: parsed(hasWallets), chain, nodes, settings, rows, store });
  const setUp = (up: boolean) => {
    for (const node of place.nodes) node.up = up;
  };
  return { ...place, total, setUp };
}

test("a chain that hangs does not delay the other figures: a stored value is served, or none", async () => {
  const { node, readOnChain, pass, evict, settle } = deployment();
  const only = node(0);
  only.hangs = true;
  const total = async () => (await readOnChain()).figures.total;
  expect(await total()).toMatchObject({ reason: expect.any(String) });
  only.hangs = false;
  pass(10);
  expect(await total()).toMatchObject({ value: TOTAL });
  await settle();
  pass(40);
  only.hangs = true;
  evict();
  expect(await readOnChain()).toMatchObject({ figures: { total: { value: TOTAL } }, headers: { Age: "40" } });
});

test("/api/supply waits two seconds for a chain that hangs, and serves its other figures", async () => {
  const place = deployment();
  place.world.nodesHang = true;
  const { seconds: waited, result } = await timed(place.answer("/api/supply"));
  place.world.nodesHang = false;
  expect(waited).toBeGreaterThanOrEqual(2);
  expect(waited).toBeLessThan(3);
  expect(JSON.parse(result.text)).toMatchObject({ total: null, max: { tokens: "1000000000" } });
  // Control: a chain that answers is not waited for that long.
  const answered = await timed(deployment().answer("/api/supply"));
  expect(JSON.parse(answered.result.text)).toMatchObject({ total: { tokens: expect.any(String) } });
  expect(answered.seconds).toBeLessThan(2);
});

describe("the bare numbers from the chain", () => {
  test.each([
    ["/api/total-supply", {}, "970000000", "application/json"],
    ["/api/stable-supply", {}, "5", "application/json"],
  ])("%s %o: %s as %s", async (path, headers, text, type) => {
    const answer = await deployment().get(path, headers);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers).toMatchObject({
      "Content-Type": type,
      Vary: "Accept",
      Age: "0",
      "Cache-Status": "edge; fwd=miss; stored",
      "Cache-Control": "public, max-age=30",
    });
  });

  test("answer 304 while the figure is unchanged, with an ETag per format", async () => {
    const { get, total, pass } = deployment();
    const first = await get("/api/total-supply");
    const tag = { "If-None-Match": first.headers["ETag"] ?? "" };
    pass(60);
    expect(await get("/api/total-supply", tag)).toMatchObject({ status: 304 });
    expect(await get("/api/total-supply?format=plain", tag)).toMatchObject({ status: 200 });
    total.minted += 100_000_000n;
    pass(60);
    // The reading of a minute ago is served while the next one is made.
    await get("/api/total-supply");
    expect(await get("/api/total-supply", tag)).toMatchObject({ status: 200, text: "970000001" });
  });

  test("answer 404 with a sentence where there is no stable token", async () => {
    const { get } = deployment({ STABLE_ASSET: "" });
    expect(await get("/api/stable-supply")).toEqual({
      status: "not_found",
      headers: {},
      text: "This deployment has no stable token.",
    });
    expect(await get("/api/total-supply")).toMatchObject({ status: 200 });
  });
});

describe("a deployment that reads no chain and lists no products", () => {
  const place = () => deployment({ NODE_URLS: "none", RATES_URL: "none", STABLE_ASSET: "" });

  test.each(["total-supply", "stable-supply", "circulating-supply-on-chain", "burned-supply", "supply-breakdown"])(
    "/api/%s is 404 with a sentence",
    async (path) => {
      const { get } = place();
      expect(await get(`/api/${path}`)).toMatchObject({ status: "not_found", text: "This deployment reads no chain." });
    },
  );

  test("says so, asks no node, and is healthy", async () => {
    const { get, json, check, node, recorded, calls } = place();
    expect(await get("/api/rates")).toMatchObject({
      status: "not_found",
      text: "This deployment lists no yield products.",
    });
    const why = "This deployment reads no chain.";
    expect(await json("/api/supply")).toMatchObject({
      total: null,
      circulating_on_chain: null,
      burned: null,
      unavailable: { total: why, circulating_on_chain: why, burned: why },
    });
    const health = await json("/api/health");
    expect(health).toMatchObject({ status: "ok", upstreams: [], problems: [] });
    expect(health.figures.map(({ name }: { name: string }) => name)).toEqual(["max_supply", "circulating_supply"]);
    await check();
    expect([node(0).calls, recorded.figures, recorded.rates, calls.listings]).toEqual([[], [], [], 0]);
    // Control: the hourly check has run.
    expect(calls.heartbeats).toBe(1);
  });
});

test("a listing that is read and says nothing new is a problem, and no reading of the day", async () => {
  const place = deployment({}, [...ROWS, { ...OWN, id: "paused", status: "paused" }]);
  const problems = async () => (await place.json("/api/health")).problems;
  // Control: a row in time is recorded.
  await place.check();
  expect([place.recorded.rates.length, await problems()]).toEqual([2, []]);
  place.pass(86_400);
  await place.check();
  expect(await problems()).toEqual([
    {
      code: "rates_stale",
      remedy: expect.any(String),
      subject: "rates",
      message: "The rates of native-staking are out of date since 2026-11-21T05:00:00Z: the listing has no newer row.",
    },
  ]);
  expect(place.recorded.rates.length).toBe(2);
});

test("a page gets the last good products from a listing that hangs, and health one problem of it", async () => {
  const place = deployment();
  await place.check();
  place.pass(4 * 3_600);
  place.world.listingHangs = true;
  place.evict();
  expect(await place.answer("/api/rates")).toMatchObject({ status: 200, headers: { Age: "14400" } });
  place.world.listingHangs = place.world.listingUp = false;
  expect(await place.codes()).toEqual(["figure_stale"]);
});

test("a page waits four seconds for a listing that hangs", async () => {
  const place = deployment();
  place.world.listingHangs = true;
  const { seconds: waited } = await timed(place.answer("/api/rates"));
  place.world.listingHangs = false;
  expect(waited).toBeGreaterThanOrEqual(4);
  expect(waited).toBeLessThan(5);
  expect((await timed(deployment().answer("/api/rates"))).seconds).toBeLessThan(2);
});

test("health waits seven seconds for a listing that hangs, and says so", async () => {
  const place = deployment();
  place.world.listingHangs = true;
  const { seconds: waited, result } = await timed(place.answer("/api/health"));
  place.world.listingHangs = false;
  expect(waited).toBeGreaterThanOrEqual(7);
  expect(waited).toBeLessThan(8);
  expect(JSON.parse(result.text).problems).toMatchObject([{ code: "figure_unavailable", subject: "rates" }]);
});

test.each<[string, (place: ReturnType<typeof deployment>, isUp: boolean) => void, number]>([
  ["of a listing that is away", ({ world }, isUp) => Object.assign(world, { listingUp: isUp }), 0],
  ["with a wallet that no node can read", ({ chain }, isUp) => Object.assign(chain, { balance: balanceIf(isUp) }), 1],
])("a day without rows, %s, is completed by a request a minute later", async (_what, set, rates) => {
  const place = deployment({ STABLE_ASSET: "" }, ROWS, ["upstream-1"], true);
  const recorded = async () => {
    for (const path of ["/api/history", `/api/rates/${OWN.id}/history`]) await place.get(path);
    return { figures: place.recorded.figures.map(({ figure }) => figure).sort(), rates: place.recorded.rates.length };
  };
  set(place, false);
  expect(await recorded()).toMatchObject({ rates });
  set(place, true);
  place.pass(70);
  const whole = [
    "burned_supply",
    "circulating_supply_above_plan",
    "circulating_supply_on_chain",
    "non_circulating_supply",
    "total_supply",
  ];
  expect(await recorded()).toEqual({ figures: whole, rates: 1 });
  // Control: a whole day is not read again.
  place.pass(70);
  const { length } = place.node(0).calls;
  await recorded();
  expect(place.node(0).calls.length).toBe(length);
});

test("the history of an unlisted product is 404, or 503 while the listing cannot be read", async () => {
  const place = deployment();
  const statuses = async (id: string) =>
    Promise.all([`/api/rates/${id}`, `/api/rates/${id}/history`].map(async (path) => (await place.get(path)).status));
  expect(await statuses(OWN.id)).toEqual([200, 200]);
  expect(await statuses("nobody")).toEqual(["not_found", "not_found"]);
  place.world.listingUp = false;
  place.store.clear();
  place.restartHome();
  place.evict();
  expect(await statuses("nobody")).toEqual(["unavailable", "unavailable"]);
  expect((await place.get("/api/rates/nobody/history")).text).toMatch(
    /^The list of products is not available: the listing /,
  );
});

// Stored values are read without validation: another form needs another number in their keys.
test("the forms of stored values are those of the numbers in their keys", async () => {
  const { check, store } = deployment();
  await check();
  const stored = Object.fromEntries(
    [...store].map(([key, { value }]) => [
      key.replace(/(?<=-\d+)-.*/, ""),
      parseStored<Record<string, unknown>>(value) ?? {},
    ]),
  );
  expect(Object.keys(stored).sort()).toEqual(["health-2", "rates-6", "reading/native", "reading/stable"]);
  // The object that reads writes these as `reading/native/native-7`.
  const members = ["confirmed", "disagreement", "floor", "good", "unconfirmed"];
  expect(Object.keys(stored["reading/native"] ?? {}).sort()).toEqual(members);
  expect(Object(stored["reading/native"]?.["good"]).value).toEqual({
    ledgerVersion: expect.any(BigInt),
    readAtMs: WORLD_START_MS,
    decimals: 8,
    minted: TOTAL,
    wallets: [],
    staking: null,
    confirmedBy: ["upstream-1"],
    nodeCount: 1,
    lastComplete: null,
    chains: [
      {
        id: "native",
        missing: null,
        ledgerVersion: expect.any(BigInt),
        block: null,
        readAtMs: WORLD_START_MS,
        minted: TOTAL,
        confirmedBy: ["upstream-1"],
        nodeCount: 1,
        fullyConfirmedBy: ["upstream-1"],
      },
    ],
  });
  const good = { kind: "observed", value: ROWS, observedAtMs: WORLD_START_MS };
  const accepted = [[OWN.id, { value: expect.any(BigInt), atMs: WORLD_START_MS }]];
  expect(stored["rates-6"]).toEqual({ good, accepted, doubts: [] });
  expect(Object.keys(stored["health-2"] ?? {})).toEqual(["condition", "sinceMs", "reported"]);
});

describe("the yield listing", () => {
  test("has its age, its count and its products", async () => {
    const { get } = deployment();
    const answer = await get("/api/rates");
    expect(JSON.parse(answer.text)).toMatchObject({ as_of: "2026-11-21T02:00:00Z", count: 1, data: [OWN] });
    expect(answer.headers).toMatchObject({ Age: "0", "Cache-Control": "public, max-age=60" });
    expect(await get("/api/rates", { "If-None-Match": answer.headers["ETag"] ?? "" })).toMatchObject({ status: 304 });
  });

  test.each([
    ["local", 200],
    ["staging", 200],
    ["production", "unavailable"],
  ])("of samples in %s: %s", async (ENVIRONMENT, status) => {
    const upstreams = { RATES_URL: "https://rates.example/", CHAIN_ID: "4" };
    expect(
      await deployment({ ENVIRONMENT, ...upstreams }, [{ ...OWN, source: "sample" }]).get("/api/rates"),
    ).toMatchObject({ status });
  });
});

test("the means of what is listed and of the chain's own product are read, and of nothing else", async () => {
  const place = deployment({}, [{ ...OWN, id: "vault" }]);
  const [row] = rateRows([{ ...OWN, id: "vault", source: "operator" }], place.world.nowMs);
  if (row === undefined) throw new Error("it is one row");
  for (let ago = 0; ago < 7; ago += 1)
    for (const product of ["vault", "native-staking", "unlisted"])
      place.recorded.rates.push({ ...row, product, day: dayText(place.world.nowMs - ago * 86_400_000) });
  expect((await place.json("/api/rates")).data).toMatchObject([{ id: "vault", apy_mean_7d: OWN.apy }]);
  const said = await place.readings().get("means", null, "cached");
  expect(said).toMatchObject({ good: { value: { vault: {}, "native-staking": {} } } });
  expect(JSON.stringify(said)).not.toContain("unlisted");
});

describe("one bad reading", () => {
  test("of one APY keeps that product's last good rates, records none of it, and health names it", async () => {
    const rows = [
      { ...OWN, stale_after: "2026-11-23T00:00:00Z" },
      { ...OWN, stale_after: "2026-11-23T00:00:00Z", id: "vault", order: 2, apy: 5, apy_base: 5, apy_reward: 0 },
    ];
    const place = deployment({}, rows);
    const recorded = () => place.recorded.rates.map(({ day, product, apy }) => [day, product, apy]);
    await place.get("/api/rates");
    place.recorded.rates.length = 0;
    place.pass(86_400);
    place.world.rows = [rows[0], { ...rows[1], apy: 999_999, apy_base: 999_999 }];
    await place.check();
    const served = async () => {
      const { data } = await place.json("/api/rates");
      return data.map(({ id, apy }: { id: string; apy: number }) => [id, apy]);
    };
    expect(await served()).toEqual([
      ["native-staking", 7.5],
      ["vault", 5],
    ]);
    expect(recorded()).toEqual([["2026-11-22", "native-staking", 7.5]]);
    expect((await place.json("/api/health")).problems).toMatchObject([
      { code: "figure_unconfirmed", subject: "rates", message: expect.stringContaining("vault") },
    ]);
    place.world.rows = rows;
    place.pass(90);
    await place.check();
    expect(recorded()).toEqual([
      ["2026-11-22", "native-staking", 7.5],
      ["2026-11-22", "vault", 5],
    ]);
    expect((await place.json("/api/health")).problems).toEqual([]);
  });
});

describe("health", () => {
  const report = async (from: ReturnType<typeof deployment>) => {
    const { status, text } = await from.get("/api/health");
    const body = JSON.parse(text);
    return { status, body, problems: body.problems.map((each: { code: string }) => each.code) };
  };

  test("is ok with every figure, its age and its bound", async () => {
    const place = deployment();
    await place.get("/api/rates");
    place.pass(30);
    const { status, body } = await report(place);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ok", problems: [], limiter: { mode: "exact" }, schedule_revision: 1 });
    const confirmed_by = { nodes: ["upstream-1"], ledger_version: expect.any(String), at: expect.any(String) };
    expect(body.figures).toEqual([
      { name: "max_supply", available: true, age_seconds: 0, bound_seconds: null, confirmed_by: null },
      { name: "circulating_supply", available: true, age_seconds: 0, bound_seconds: null, confirmed_by: null },
      { name: "total_supply", available: true, age_seconds: 0, bound_seconds: 3_600, confirmed_by },
      { name: "stable_supply", available: true, age_seconds: 0, bound_seconds: 3_600, confirmed_by },
      { name: "rates", available: true, age_seconds: 30, bound_seconds: 86_400, confirmed_by: null },
    ]);
  });

  test("is degraded while last good values are served, and failing when one has expired", async () => {
    const place = deployment();
    await report(place);
    place.setUp(false);
    place.pass(600);
    expect(await report(place)).toMatchObject({
      status: 200,
      body: { status: "degraded" },
      problems: ["figure_stale", "figure_stale", "upstream_unreachable", "node_reads_unavailable"],
    });
    place.pass(3_600);
    expect(await report(place)).toMatchObject({
      status: 503,
      body: { status: "failing", error_code: "service_unavailable" },
      problems: ["figure_unavailable", "figure_unavailable", "upstream_unreachable", "node_reads_unavailable"],
    });
    place.setUp(true);
    place.pass(10);
    expect(await report(place)).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  test.each([
    ["is one of another version", { nodesUnreported: true }],
    ["does not answer", { homeSilent: true }],
  ])("is reported while the object that reports the nodes %s", async (_what, state) => {
    const place = deployment();
    await report(place);
    Object.assign(place.world, state);
    expect(await report(place)).toMatchObject({ status: 200, problems: [], body: { upstreams: [] } });
  });

  describe("a part of the hourly check that fails stops no other:", () => {
    const failed = ({ logged }: ReturnType<typeof deployment>) =>
      logged.filter(({ event }) => event === "check_failed").map(({ detail }) => detail["part"]);

    test("with a node that answers no view the rates are renewed and recorded, and the change is posted", async () => {
      const place = deployment();
      for (const node of place.nodes) node.hangs = true;
      await place.check();
      expect(place.node(0).calls.length).toBeGreaterThan(0);
      expect([place.calls.listings, place.recorded.rates.length, place.calls.heartbeats]).toEqual([1, 1, 1]);
      expect(place.notices).toMatchObject([{ status: "failing", reason: expect.stringContaining("total_supply") }]);
      expect(failed(place)).toEqual([]);
    });

    test("with the home object away the change is posted, and no heartbeat is sent", async () => {
      const place = deployment();
      place.world.homeSilent = true;
      await place.check();
      expect([place.calls.listings, place.recorded.rates, place.calls.heartbeats]).toEqual([0, [], 0]);
      expect(failed(place)).toEqual(["history"]);
      const reason = expect.stringContaining("the object that reads it does not answer");
      expect(place.notices).toMatchObject([{ status: "failing", reason }]);
    });

    test("a day that the store refuses is reported, and no heartbeat is sent", async () => {
      const place = deployment();
      place.world.storeRefuses = true;
      await place.check();
      expect([failed(place), place.recorded.figures, place.calls.heartbeats]).toEqual([["history"], [], 0]);
      // Control: what was read is recorded when the store takes it.
      place.world.storeRefuses = false;
      await place.check();
      const names = place.recorded.figures.map(({ figure }) => figure);
      expect(names.sort()).toEqual(["stable_supply", "total_supply"]);
      expect([place.recorded.rates.length, place.calls.heartbeats]).toEqual([1, 1]);
    });

    test("control: with nothing failing the heartbeat is sent, also while health is degraded", async () => {
      const place = deployment();
      await place.check();
      place.world.limiterUp = false;
      await place.check();
      expect([place.calls.heartbeats, place.notices.length, failed(place)]).toEqual([2, 1, []]);
    });
  });

  test("the hourly check refreshes figures without requests, and reports a change once", async () => {
    const place = deployment();
    await place.check();
    place.setUp(false);
    place.pass(1_800);
    place.evict();
    expect(await place.get("/api/total-supply")).toMatchObject({ status: 200, headers: { Age: "1800" } });
    await place.check();
    place.pass(3_600);
    await place.check();
    place.pass(3_600);
    place.evict();
    await place.check();
    place.setUp(true);
    place.pass(10);
    await place.check();
    expect(place.notices.map(({ previous_status, status }) => `${previous_status} -> ${status}`)).toEqual([
      "ok -> degraded",
      "degraded -> failing",
      "failing -> ok",
    ]);
  });
});

test("the embedded node's stable token has the address that its genesis derives", () => {
  expect(EMBEDDED_STABLE_ASSET).toBe(STABLE_TOKEN);
});
