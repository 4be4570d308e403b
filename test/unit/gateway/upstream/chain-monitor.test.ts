import { beforeEach, describe, expect, test } from "vitest";
import {
  type ChainIdentity,
  type Checkpoint,
  deserializeChain,
  serializeChain,
  withCheckpoints,
} from "../../../../src/gateway/upstream/chain-identity.ts";
import { ChainMonitor } from "../../../../src/gateway/upstream/chain-monitor.ts";
import { callUpstreams } from "../../../../src/gateway/upstream/failover.ts";
import { poolOf } from "../../../../src/gateway/upstream/pool.ts";
import { recognizeChain } from "../../../../src/gateway/upstream/recognize-chain.ts";
import {
  exclusionOf,
  isPaused,
  type Pause,
  paused,
  type Upstream,
  upstreamAt,
} from "../../../../src/gateway/upstream/state.ts";
import { requestFor } from "../requests.ts";
import { errorOf, ledgerAt, NodeWorld, type SimulatedNode } from "./nodes.ts";

let world: NodeWorld;
let saved: ChainIdentity | null;
let replaced: ChainIdentity[];
/** Of the deployment, for an object that has seen none. */
let shared: ChainIdentity | null;

const monitorOf = (configuredChainId: number | null = null): ChainMonitor => {
  world.pool.chain = null;
  const ports = {
    ...world.ports,
    recognize: (known: ChainIdentity | null, epoch: number) =>
      recognizeChain(known ?? shared, epoch, world.ports, configuredChainId),
    save: (chain: ChainIdentity) => {
      saved = chain;
    },
    onReplaced: (chain: ChainIdentity) => void replaced.push(chain),
  };
  return new ChainMonitor(ports, configuredChainId, saved);
};
const savedChain = (): ChainIdentity | null => saved;
/** Sends `times` reads, one every `everyMs`, and lets background work finish after each. */
const poll = async (monitor: ChainMonitor, times: number, everyMs: number): Promise<void> => {
  const request = await requestFor("GET", "/v1/accounts/0x1");
  for (let time = 0; time < times; time += 1) {
    await world.time.run(monitor.known());
    await world.time.run(callUpstreams(request, world.ports, 0n));
    await world.time.pass(everyMs);
    await world.settle();
  }
};
const reset = (node: SimulatedNode, version: bigint): void => {
  node.salt = "b";
  node.version = version;
};

beforeEach(() => {
  world = new NodeWorld(2);
  saved = shared = null;
  replaced = [];
});

