import { beforeEach, describe, expect, test } from "vitest";
import { keepProbing, probe, readLedgerOnce, suspect } from "../../../../src/gateway/upstream/probe.ts";
import { onExclusion, restMs, type Upstream, type UpstreamState } from "../../../../src/gateway/upstream/state.ts";
import { errorOf, NodeWorld, type SimulatedNode } from "./nodes.ts";

test("one probe at a time: requests that fail during a pause start no further probes", async () => {
  const world = new NodeWorld(1);
  const [upstream] = world.pool.upstreams;
  if (upstream === undefined) throw new Error("the world has one upstream");
  const node = world.node(0);
  node.fault = () => errorOf("connect");
  for (let failedRequest = 0; failedRequest < 10; failedRequest += 1) {
    suspect(upstream, world.ports);
    await world.time.pass(15);
  }
  // Probes take 10 ms and pause for 100 ms: the third is not out yet.
  expect([node.calls(""), upstream.state.failedProbes]).toEqual([2, 2]);
  await world.settle();
  expect(upstream.state.failedProbes).toBe(3);
  // Three failed probes open the breaker, which then stays open for a second.
  expect(node.calls("")).toBe(3);
  await world.time.pass(1_000);
  node.fault = () => null;
  suspect(upstream, world.ports);
  await world.settle();
  expect([node.calls(""), upstream.state.failedProbes]).toEqual([4, 0]);
});

let world: NodeWorld;
let node: SimulatedNode;
let upstream: Upstream;

beforeEach(() => {
  world = new NodeWorld(1);
  node = world.node(0);
  const [only] = world.pool.upstreams;
  if (only === undefined) throw new Error("the world has one upstream");
  upstream = only;
});

const having = (more: Partial<UpstreamState>): void => {
  upstream.state = { ...upstream.state, ...more };
};
/** When the node was probed, from now on. */
function probeTimes(): number[] {
  const [times, startedAtMs, send] = [[] as number[], world.time.nowMs, world.ports.send];
  Object.assign(world.ports, {
    send: (...sent: Parameters<typeof send>) => {
      times.push(world.time.nowMs - startedAtMs);
      return send(...sent);
    },
  });
  return times;
}

describe("a request that failed starts a probe", () => {
  test.each([
    ["of an upstream that was never probed", null, 1],
    ["less than a second after an answered one: the request is to blame", 999, 0],
    ["a second after an answered one", 1_000, 1],
    ["after one in the future, as a clock that was set back has it", -1, 1],
  ])("%s", async (_when, agoMs, calls) => {
    having({ probedAtMs: agoMs === null ? null : world.time.nowMs - agoMs });
    suspect(upstream, world.ports);
    expect([upstream.state.isSuspect, world.background.length]).toEqual([calls === 1, calls]);
  });

  test("which clears the suspicion when it is answered", async () => {
    suspect(upstream, world.ports);
    await world.settle();
    expect([node.calls(""), upstream.state.isSuspect]).toEqual([1, false]);
  });

  test("unless the upstream is paused", async () => {
    upstream.state = onExclusion(upstream.state, "wrong_chain", world.time.nowMs);
    suspect(upstream, world.ports);
    expect([upstream.state.isSuspect, world.background]).toEqual([false, []]);
  });
});

describe("a probe is started", () => {
  const openFor = (forMs: number) => ({
    failedProbes: 3,
    pauses: { down: { fromMs: 0, untilMs: world.time.nowMs + forMs } },
  });
  test.each<[string, () => Partial<UpstreamState>, number]>([
    ["not at a healthy upstream", () => ({}), 0],
    ["at a suspect one", () => ({ isSuspect: true }), 1],
    ["not while a breaker is open", () => openFor(1), 0],
    ["once it is half-open", () => openFor(0), 1],
    [
      "not during a pause",
      () => ({ isSuspect: true, pauses: { throttled: { fromMs: 0, untilMs: world.time.nowMs + 1 } } }),
      0,
    ],
    ["not while another one runs", () => ({ isSuspect: true, probingSinceMs: world.time.nowMs }), 0],
    ["not while one may run still", () => ({ isSuspect: true, probingSinceMs: world.time.nowMs - 9_999 }), 0],
    ["when the other one was lost", () => ({ isSuspect: true, probingSinceMs: world.time.nowMs - 10_000 }), 1],
    ["when the clock was set back", () => ({ isSuspect: true, probingSinceMs: world.time.nowMs + 1 }), 1],
  ])("%s", (_when, state, count) => {
    having(state());
    keepProbing(upstream, world.ports);
    expect(world.background).toHaveLength(count);
  });
});

