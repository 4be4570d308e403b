import { describe, expect, test } from "vitest";
import { STABLE_TOKEN } from "../../../devnode/genesis.ts";
import { figures } from "../../../src/compose/figures.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Notice } from "../../../src/health/alert.ts";
import { applyConditional } from "../../../src/http/conditional.ts";
import type { Outcome } from "../../../src/http/handler.ts";
import { assetsOf, EMBEDDED_STABLE_ASSET } from "../../../src/supply/asset.ts";
import { parseSchedule } from "../../../tools/schedule/parse-schedule.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { memoryHistory, type Recorded } from "../history/memory-history.ts";
import { OWN } from "../rates/rows.ts";

const START = Date.parse("2026-11-21T02:00:00Z");
const TOTAL = 97_000_000_012_345_678n;

function parsed() {
  // Without wallets: their balances are covered by the tests of the breakdown.
  const buckets = native.buckets.map(({ addresses: _addresses, ...bucket }) => bucket);
  const schedule = parseSchedule({ ...native, buckets, wallets: [] });
  if (schedule.kind !== "schedule") throw new Error("the published schedule is valid");
  return schedule.schedule;
}

type Store = Map<string, { value: string; storedAtMs: number }>;

/** A deployment's figures over a node, a listing, a store and a webhook that can each be made to fail. */
function deployment(
  settings: Record<string, string> = {},
  rows: unknown[] = [{ ...OWN, source: "operator" }],
  store: Store = new Map(),
) {
  const config = parseConfig({ STABLE_ASSET: "0xabc", ...settings });
  if (config.kind === "problems") throw new Error(config.problems.join());
  const assets = assetsOf(config.config);
  if ("problems" in assets) throw new Error(assets.problems.join());
  const world = {
    nodeUp: true,
    nodeHangs: false,
    historyThrows: false,
    nodesUnreported: false,
    webhookHangs: false,
    listingUp: true,
    limiterUp: true,
    total: TOTAL,
    decimals: 8,
    stable: 5_000_000n,
    rows,
    /** What each upstream answers at an explicit version. */
    confirmed: [] as (readonly unknown[])[],
  };
  const calls = { views: 0, listings: 0, heartbeats: 0 };
  const logged: { event: string; detail: Readonly<Record<string, unknown>> }[] = [];
  const notices: Notice[] = [];
  const recorded: Recorded = { figures: [], rates: [], changes: [] };
  const down = { kind: "unavailable", message: "https://secret.example is down", retryAfterSeconds: 1 } as const;
  const newIsolate = () =>
    figures({
      assets,
      config: config.config,
      schedule: parsed(),
      readView: async (call) => {
        calls.views += 1;
        if (world.nodeHangs) return new Promise(() => undefined);
        if (!world.nodeUp) return { kind: "unavailable" };
        const coin = call.function.startsWith("0x1::coin::");
        const returned = call.function.endsWith("::supply")
          ? { vec: [String(coin ? world.total : world.stable)] }
          : coin
            ? world.decimals
            : 6;
        return { kind: "returned", values: [returned], ledgerVersion: 120n, ageSeconds: 0 };
      },
      confirmView: async () => world.confirmed,
      fetchListing: () => async (_limits, take) => {
        calls.listings += 1;
        if (!world.listingUp) return down;
        take(new TextEncoder().encode(JSON.stringify({ data: world.rows })));
        return { kind: "answer", status: 200 };
      },
      lastGood: {
        get: async (name) => store.get(name) ?? null,
        put: async (name, value, storedAtMs) => {
          store.set(name, { value, storedAtMs });
        },
        putSometimes: async (name, value, storedAtMs) => {
          store.set(name, { value, storedAtMs });
        },
      },
      upstreamHealth: async () => ({
        chainReplaced: null,
        upstreams: [
          {
            label: "upstream-1",
            reachable: world.nodeUp,
            ledgerVersion: world.nodeUp ? "120" : null,
            lag: world.nodeUp ? "0" : null,
            breaker: world.nodeUp ? "closed" : "open",
            distrust: null,
            isOutdated: false,
          },
        ],
        // A report of another form.
        ...(world.nodesUnreported ? { upstreams: undefined as never } : {}),
      }),
      readTip: async () => (world.nodeUp ? "current" : "unavailable"),
      limiterState: async () => ({
        limiterObjects: [{ region: "world", responds: world.limiterUp, revision: null }],
        fullShards: [],
      }),
      postNotice: async (notice) => {
        notices.push(notice);
        return world.webhookHangs ? new Promise<never>(() => undefined) : true;
      },
      postHeartbeat: async () => {
        calls.heartbeats += 1;
        return true;
      },
      historyStore: {
        ...memoryHistory(recorded),
        ...(world.historyThrows ? { record: () => Promise.reject(new Error("history")) } : {}),
      },
      readAsset: async () => undefined,
      // A turn of the event loop for each half second, so that deadlines keep their order.
      pause: async (milliseconds) => {
        for (let passed = 0; passed <= milliseconds; passed += 500) await new Promise((next) => setImmediate(next));
      },
      log: (event, detail) => logged.push({ event, detail }),
    });
  let isolate = newIsolate();
  let nowMs = START;
  const behind: Promise<unknown>[] = [];
  const when = () => ({ nowMs, waitUntil: (work: Promise<unknown>) => void behind.push(work) });
  return {
    world,
    calls,
    logged,
    notices,
    recorded,
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    evict: () => {
      isolate = newIsolate();
    },
    total: async () => (await isolate.onChain(when())).total,
    check: () => isolate.check(when()),
    get: async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
      const route = isolate.routes.find((each) => each.path === path.split("?")[0]);
      if (route === undefined) throw new Error(`nothing at ${path}`);
      const request = new Request(`https://edge.test${path}`, { headers });
      const query = path.split("?")[1] ?? "";
      const outcome = await route.handler({
        ...when(),
        request,
        method: "GET",
        path,
        query,
        params: {},
        requestId: "test-1",
      });
      await Promise.all(behind.splice(0));
      return answerOf(outcome.kind === "reply" ? applyConditional(outcome, request) : outcome);
    },
  };
}

