import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashOf } from "../support/fake-chain.ts";
import type { FakeNode, NodeRequest } from "../support/fake-node.ts";
import { type FarEdge, startFarEdge } from "../support/far-edge.ts";
import { accounts, callersOf, livingNodes } from "../support/far-edge-callers.ts";
import { wasLimiterLate } from "../support/late-limiter.ts";
import { SLOW } from "../support/runtime.ts";

let node: FakeNode;
let laggard: FakeNode;
let far: FarEdge;

beforeAll(async () => {
  [node, laggard] = await livingNodes();
  // No deadline passes, and two reads in a row are within the second for which a tip is fresh, also on a busy machine.
  far = await startFarEdge([node.url, laggard.url], {}, SLOW);
});
afterAll(async () => {
  await far.close();
  await Promise.all([node.stop(), laggard.stop()]);
});
beforeEach(async () => {
  node.fault = laggard.fault = () => null;
  node.delayMs = laggard.delayMs = 0;
  laggard.version = node.version;
  await far.set({ isolateToObjectMs: 20, objectToObjectMs: 10, jitter: 0, isLimiterHanging: false });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const { newCaller, get, getAll } = callersOf(() => far);

/** Background calls that check whether the chain was replaced. */
const BACKGROUND: readonly string[] = ["object upstream.chain", "object home.chain"];

/** The objects' calls for requests since the last time: to one another and to upstreams. */
async function objectCalls(): Promise<Record<string, number>> {
  const counts = await far.takeCounts();
  const isOfRequest = (name: string): boolean => name.startsWith("object ") && !BACKGROUND.includes(name);
  return Object.fromEntries(Object.entries(counts).filter(([name]) => isOfRequest(name)));
}

/** Every isolate and every shard has recognized the chain and knows the tip. */
async function everyShardKnowsTheTip(): Promise<void> {
  for (const [index, path] of accounts(0xf00, 144).entries()) await get(index, path);
}

test("a cold read in an active region is one upstream call, for any object that it starts", async () => {
  await everyShardKnowsTheTip();
  await far.restart();
  await get(0, "/v1/accounts/0x7000");
  await pause(1_000);
  const paths = accounts(0x7001, 48);
  await far.takeCounts();
  const seen = await getAll(paths);
  expect(seen.every(({ status, cache }) => status === 200 && cache.includes("fwd=miss"))).toBe(true);
  const nodes = [node, laggard];
  expect(paths.map((path) => nodes.reduce((sum, each) => sum + each.calls(path.slice("/v1".length)), 0))).toEqual(
    paths.map(() => 1),
  );
  const counts = await far.takeCounts();
  const started = counts["object home.chain"] ?? 0;
  expect(started, "idle objects were really started").toBeGreaterThan(3);
  expect(counts["object upstream.chain"] ?? 0, "each recognizes the chain once").toBeLessThanOrEqual(2 * (started + 1));
});

describe("the calls of a request", () => {
  beforeAll(everyShardKnowsTheTip);

  test("from the schedule: one call", async () => {
    await get(0, "/api/circulating-supply");
    expect((await get(0, "/api/circulating-supply")).calls).toBe("limiter.take=1");
  });

  test.each([
    ["immutable", "/v1/transactions/by_version/5"],
    ["at the tip", "/v1/accounts/0x7"],
  ])("a hit, %s: one call, and none between objects", async (_kind, path) => {
    const first = await get(1, path);
    expect(first.calls, "the first one is no hit: the control").toBe("limiter.take=1 shield.answer=1");
    await objectCalls();
    const hit = await get(1, path);
    expect([hit.calls, hit.cache]).toEqual(["limiter.take=1", expect.stringContaining("detail=memory")]);
    expect(await objectCalls()).toEqual({});
  });

  test("an immutable miss: two calls, one of an upstream, and none between objects", async () => {
    await objectCalls();
    expect((await get(2, "/v1/transactions/by_version/77")).calls).toBe("limiter.take=1 shield.answer=1");
    expect(await objectCalls()).toEqual({ "object upstream": 1 });
  });

  test("a tip miss on a chain that moved: two calls, one of an upstream, one between objects", async () => {
    node.version += 1n;
    laggard.version = node.version;
    await objectCalls();
    const miss = await get(0, "/v1/accounts/0xabc1");
    expect([miss.calls, miss.version]).toEqual(["limiter.take=1 shield.answer=1", node.version]);
    expect(await objectCalls()).toEqual({ "object upstream": 1, "object limiter.recordSeen": 1 });
  });

  test("a long poll that finds a commit: two calls and one of an upstream, none between objects", async () => {
    node.version += 1n;
    laggard.version = node.version;
    await objectCalls();
    const path = `/v1/transactions/wait_by_hash/${hashOf(node.version)}`;
    expect((await get(0, path)).calls).toBe("limiter.take=1 upstream=1 limiter.recordSeen=1");
    expect(await objectCalls()).toEqual({});
  });

  test("a submit: one call, and the isolate's call to an upstream", async () => {
    await get(0, "/v1/transactions", newCaller(), { method: "POST", body: '{"warm":1}' });
    await objectCalls();
    const submit = await get(0, "/v1/transactions", newCaller(), { method: "POST", body: '{"n":1}' });
    expect([submit.status, submit.calls]).toEqual([202, "limiter.take=1 upstream=1"]);
    expect(await objectCalls()).toEqual({});
  });

  test("a submit after a read whose version the node has pruned: the same, without a probe of that node", async () => {
    node.oldest = 900n;
    const read = await get(0, "/v1/transactions/by_version/880");
    expect([read.status, node.calls("/transactions/by_version/880")], "it was really asked").toEqual([200, 1]);
    const submit = await get(0, "/v1/transactions", newCaller(), { method: "POST", body: '{"n":2}' });
    expect([submit.status, submit.calls]).toEqual([202, "limiter.take=1 upstream=1"]);
    node.oldest = 0n;
  });
});

describe("six connections", () => {
  // These requests wait for a slow node and not for a deadline, because the clock is still slow.
  /** More slow reads than the objects' own connections, which are 30, once they are under way. */
  async function overflow(first: number): Promise<{ readonly ended: Promise<unknown> }> {
    const paths = accounts(first, 180);
    const ended = getAll(paths);
    const isOne = ({ path }: NodeRequest) => paths.includes(`/v1${path}`);
    while (node.requests.filter(isOne).length < 100) await pause(10);
    return { ended };
  }

  /** The socket of a caller who reads a path, and may disconnect. */
  function reading(path: string): Socket {
    const { hostname, port } = new URL(far.urls[0] ?? "");
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    socket.write(`GET /v1${path} HTTP/1.1\r\nHost: edge\r\nCF-Connecting-IP: ${newCaller()}\r\n\r\n`);
    return socket;
  }

  test("240 different cold reads are sent at once, although one object has six", async () => {
    const faultsLogged = () => far.log().match(/"event":"(upstream_error|upstreams_down)"/g)?.length ?? 0;
    const before = faultsLogged();
    const isOne = ({ path }: NodeRequest) => path.startsWith("/accounts/0x100");
    const sent = () => [node, laggard].flatMap((each) => each.requests.filter(isOne)).length;
    let answerAll = () => {};
    node.held = laggard.held = new Promise<void>((resolve) => (answerAll = resolve));
    const reads = getAll(accounts(0x10_000, 240));
    await expect.poll(sent, { message: "connections of callers are lent" }).toBeGreaterThan(100).finally(answerAll);
    const seen = await reads;
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
    expect(sent()).toBe(240);
    expect(faultsLogged(), "waiting for a connection is not an upstream error").toBe(before);
  });

  test("120 long polls that hang delay no read", async () => {
    const isPoll = ({ path }: NodeRequest) => path.includes("wait_by_hash");
    // A poll for which the first node is slow goes to the other one.
    for (const each of [node, laggard]) each.fault = (request) => (isPoll(request) ? "hang" : null);
    const waiting = new AbortController();
    const ended: unknown[] = [];
    const polls = Array.from({ length: 120 }, (_none, index) =>
      get(index, `/v1/transactions/wait_by_hash/${hashOf(500_000n + BigInt(index))}`, newCaller(), {
        signal: waiting.signal,
      }).then(
        (seen) => ended.push(seen),
        (cause) => ended.push(cause),
      ),
    );
    const hanging = () => [node, laggard].flatMap(({ requests }) => requests.filter(isPoll)).length;
    while (hanging() < 100) await pause(20);
    const reads = await getAll(accounts(0x20_000, 24));
    expect(reads.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(ended, "the polls were still waiting").toEqual([]);
    waiting.abort();
    await Promise.all(polls);
  });

  test("when a lender disconnects, the next waiting caller lends its connection", async () => {
    await far.set({ connections: 6 });
    node.delayMs = 1_500;
    const { ended } = await overflow(0x30_000);
    const path = "/accounts/0x3ffff";
    const leader = reading(path);
    while (node.calls(path) === 0) await pause(5);
    const follower = get(1, `/v1${path}`);
    await pause(200);
    leader.resetAndDestroy();
    expect((await follower).status).toBe(200);
    expect(node.calls(path)).toBeLessThanOrEqual(2);
    await ended;
  });

  test("a caller that disconnects while its connection is used twice costs no other caller its own", async ({
    skip,
  }) => {
    node.delayMs = laggard.delayMs = 1_500;
    const { ended } = await overflow(0x50_000);
    const path = "/accounts/0x5ffff";
    /** Fails at once the request of the path that has this number. */
    const failing =
      (each: FakeNode, number: number): FakeNode["fault"] =>
      (request) => {
        const isFailing = request.path === path && each.calls(path) === number;
        // The leader's read lasts until its follower has joined it.
        each.delayMs = request.path !== path ? 1_500 : isFailing ? 0 : 6_000;
        return isFailing ? "not_json" : null;
      };
    // A probe follows an error, over the same connection as the next attempt. The follower's is then used twice.
    [node.fault, laggard.fault] = [failing(node, 1), failing(laggard, 2)];
    const leader = reading(path);
    while (laggard.calls(path) === 0) await pause(5);
    let isAnswered = false;
    const follower = get(1, `/v1${path}`).finally(() => (isAnswered = true));
    await pause(2_000);
    leader.resetAndDestroy();
    while (laggard.calls(path) < 2 && !isAnswered) await pause(5);
    if (isAnswered) skip("the machine was too slow: in two seconds no other caller had joined the first one's read");
    [node.fault, node.delayMs] = [() => null, 0];
    expect((await follower).status).toBe(200);
    const failures = [node, laggard].map(({ served }) => served.filter((kind) => kind === "not_json").length);
    expect(failures, "both really failed").toEqual([1, 1]);
    await ended;
  });

  test("a read whose only caller disconnects is not sent again", async () => {
    node.delayMs = 1_500;
    const { ended } = await overflow(0x40_000);
    const paths = accounts(0x4f_000, 20).map((path) => path.slice("/v1".length));
    const callers = paths.map(reading);
    while (paths.some((path) => node.calls(path) === 0)) await pause(5);
    for (const socket of callers) socket.resetAndDestroy();
    await ended;
    // A read that waited for an object's connection would have been sent by now.
    expect((await get(1, "/v1/accounts/0x4fffff")).status).toBe(200);
    expect(paths.map((path) => node.calls(path) + laggard.calls(path))).toEqual(paths.map(() => 1));
  });
});

describe("while the limiter's objects do not answer", () => {
  beforeAll(async () => {
    await far.close();
    far = await startFarEdge([node.url, laggard.url]);
  });

  test("a read waits for them once, and no longer after three failures", async ({ skip }) => {
    const address = newCaller();
    // No call for an earlier request is on its way, which would count as one of the three failures.
    await far.restart();
    await far.set({ isLimiterHanging: true });
    await objectCalls();
    const first = await get(0, "/v1/accounts/0x50", address);
    expect([first.status, first.calls]).toEqual([200, "limiter.take=1 shield.answer=1"]);
    // The object sends it after its answer.
    let recorded = 0;
    const isRecorded = async () => (recorded += (await objectCalls())["object limiter.recordSeen"] ?? 0);
    await expect.poll(isRecorded).toBe(1);
    for (let index = 1; index < 4; index += 1) await get(0, `/v1/accounts/0x5${index}`, address);
    await objectCalls();
    const sentAtMs = performance.now();
    const resting = await Promise.all([4, 5, 6].map((index) => get(0, `/v1/accounts/0x5${index}`, address)));
    const tookMs = performance.now() - sentAtMs;
    const waited = resting.filter(({ calls }) => calls !== "shield.answer=1");
    // Each second one read finds out, and waits a second for it.
    if (waited.length > 1 && tookMs > 2_000)
      skip(`the machine was too slow: three reads at once took ${Math.round(tookMs)} ms`);
    expect(waited.length, "at most the one that finds out").toBeLessThan(2);
    expect(await objectCalls()).not.toHaveProperty("object limiter.recordSeen");
    expect(wasLimiterLate(far.log()), "the log says so").toBe(true);
  });
});