describe("a probe", () => {
  test("reads the ledger and waits for a second and a half at most", async () => {
    const startedAtMs = world.time.nowMs;
    node.delayMs = 60_000;
    expect(await world.time.run(readLedgerOnce(upstream, world.ports))).toBeNull();
    expect([node.calls(""), world.time.nowMs - startedAtMs]).toEqual([1, 1_500]);
    expect(upstream.state).toMatchObject({ probingSinceMs: null, failedProbes: 1 });
  });

  test("that is answered makes the upstream usable", async () => {
    having({ isSuspect: true, failedProbes: 2 });
    expect((await world.time.run(readLedgerOnce(upstream, world.ports)))?.version).toBe(1_000n);
    const { nowMs } = world.time;
    const usable = { isSuspect: false, probedAtMs: nowMs, respondedAtMs: nowMs, probingSinceMs: null };
    expect(upstream.state).toMatchObject({ ...usable, failedProbes: 0 });
  });

  test("is sent although one was answered later, by a clock that was set back since", async () => {
    having({ probedAtMs: world.time.nowMs + 60_000, isSuspect: true });
    expect(await world.time.run(probe(upstream, world.ports))).toBe(true);
    expect([node.calls(""), upstream.state.isSuspect]).toEqual([1, false]);
  });

  test("that is throttled pauses the upstream, and is no failure", async () => {
    having({ isSuspect: true });
    node.fault = () => errorOf("throttled", { retryAfterSeconds: 7 });
    expect(await world.time.run(probe(upstream, world.ports))).toBe(false);
    const paused = {
      isSuspect: false,
      pauses: { throttled: { fromMs: world.time.nowMs, untilMs: world.time.nowMs + 7_000 } },
      probingSinceMs: null,
    };
    expect(upstream.state).toMatchObject({ ...paused, failedProbes: 0 });
    expect(node.calls("")).toBe(1);
  });

  test("is repeated after 100 ms until it is answered", async () => {
    const times = probeTimes();
    node.fault = () => (times.length < 3 ? errorOf("connect") : null);
    expect(await world.time.run(probe(upstream, world.ports))).toBe(true);
    expect([times, upstream.state.failedProbes]).toEqual([[0, 110, 220], 0]);
  });

  test("is repeated until the breaker opens", async () => {
    const times = probeTimes();
    node.fault = () => errorOf("connect");
    expect(await world.time.run(probe(upstream, world.ports))).toBe(false);
    expect([times, restMs(upstream, "", world.time.nowMs)]).toEqual([[0, 110, 220], 1_000]);
  });

  test("is not sent during a pause", async () => {
    having({ pauses: { throttled: { fromMs: 0, untilMs: world.time.nowMs + 1 } } });
    expect(await world.time.run(probe(upstream, world.ports))).toBe(false);
    expect(node.calls("")).toBe(0);
  });

  test("is shared by concurrent callers, who have its result 25 ms later at most", async () => {
    const startedAtMs = world.time.nowMs;
    const [one, other] = [probe(upstream, world.ports), probe(upstream, world.ports)];
    expect(await world.time.run(Promise.all([one, other]))).toEqual([true, true]);
    expect([node.calls(""), world.time.nowMs - startedAtMs]).toEqual([1, 25]);
  });

  test("that fails is repeated by the caller who waited for it", async () => {
    node.fault = () => errorOf("throttled", { retryAfterSeconds: 0 });
    const waiting = Promise.all([probe(upstream, world.ports), probe(upstream, world.ports)]);
    void world.time.sleep(30).then(() => {
      node.fault = () => null;
    });
    expect(await world.time.run(waiting)).toEqual([true, true]);
  });
});