interface Answer {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

function answerOf(outcome: Outcome): Answer {
  return outcome.kind === "reply"
    ? { status: outcome.status, headers: outcome.headers, text: String(outcome.body) }
    : { status: outcome.kind, headers: {}, text: JSON.stringify(outcome) };
}

test("a chain that hangs does not delay the other figures: a stored value is served, or none", async () => {
  const { world, total, pass } = deployment();
  world.nodeHangs = true;
  expect(await total()).toMatchObject({ kind: "unavailable", reason: "the upstream has not answered in time" });
  world.nodeHangs = false;
  expect(await total()).toMatchObject({ kind: "cached", origin: "fetched" });
  pass(20);
  world.nodeHangs = true;
  expect(await total()).toMatchObject({ origin: "upstream_failed", ageSeconds: 20, value: { baseUnits: TOTAL } });
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
    const { get, world, pass } = deployment();
    const first = await get("/api/total-supply");
    const tag = { "If-None-Match": first.headers["ETag"] ?? "" };
    pass(60);
    expect(await get("/api/total-supply", tag)).toMatchObject({ status: 304 });
    expect(await get("/api/total-supply?format=plain", tag)).toMatchObject({ status: 200 });
    world.total += 100_000_000n;
    pass(60);
    expect(await get("/api/total-supply", tag)).toMatchObject({ status: 200, text: "970000001" });
  });