describe("a chain is learned", () => {
  test("from the upstreams, with its first and its newest block", async () => {
    await world.time.run(monitorOf().known());
    expect(world.pool.chain).toEqual({ epoch: 0, chainId: 4 });
    expect(saved?.checkpoints.map(({ height }) => height)).toEqual([1n, 1_000n]);
    expect(saved?.isProvisional).toBe(false);
  });

  test.each<[string, (number | null)[], number | null]>([
    ["of the preferred upstream when two differ", [4, 9], 4],
    ["of most", [9, 4, 4], 4],
    ["of the one that answers", [null, 9], 9],
    ["of none that answers", [null, null], null],
  ])("%s: %j", async (_what, ids, expected) => {
    world = new NodeWorld(ids.length);
    for (const [index, id] of ids.entries()) {
      world.node(index).ledger = { chainId: id ?? 0 };
      world.node(index).fault = () => (id === null ? errorOf("connect") : null);
    }
    await world.time.run(monitorOf().known());
    expect(world.pool.chain?.chainId ?? null).toBe(expected);
  });

  test("of the preferred upstream when two of one chain id have different blocks", async () => {
    world.node(1).salt = "b";
    await world.time.run(monitorOf().known());
    expect(world.exclusions).toEqual([null, "wrong_chain"]);
  });

  test("from the deployment, whatever chain a new object's preferred upstream follows by then", async () => {
    await world.time.run(monitorOf().known());
    shared = saved;
    saved = null;
    reset(world.node(0), 50n);
    const monitor = monitorOf();
    await world.time.run(monitor.known());
    expect(world.exclusions).toEqual(["wrong_chain", null]);
    expect([savedChain()?.checkpoints, monitor.epoch, replaced]).toEqual([shared?.checkpoints, 0, []]);
  });

  test("from the deployment, with its epoch; chains of older epochs are ignored", async () => {
    await world.time.run(monitorOf().known());
    shared = saved === null ? null : { ...saved, epoch: 77 };
    saved = null;
    const monitor = monitorOf();
    await world.time.run(monitor.known());
    expect([monitor.epoch, world.pool.chain?.epoch, replaced.map(({ epoch }) => epoch)]).toEqual([77, 77, [77]]);
  });

  test("from the configuration, whatever chain the upstreams follow", async () => {
    for (const node of world.nodes) node.ledger = { chainId: 9 };
    const monitor = monitorOf(4);
    await poll(monitor, 10, 15_000);
    await poll(monitor, 1, 0);
    expect([world.pool.chain?.chainId, replaced]).toEqual([4, []]);
    expect(world.exclusions).toEqual(["wrong_chain", "wrong_chain"]);
  });

  test("provisionally from the second upstream, and given up if the first one's differs", async () => {
    const [first, second] = [world.node(0), world.node(1)];
    first.fault = () => errorOf("connect");
    second.ledger = { chainId: 9 };
    const monitor = monitorOf();
    await world.time.run(monitor.known());
    expect(world.pool.chain?.chainId).toBe(9);
    first.fault = () => null;
    await poll(monitor, 6, 15_000);
    expect(world.pool.chain?.chainId).toBe(4);
    expect(world.exclusions[1]).toBe("wrong_chain");
  });
});

test("upstreams that hang delay one request in two seconds", async () => {
  for (const node of world.nodes) node.delayMs = 60_000;
  const monitor = monitorOf();
  const waits: number[] = [];
  for (let request = 0; request < 4; request += 1) {
    const startedAtMs = world.time.nowMs;
    await world.time.run(monitor.known());
    waits.push(world.time.nowMs - startedAtMs);
    if (request === 2) await world.time.pass(2_000);
  }
  expect(waits).toEqual([1_500, 0, 0, 1_500]);
});

test("an upstream that hangs becomes suspect, so the delayed reads go to another one", async () => {
  world.node(0).delayMs = 60_000;
  await world.time.run(monitorOf().known());
  expect(world.pool.chain).not.toBeNull();
  expect(world.pool.upstreams.map(({ state }) => state.isSuspect)).toEqual([true, false]);
});

