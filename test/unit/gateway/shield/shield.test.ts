import { beforeEach, describe, expect, test } from "vitest";
import type { LedgerPoint } from "../../../../src/chain/ledger-point.ts";
import { responseLru } from "../../../../src/gateway/cache/store.ts";
import type { NodeRequest } from "../../../../src/gateway/model/node-types.ts";
import type { ShieldRequest, ShieldResult } from "../../../../src/gateway/shield/messages.ts";
import { newestAnswer, shieldOver } from "../../../../src/gateway/shield/shield.ts";
import { TipWatch } from "../../../../src/gateway/shield/tip-watch.ts";
import { ChainWatch } from "../../../../src/gateway/upstream/chain-watch.ts";
import type { Exchange } from "../../../../src/gateway/upstream/client.ts";
import { callUpstreams } from "../../../../src/gateway/upstream/failover.ts";
import { LEDGER_INFO, update } from "../../../../src/gateway/upstream/upstreams.ts";
import { requestFor } from "../requests.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf as nodeResponse } from "../upstream/nodes.ts";

const TIP = "/v1/accounts/0x1";
const OTHER = "/v1/accounts/0x2";
const FINAL = "/v1/transactions/by_version/7";
const recordTarget = { object: "o", region: "weur", key: "k" } as const;
/** An unused connection of a caller. */
const unused: Exchange = async () => errorOf("connect");
const at = (version: bigint, era = 0): LedgerPoint => ({ era, version });

let world: NodeWorld;
let chain: ChainWatch;
let answer: ReturnType<typeof shieldOver>;
let lentTo: Set<Exchange>[];
let noted: LedgerPoint[];
/** Answer of a caller's object to a recorded point: the newest point seen; null: no answer. */
let seenBy: ((point: LedgerPoint) => LedgerPoint | null) | null;
let lookedUpAtMs: number[];
let lookedUpFrom: bigint[];

beforeEach(() => {
  world = new NodeWorld(1);
  [lentTo, noted, seenBy, lookedUpAtMs, lookedUpFrom] = [[], [], (point) => point, [], []];
  const { now, sleep } = world.time;
  chain = new ChainWatch({
    now,
    chainId: 4,
    upstreams: world.pool.upstreams,
    report: async () => null,
    background: (work) => void world.background.push(work),
    onEra: () => undefined,
  });
  const watch = new TipWatch({
    now,
    sleep,
    pool: world.pool,
    era: () => chain.era,
    lookUp: async (version) => {
      lookedUpAtMs.push(now());
      lookedUpFrom.push(version);
      await callUpstreams(LEDGER_INFO, { ...world.ports, era: chain.era }, version);
    },
  });
  answer = shieldOver({
    now,
    pool: world.pool,
    chain,
    watch,
    memory: responseLru(1_000_000),
    staleIfErrorSeconds: 30,
    call: (request, floor, lent) => {
      lentTo.push(lent);
      return callUpstreams(request, { ...world.ports, era: chain.era }, floor);
    },
    record: async (_target, point) => {
      noted.push(point);
      return seenBy?.(point) ?? null;
    },
  });
});

const requesting = (request: NodeRequest, more: Partial<ShieldRequest> = {}): ShieldRequest => ({
  request,
  era: 0,
  recent: null,
  floor: null,
  offered: null,
  recordTarget: null,
  ...more,
});
const read = async (path: string, more: Partial<ShieldRequest> = {}): Promise<ShieldResult> =>
  world.time.run(answer(requesting(await requestFor("GET", path), more), unused));
const source = ({ found }: ShieldResult): string => (found.kind === "found" ? found.source : "down");
const version = ({ found }: ShieldResult) => (found.kind === "found" ? found.value.ledger?.version : undefined);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("equal reads in progress", () => {
  test("are one upstream call, over the connections of all who wait", async () => {
    const request = await requestFor("GET", TIP);
    const answers = Array.from({ length: 1_000 }, () => answer(requesting(request), async () => errorOf("connect")));
    await turn();
    expect(lentTo.map((lent) => lent.size)).toEqual([1_000]);
    const sources = (await world.time.run(Promise.all(answers))).map(source);
    expect([world.node(0).calls("/accounts/0x1"), sources.filter((each) => each === "collapsed").length]).toEqual([
      1, 999,
    ]);
  });

  test("are not joined with an older response than the caller may see", async () => {
    const request = await requestFor("GET", TIP);
    const early = answer(requesting(request), unused);
    await turn();
    void world.time.sleep(11).then(() => (world.node(0).version = 1_001n));
    const late = answer(requesting(request, { floor: at(1_001n) }), unused);
    expect((await world.time.run(Promise.all([early, late]))).map(version)).toEqual([1_000n, 1_001n]);
  });

  test("of a large body are a call each, over the own connection", async () => {
    const request = await requestFor("GET", "/v1/accounts/0x1/resources");
    world.node(0).fault = ({ endpoint }) => {
      if (endpoint !== "account_resources") return null;
      const response = {
        ...nodeResponse([], ledgerAt(1_000n)),
        large: { length: 2_000_000, stream: new ReadableStream() },
      };
      const classification = { kind: "current", revealsVersion: 1_000n } as const;
      return { kind: "response", response, classification, dialect: "node" };
    };
    const answers = [answer(requesting(request), unused), answer(requesting(request), async () => errorOf("timeout"))];
    expect((await world.time.run(Promise.all(answers))).map(source)).toEqual(["upstream", "upstream"]);
    expect([world.node(0).requestPaths.length, lentTo.map((lent) => lent.size)]).toEqual([2, [2, 1]]);
  });
});