  test("are served stale for an hour while no node answers, then are unavailable, never zero", async () => {
    const { get, world, pass, evict } = deployment();
    await get("/api/total-supply");
    world.nodeUp = false;
    pass(3_600);
    evict();
    const old = await get("/api/total-supply");
    expect(old).toMatchObject({ status: 200, text: "970000000" });
    expect(old.headers).toMatchObject({ Age: "3600", "Cache-Status": "edge; hit; ttl=-3595; detail=upstream-failed" });
    pass(10);
    const expired = await get("/api/total-supply");
    expect(expired.status).toBe("unavailable");
    expect(expired.text).not.toContain("secret");
    world.nodeUp = true;
    pass(10);
    expect(await get("/api/total-supply")).toMatchObject({ status: 200 });
  });

  const NODES = { NODE_URLS: "https://node.example/key-1/v1" };
  const CHAIN_4 = { ...NODES, CHAIN_ID: "4" };
  test.each([
    ["the same settings", {}, {}, 200],
    ["another asset", {}, { STABLE_ASSET: "0xdef" }, "unavailable"],
    ["another key in the node's address", CHAIN_4, { NODE_URLS: "https://node.example/key-2/v1" }, 200],
    ["another key, its chain learned", NODES, { NODE_URLS: "https://node.example/key-2/v1" }, 200],
    ["one more node", CHAIN_4, { NODE_URLS: `${NODES.NODE_URLS},https://other.example/v1` }, 200],
    ["nodes instead of the embedded one", {}, NODES, "unavailable"],
    ["another chain", CHAIN_4, { CHAIN_ID: "9" }, "unavailable"],
  ])("stored values outlive an outage and a deployment with %s: %#", async (_change, first, change, status) => {
    const store: Store = new Map();
    const before = deployment(first, undefined, store);
    expect(await before.get("/api/stable-supply")).toMatchObject({ status: 200, text: "5" });
    const after = deployment({ ...first, ...change }, undefined, store);
    after.world.nodeUp = false;
    after.pass(45);
    const answer = await after.get("/api/stable-supply");
    expect(answer).toMatchObject({ status });
    if (status === 200) expect(answer.headers["Age"]).toBe("45");
  });

  test("do not include a stable supply where no stable token is configured", async () => {
    const { get } = deployment({ STABLE_ASSET: "", NODE_URLS: "https://node.example/v1" });
    expect(await get("/api/stable-supply")).toMatchObject({ status: "unknown_path" });
    expect(await get("/api/total-supply")).toMatchObject({ status: 200 });
  });
});

// Stored values are read without validation: another form needs another number in their keys.
test("the forms of stored values are those of the numbers in their keys", async () => {
  const store: Store = new Map();
  const { get, check } = deployment({}, undefined, store);
  await check();
  await get("/api/rates");
  const stored = Object.fromEntries(
    [...store].map(([key, { value }]) => [key.replace(/(?<=-\d+)-.*/, ""), JSON.parse(value)]),
  );
  expect(Object.keys(stored).sort()).toEqual(["health-2", "rates-3", "stable_supply-3", "total_supply-3"]);
  expect(stored["total_supply-3"]).toEqual({
    value: {
      baseUnits: { bigint: String(TOTAL) },
      burned: { bigint: "0" },
      decimals: 8,
      ledgerVersion: { bigint: "120" },
    },
    doubts: [],
  });
  expect(stored["rates-3"]).toEqual({ value: [{ ...OWN, source: "operator" }], doubts: [] });
  expect(Object.keys(stored["health-2"])).toEqual(["condition", "sinceMs", "reported"]);
});