describe("a chain that was reset behind the same upstreams begins an epoch within 75 s", () => {
  const KINDS: readonly (readonly [string, (node: SimulatedNode) => void])[] = [
    ["at a lower version", (node) => reset(node, 50n)],
    ["at a higher version", (node) => reset(node, 90_000n)],
    ["at the same version", (node) => reset(node, 1_000n)],
    [
      "with another chain id",
      (node) => {
        reset(node, 50n);
        node.ledger = { chainId: 9 };
      },
    ],
    [
      "without its old history",
      (node) => {
        reset(node, 5_000n);
        node.ledger = { oldestBlockHeight: 900n, oldestVersion: 900n };
      },
    ],
    [
      "to a backup",
      (node) => {
        node.version = 50n;
      },
    ],
  ];
  test.each(KINDS.flatMap((kind) => [[...kind, 500, 150] as const, [...kind, 15_000, 6] as const]))(
    "%s, with a request every %d ms",
    async (_kind, change, everyMs, times) => {
      const monitor = monitorOf();
      await poll(monitor, Math.ceil(60_000 / everyMs), everyMs);
      expect(replaced).toEqual([]);
      for (const node of world.nodes) change(node);
      const changedAtMs = world.time.nowMs;
      await poll(monitor, times, everyMs);
      expect(replaced).toHaveLength(1);
      expect(monitor.epoch - changedAtMs).toBeLessThan(75_000);
      expect(world.pool.chain).toEqual({ epoch: monitor.epoch, chainId: world.node(0).ledger.chainId ?? 4 });
      const request = await requestFor("GET", "/v1/accounts/0x2");
      const result = await world.time.run(callUpstreams(request, world.ports, 0n));
      expect(result).toMatchObject({ kind: "response", response: { ledger: { version: world.node(0).version } } });
    },
  );

  test("between two starts of the object, which share only the saved chain", async () => {
    await poll(monitorOf(), 2, 15_000);
    for (const node of world.nodes) reset(node, 50n);
    const again = monitorOf();
    await poll(again, 2, 2_000);
    expect(replaced).toHaveLength(1);
    expect(saved?.epoch).toBe(again.epoch);
  });

  test("even if the object restarts between any two requests", async () => {
    await poll(monitorOf(), 1, 0);
    for (const node of world.nodes) node.version = 50n;
    for (let time = 0; time < 5; time += 1) await poll(monitorOf(), 1, 15_000);
    expect(replaced).toHaveLength(1);
  });

  test("control: a growing chain begins no epoch and costs three calls in 10 s", async () => {
    const monitor = monitorOf();
    for (let second = 0; second < 100; second += 1) {
      for (const node of world.nodes) node.version += 10n;
      await poll(monitor, 1, 1_000);
    }
    expect([replaced, monitor.epoch]).toEqual([[], 0]);
    expect(world.node(1).requests.length).toBeLessThanOrEqual(11 * 3);
  });

  test("control: upstreams that lag for 30 s begin no epoch", async () => {
    const monitor = monitorOf();
    await poll(monitor, 2, 15_000);
    for (const node of world.nodes) node.version = 950n;
    await poll(monitor, 2, 15_000);
    for (const node of world.nodes) node.version = 2_000n;
    await poll(monitor, 4, 15_000);
    expect(replaced).toEqual([]);
  });
});

describe("one upstream on another chain", () => {
  test("is excluded while the other upstream follows the known chain", async () => {
    const monitor = monitorOf();
    await poll(monitor, 2, 15_000);
    reset(world.node(0), 2_000n);
    await poll(monitor, 4, 15_000);
    expect(replaced).toEqual([]);
    expect(world.exclusions).toEqual(["wrong_chain", null]);
    reset(world.node(1), 2_000n);
    await poll(monitor, 4, 15_000);
    expect(replaced).toHaveLength(1);
  });

  test("for a single response, as behind a load balancer, begins no epoch", async () => {
    const monitor = monitorOf();
    await poll(monitor, 2, 15_000);
    for (const node of world.nodes) reset(node, 1_000n);
    await world.time.pass(15_000);
    monitor.checkSoon(true);
    await world.time.pass(500);
    for (const node of world.nodes) node.salt = "a";
    await world.settle();
    expect(replaced).toEqual([]);
  });
});