describe("on a quiet chain", () => {
  // Its version has been reported after 10 ms, and again after 20.
  beforeEach(async () => {
    for (const path of [TIP, OTHER]) await read(path);
  });

  test.each<[string, number, unknown]>([
    ["one look-up of the tip serves all keys", 4_990, [["shield", "shield"], 1]],
    [
      "that moved five seconds ago the key itself is read: it has probably moved again",
      4_989,
      [["upstream", "shield"], 0],
    ],
    ["a response of the last second needs neither", 900, [["shield", "shield"], 0]],
  ])("%s", async (_what, milliseconds, expected) => {
    await world.time.pass(milliseconds);
    expect([[source(await read(TIP)), source(await read(OTHER))], lookedUpAtMs.length]).toEqual(expected);
  });

  test("a look-up in progress is joined", async () => {
    await world.time.pass(5_000);
    const reads = [TIP, OTHER].map(async (path) => answer(requesting(await requestFor("GET", path)), unused));
    expect((await world.time.run(Promise.all(reads))).map(source)).toEqual(["shield", "shield"]);
    expect(lookedUpAtMs).toHaveLength(1);
  });
});

test("an immutable response is served after one call, whatever version its caller has seen", async () => {
  expect(source(await read(FINAL, { floor: at(5_000n) }))).toBe("upstream");
  await world.time.pass(60_000);
  expect([source(await read(FINAL)), world.node(0).calls("/transactions/by_version/7")]).toEqual(["shield", 1]);
});

describe("while no upstream answers", () => {
  beforeEach(async () => {
    await read(TIP);
    await world.time.pass(2_000);
    world.node(0).fault = () => errorOf("connect");
  });

  test("the last good response is served for its bound, with its age", async () => {
    const startedAtMs = world.time.nowMs;
    const { found } = await read(TIP);
    const failedMs = world.time.nowMs - startedAtMs;
    expect(failedMs, "the node was tried for a while").toBeGreaterThan(0);
    expect(found).toMatchObject({ source: "stale", ageMs: 2_000 + failedMs });
    expect(source(await read(OTHER))).toBe("down");
    await world.time.pass(29_000);
    expect(source(await read(TIP))).toBe("down");
  });

  test("but not below what its caller has seen, and not of another era", async () => {
    expect(source(await read(TIP, { floor: at(1_001n) }))).toBe("down");
    expect(source(await read(TIP, { era: 7 }))).toBe("down");
  });
});