describe("the yield listing", () => {
  test("has its age, its count and its products", async () => {
    const { get } = deployment();
    const answer = await get("/api/rates");
    expect(JSON.parse(answer.text)).toEqual({ as_of: "2026-11-21T02:00:00Z", count: 1, data: [OWN] });
    expect(answer.headers).toMatchObject({ Age: "0", "Cache-Control": "public, max-age=60" });
    expect(await get("/api/rates", { "If-None-Match": answer.headers["ETag"] ?? "" })).toMatchObject({ status: 304 });
  });

  test.each([
    ["local", 200],
    ["staging", 200],
    ["production", "unavailable"],
  ])("of samples in %s: %s", async (ENVIRONMENT, status) => {
    const upstreams = { NODE_URLS: "https://node.example/v1", RATES_URL: "https://rates.example/", CHAIN_ID: "4" };
    expect(
      await deployment({ ENVIRONMENT, ...upstreams }, [{ ...OWN, source: "sample" }]).get("/api/rates"),
    ).toMatchObject({ status });
  });
});

describe("one bad reading", () => {
  const UPSTREAMS = { NODE_URLS: "https://node.example/v1" };
  const MAXIMUM = 100_000_000_000_000_000n;
  const reportOf = async (place: ReturnType<typeof deployment>) => JSON.parse((await place.get("/api/health")).text);

  test.each([
    ["five times the maximum", 5n * MAXIMUM, "is above the maximum supply"],
    ["the largest number", 2n ** 128n - 1n, "is above the maximum supply"],
    ["zero", 0n, "is zero"],
  ])("of %s is never a total, also at the first reading, nor in the history", async (_what, lie, reason) => {
    const place = deployment(UPSTREAMS);
    place.world.total = lie;
    expect(await place.get("/api/total-supply")).toMatchObject({
      status: "unavailable",
      text: expect.stringContaining(reason),
    });
    await place.check();
    expect(place.recorded.figures.map(({ figure }) => figure)).toEqual(["stable_supply"]);
    place.world.total = TOTAL;
    place.pass(10);
    expect(await place.get("/api/total-supply")).toMatchObject({ status: 200, text: "970000000" });
    place.world.total = lie;
    place.pass(600);
    place.evict();
    expect(await place.get("/api/total-supply")).toMatchObject({
      status: 200,
      text: "970000000",
      headers: { Age: "600" },
    });
    expect((await reportOf(place)).problems).toMatchObject([
      { code: "figure_stale", message: expect.stringContaining(reason) },
    ]);
    place.pass(3_600);
    expect(await place.get("/api/total-supply")).toMatchObject({ status: "unavailable" });
  });

  test("far from the last good one is neither served nor recorded, until a second one a minute later", async () => {
    const place = deployment(UPSTREAMS);
    await place.get("/api/total-supply");
    place.pass(86_400);
    place.evict();
    place.world.total = 90_000_000_000_000_000n;
    await place.check();
    expect(await place.get("/api/total-supply")).toMatchObject({ status: "unavailable" });
    expect(place.recorded.figures.map(({ figure }) => figure)).toEqual(["stable_supply"]);
    place.pass(60);
    place.evict();
    await place.check();
    expect(await place.get("/api/total-supply")).toMatchObject({ status: 200, text: "900000000" });
    expect(place.recorded.figures).toMatchObject([{ figure: "stable_supply" }, { baseUnits: "90000000000000000" }]);
  });

  test("while the last good one may be served: its age, and a problem that names the figure", async () => {
    const place = deployment(UPSTREAMS);
    await place.get("/api/total-supply");
    place.world.total = 90_000_000_000_000_000n;
    place.pass(30);
    expect(await place.get("/api/total-supply")).toMatchObject({ text: "970000000", headers: { Age: "30" } });
    expect((await reportOf(place)).problems).toMatchObject([{ code: "figure_unconfirmed", subject: "total_supply" }]);
    place.world.confirmed = [[{ vec: ["90000000000000000"] }], [{ vec: ["90000000000000000"] }]];
    place.pass(10);
    expect(await place.get("/api/total-supply")).toMatchObject({ text: "900000000", headers: { Age: "0" } });
    expect((await reportOf(place)).problems).toEqual([]);
  });

  test("of one APY keeps that product's last good rates, records none of it, and health names it", async () => {
    const rows = [
      { ...OWN, source: "operator" },
      { ...OWN, id: "vault", order: 2, apy: 5, apy_base: 5, apy_reward: 0 },
    ];
    const place = deployment(UPSTREAMS, rows);
    await place.get("/api/rates");
    place.pass(86_400);
    place.world.rows = [rows[0], { ...rows[1], apy: 999_999, apy_base: 999_999 }];
    await place.check();
    const served = async () => {
      const { data } = JSON.parse((await place.get("/api/rates")).text);
      return data.map(({ id, apy }: { id: string; apy: number }) => [id, apy]);
    };
    expect(await served()).toEqual([
      ["native-staking", 7.5],
      ["vault", 5],
    ]);
    expect(place.recorded.rates.map(({ product, apy }) => [product, apy])).toEqual([["native-staking", 7.5]]);
    expect((await reportOf(place)).problems).toMatchObject([
      { code: "figure_unconfirmed", subject: "rates", message: expect.stringContaining("vault") },
    ]);
    place.world.rows = rows;
    place.pass(90);
    await place.check();
    expect(place.recorded.rates.map(({ product, apy }) => [product, apy])).toEqual([
      ["native-staking", 7.5],
      ["vault", 5],
    ]);
    expect((await reportOf(place)).problems).toEqual([]);
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
    expect(body.figures).toEqual([
      { name: "max_supply", available: true, age_seconds: 0, bound_seconds: null },
      { name: "circulating_supply", available: true, age_seconds: 0, bound_seconds: null },
      { name: "total_supply", available: true, age_seconds: 0, bound_seconds: 3_600 },
      { name: "stable_supply", available: true, age_seconds: 0, bound_seconds: 3_600 },
      { name: "rates", available: true, age_seconds: 30, bound_seconds: 86_400 },
    ]);
  });

  test("is degraded while last good values are served, and failing when one has expired", async () => {
    const place = deployment();
    await report(place);
    place.world.nodeUp = false;
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
    place.world.nodeUp = true;
    place.pass(10);
    expect(await report(place)).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  test("is reported while the object that reports the nodes is one of another version", async () => {
    const place = deployment();
    place.world.nodesUnreported = true;
    expect(await report(place)).toMatchObject({ status: 200, problems: [], body: { upstreams: [] } });
  });

  describe("a part of the hourly check that fails stops no other:", () => {
    const failed = ({ logged }: ReturnType<typeof deployment>) =>
      logged.filter(({ event }) => event === "check_failed").map(({ detail }) => detail["part"]);

    test("with a node that hangs the rates are renewed and recorded, and the change is posted", async () => {
      const place = deployment();
      place.world.nodeHangs = true;
      await place.check();
      expect(place.calls.views).toBeGreaterThan(0);
      expect([place.calls.listings, place.recorded.rates.length, place.calls.heartbeats]).toEqual([1, 1, 0]);
      expect(place.notices).toMatchObject([{ status: "failing", reason: expect.stringContaining("total_supply") }]);
      expect(failed(place)).toEqual(["total_supply", "stable_supply"]);
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
    place.world.nodeUp = false;
    place.pass(1_800);
    place.evict();
    expect(await place.get("/api/total-supply")).toMatchObject({ status: 200, headers: { Age: "1800" } });
    await place.check();
    place.pass(3_600);
    await place.check();
    place.pass(3_600);
    place.evict();
    await place.check();
    place.world.nodeUp = true;
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

test.each([
  [{ STABLE_ASSET: "0x1::a::B<0x1::c::D" }, ["STABLE_ASSET"]],
  [{ NATIVE_ASSET: "0x1::a::B<<>" }, ["NATIVE_ASSET"]],
])("%o does not start", (settings, names) => {
  const config = parseConfig(settings);
  const found = config.kind === "problems" ? config : assetsOf(config.config);
  expect("problems" in found && found.problems.map((problem) => problem.split(" ")[0])).toEqual(names);
});