describe("an upstream that stopped following the chain", () => {
  /** Advances the second node's version and timestamp; the first node's ledger stays. */
  const advance = (): void => {
    const { version } = world.node(1);
    world.node(1).version = version + 10n;
    world.node(1).ledger = { timestampMicros: BigInt(world.time.nowMs) * 1_000n };
  };
  const outdated = () => world.pool.upstreams.map(({ state }) => state.isOutdated);
  const callsFor = async (monitor: ChainMonitor): Promise<number[]> => {
    const before = world.nodes.map(({ requestPaths }) => requestPaths.length);
    await poll(monitor, 1, 1_000);
    return world.nodes.map(({ requestPaths }, index) => requestPaths.length - (before[index] ?? 0));
  };

  test("gets no reads while another one follows the chain, and gets them again once it catches up", async () => {
    const monitor = monitorOf();
    expect(await callsFor(monitor), "the operator's order").toEqual([1, 0]);
    for (let seconds = 0; seconds < 40; seconds += 5) {
      advance();
      await poll(monitor, 1, 5_000);
    }
    expect([outdated(), await callsFor(monitor)]).toEqual([
      [true, false],
      [0, 1],
    ]);
    Object.assign(world.node(0), { version: world.node(1).version, ledger: world.node(1).ledger });
    await poll(monitor, 3, 6_000);
    expect([outdated(), await callsFor(monitor)]).toEqual([
      [false, false],
      [1, 0],
    ]);
  });

  test("serves while no other upstream responds", async () => {
    const monitor = monitorOf();
    for (let seconds = 0; seconds < 40; seconds += 5) {
      advance();
      await poll(monitor, 1, 5_000);
    }
    world.node(1).fault = () => errorOf("connect");
    await poll(monitor, 2, 6_000);
    expect(await callsFor(monitor)).toEqual([1, 0]);
  });
});

describe("an object that requests the chain from the head of its region", () => {
  /** Another object before the same nodes, with its own pool and request count. */
  function following(head: ChainMonitor) {
    const pool = poolOf(
      world.nodes.map((_node, index) => upstreamAt(index, `upstream-${index + 1}`)),
      null,
    );
    const state = { requests: 0, isHeadUp: true, replaced: 0 };
    const ports = {
      ...world.ports,
      recognize: async (_known: ChainIdentity | null, epoch: number, isSuspicious: boolean) => {
        state.requests += 1;
        return state.isHeadUp ? head.recognition(epoch, isSuspicious) : null;
      },
      save: () => undefined,
      onReplaced: () => {
        state.replaced += 1;
      },
    };
    return { pool, state, monitor: new ChainMonitor({ ...ports, pool }, null, null) };
  }

  test("learns the chain and the trusted upstreams from it, without a call to an upstream", async () => {
    world = new NodeWorld(3);
    world.node(1).version = 900n;
    world.node(1).ledger = { timestampMicros: (world.node(0).ledger.timestampMicros ?? 0n) - 20_000_000n };
    world.node(2).ledger = { chainId: 9 };
    const head = monitorOf();
    await world.time.run(head.recognition(0, false));
    const calls = world.nodes.map(({ requests }) => requests.length);
    const { pool, monitor, state } = following(head);
    await world.time.run(monitor.known());
    expect([pool.chain, pool.trusted?.ledger.version, state.requests]).toEqual([{ epoch: 0, chainId: 4 }, 1_000n, 1]);
    expect(pool.upstreams.map(({ state }) => [exclusionOf(state, world.time.nowMs), state.isOutdated])).toEqual([
      [null, false],
      [null, true],
      ["wrong_chain", false],
    ]);
    expect(world.nodes.map(({ requests }) => requests.length)).toEqual(calls);
  });

  test.each(["follower", "head"] as const)(
    "learns of a replaced chain within 30 s when only the %s has callers",
    async (reader) => {
      const head = monitorOf();
      const { pool, monitor, state } = following(head);
      const callers = reader === "head" ? head : monitor;
      await poll(callers, 2, 5_000);
      await world.time.run(monitor.known());
      for (const node of world.nodes) reset(node, 1_000n);
      for (let second = 0; second < 30 && state.replaced === 0; second += 1) {
        await poll(callers, 1, 1_000);
        await world.time.run(monitor.known());
        await world.settle();
      }
      expect([state.replaced, pool.chain]).toEqual([1, { epoch: head.epoch, chainId: 4 }]);
      expect(head.epoch).toBeGreaterThan(0);
    },
  );

  test("sends a higher epoch to the head", async () => {
    const head = monitorOf();
    const { monitor } = following(head);
    await world.time.run(monitor.known());
    monitor.adopt(7);
    await world.time.run(monitor.known());
    expect([head.epoch, world.pool.chain]).toEqual([7, { epoch: 7, chainId: 4 }]);
  });

  test("trusts the ledger that an isolate of its epoch saw seconds ago, without a call", async () => {
    const { pool, monitor, state } = following(monitorOf());
    monitor.begin(3, ledgerAt(5_000n));
    expect(pool.trusted, "of another epoch").toBeNull();
    monitor.begin(0, ledgerAt(900n));
    await world.time.run(monitor.trusted());
    expect([pool.trusted?.ledger.version, state.requests]).toEqual([900n, 0]);
    monitor.begin(0, ledgerAt(950n));
    expect(pool.trusted?.ledger.version, "a trusted ledger is not replaced").toBe(900n);
  });

  test("continues without a response of the head, and retries after two seconds", async () => {
    const { pool, monitor, state } = following(monitorOf());
    state.isHeadUp = false;
    for (let request = 0; request < 5; request += 1) await world.time.run(monitor.known());
    expect([pool.chain, state.requests]).toEqual([null, 1]);
    state.isHeadUp = true;
    await world.time.pass(2_000);
    await world.time.run(monitor.known());
    expect(pool.chain).toEqual({ epoch: 0, chainId: 4 });
  });
});