describe("a floor above every upstream's version", () => {
  test("is waited for, for about a second, in which no upstream below the newest version counts", async () => {
    const startedAtMs = world.time.nowMs;
    expect((await read(TIP, { floor: at(1_001n) })).found).toMatchObject({ kind: "down", why: "lagging" });
    expect(world.time.nowMs - startedAtMs).toBeGreaterThanOrEqual(1_200);
    expect(world.time.nowMs - startedAtMs).toBeLessThan(1_500);
    expect(lookedUpFrom).toEqual([1_000n, 1_000n]);
  });

  test.each<[string, number, number, () => unknown]>([
    ["its look-up once a second", 0, 1_050, () => undefined],
    ["its look-up, even if the clock was set back an hour", 3_600_000, 1_050, () => undefined],
    ["another read", 0, 350, () => read(OTHER)],
  ])("is found by %s", async (_what, setBackMs, withinMs, meanwhile) => {
    await read(TIP, { floor: at(1_001n) });
    world.time.nowMs -= setBackMs;
    const startedAtMs = world.time.nowMs;
    void world.time.sleep(300).then(() => {
      world.node(0).version = 1_001n;
      return meanwhile();
    });
    let waitedMs = 0;
    world.node(0).fault = ({ path }) => {
      if (path === "/accounts/0x1") waitedMs = world.time.nowMs - startedAtMs;
      return null;
    };
    expect(version(await read(TIP, { floor: at(1_001n) }))).toBe(1_001n);
    expect(waitedMs).toBeLessThan(withinMs);
  });

  test("costs at most one look-up a second, for any number of callers and versions", async () => {
    const request = await requestFor("GET", TIP);
    for (let round = 0; round < 10; round += 1) {
      const floors = Array.from({ length: 20 }, (_none, index) => at(10n ** 15n + BigInt(index)));
      await world.time.run(Promise.all(floors.map((floor) => answer(requesting(request, { floor }), unused))));
      // The next round arrives a millisecond before the second is over.
      await world.time.pass((lookedUpAtMs.at(-1) ?? 0) + 989 - world.time.nowMs);
    }
    const gaps = lookedUpAtMs.slice(1).map((atMs, index) => atMs - (lookedUpAtMs[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBe(1_000);
  });

  test("is not looked up when it is known, and the read is repeated three times in that second", async () => {
    world.node(0).version = 1_001n;
    await read(TIP);
    world.node(0).version = 1_000n;
    expect((await read(OTHER, { floor: at(1_001n) })).found).toMatchObject({ kind: "down", why: "lagging" });
    expect([lookedUpAtMs, world.node(0).calls("/accounts/0x2")]).toEqual([[], 4]);
  });

  test("is not when no upstream responds: none lags", async () => {
    world.node(0).fault = () => errorOf("too_large");
    expect((await read(TIP, { floor: at(1_001n) })).found).toMatchObject({ kind: "down", why: "too_large" });
    expect(lookedUpAtMs).toEqual([]);
  });

  test("begins a new era after 45 s, and then binds nothing", async () => {
    await read(TIP, { floor: at(9_000n) });
    await world.time.pass(43_000);
    await read(TIP, { floor: at(9_000n) });
    expect(chain.era).toBe(0);
    await world.time.pass(2_000);
    await read(TIP, { floor: at(9_000n) });
    await world.settle();
    expect(chain.era).toBeGreaterThan(0);
    expect(version(await read(TIP, { floor: at(9_000n) }))).toBe(1_000n);
  });
});

test("a response from before the chain was replaced belongs to the old era, and is not stored", async () => {
  const early = answer(requesting(await requestFor("GET", FINAL)), unused);
  await turn();
  chain.learn(7, ledgerAt(1n));
  expect(await world.time.run(early)).toMatchObject({ found: { value: { era: 0 } }, tip: null });
  world.node(0).version = 8n;
  const late = await read(FINAL);
  expect(late).toMatchObject({ found: { source: "upstream" }, tip: { era: 7, ledger: { version: 8n } } });
  expect(source(await read(FINAL))).toBe("shield");
});

describe("what a response reveals is recorded for its caller before it leaves", () => {
  test.each<[string, string, LedgerPoint | null, LedgerPoint | null, bigint[]]>([
    ["a response at the tip, its point", TIP, null, at(1_000n), [1_000n]],
    ["a response at the tip, even when that was offered", TIP, at(1_000n), at(1_000n), [1_000n]],
    ["an immutable one, the point that its headers name", FINAL, null, at(1_000n), [1_000n]],
    ["an immutable one covered by what was offered, nothing more", FINAL, at(7n), at(7n), []],
    ["an immutable one above what was offered, its point", FINAL, at(6n), at(1_000n), [1_000n]],
  ])("%s", async (_what, path, offered, point, notes) => {
    expect((await read(path, { recordTarget, offered })).found).toMatchObject({ recorded: point });
    expect(noted.map((each) => each.version)).toEqual(notes);
  });

  test("also when it was stored", async () => {
    await read(TIP);
    expect((await read(TIP, { recordTarget })).found).toMatchObject({ source: "shield", recorded: at(1_000n) });
    expect(noted).toEqual([at(1_000n)]);
  });

  test("and not sent when the caller has seen a newer one, but read again at that floor", async () => {
    await read(TIP);
    world.node(0).version = 1_005n;
    seenBy = (point) => (point.version < 1_003n ? at(1_003n) : point);
    const result = await read(TIP, { recordTarget });
    expect([source(result), version(result)]).toEqual(["upstream", 1_005n]);
  });

  test.each([
    ["without a caller", null],
    ["while the caller's object does not respond", recordTarget],
  ])("%s the isolate is told that it was not", async (_when, target) => {
    seenBy = null;
    expect((await read(TIP, { recordTarget: target })).found).toMatchObject({ kind: "found", recorded: null });
  });
});

test("the newest ledger is the highest that an upstream reported in the last ten seconds", () => {
  const { pool } = new NodeWorld(4);
  const reports = [
    { ledger: ledgerAt(7n), respondedAtMs: 90_001 },
    { ledger: ledgerAt(9n), respondedAtMs: 90_001 },
    { ledger: ledgerAt(8n), respondedAtMs: 100_000 },
    { ledger: ledgerAt(20n), respondedAtMs: 90_000 },
  ];
  for (const [index, upstream] of pool.upstreams.entries()) update(upstream, reports[index] ?? {});
  expect(newestAnswer(pool, 100_000)).toEqual(ledgerAt(9n));
  expect(newestAnswer(pool, 120_000)).toBeNull();
});