describe("a higher epoch received from another object", () => {
  test("ends no pause of an upstream that is down or limits requests", async () => {
    const monitor = monitorOf();
    await world.time.run(monitor.known());
    const [first, second] = world.pool.upstreams;
    if (first === undefined || second === undefined) throw new Error("there are two");
    first.state = paused(first.state, "throttled", world.time.nowMs);
    second.state = paused(paused(second.state, "down", world.time.nowMs), "lagging", world.time.nowMs);
    monitor.adopt(5);
    const isStill = (upstream: Upstream, why: Pause) => isPaused(upstream.state, why, world.time.nowMs);
    expect([isStill(first, "throttled"), isStill(second, "down"), isStill(second, "lagging")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("is adopted, and the chain is learned again", async () => {
    const monitor = monitorOf();
    await world.time.run(monitor.known());
    for (const node of world.nodes) reset(node, 50n);
    monitor.adopt(5);
    expect([monitor.epoch, world.pool.chain, world.pool.trusted]).toEqual([5, null, null]);
    await world.time.run(monitor.known());
    expect([world.pool.chain, saved?.epoch, replaced]).toEqual([{ epoch: 5, chainId: 4 }, 5, []]);
    monitor.adopt(4);
    expect(monitor.epoch).toBe(5);
  });
});

const at = (height: number, hash = "0xab"): Checkpoint => ({ height: BigInt(height), hash });

test.each<[string, Checkpoint[], Checkpoint[], number[]]>([
  ["the first", [], [at(7)], [7]],
  ["the lowest and the newest two", [at(1), at(5), at(9)], [at(12)], [1, 9, 12]],
  ["no genesis beside another", [at(0)], [at(3)], [3]],
  ["a genesis alone", [], [at(0)], [0]],
  ["each height once", [at(1), at(5)], [at(5), at(1)], [1, 5]],
])("checkpoints kept: %s", (_what, known, seen, heights) => {
  expect(withCheckpoints(known, seen).map(({ height }) => Number(height))).toEqual(heights);
});

test("a chain is restored from storage; damaged data is rejected", () => {
  const chain: ChainIdentity = {
    epoch: 7,
    chainId: 4,
    checkpoints: [at(1), at(9)],
    isProvisional: true,
    behindSinceMs: 3,
  };
  expect(deserializeChain(serializeChain(chain))).toEqual(chain);
  for (const text of [
    "",
    "{}",
    "[]",
    '{"checkpoints":[]}',
    '{"epoch":1,"chainId":"4","checkpoints":[],"isProvisional":true}',
  ])
    expect(deserializeChain(text)).toBeUndefined();
});
