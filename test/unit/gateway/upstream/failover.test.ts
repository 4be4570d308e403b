import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { NodeRequest } from "../../../../src/gateway/model/node-types.ts";
import type { AttemptError } from "../../../../src/gateway/model/outcomes.ts";
import { classify } from "../../../../src/gateway/upstream/classify.ts";
import type { UpstreamResult } from "../../../../src/gateway/upstream/client.ts";
import { callUpstreams, type FailoverResult } from "../../../../src/gateway/upstream/failover.ts";
import { raise, recordAttempts } from "../../../../src/gateway/upstream/upstreams.ts";
import { hashOf } from "../../../support/fake-chain.ts";
import { requestFor } from "../requests.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf, type SimulatedNode } from "./nodes.ts";

let world: NodeWorld;
let first: SimulatedNode;
let second: SimulatedNode;

beforeEach(() => {
  world = new NodeWorld(2);
  [first, second] = [world.node(0), world.node(1)];
});

const call = async (path: string, floor = 0n): Promise<FailoverResult> =>
  world.time.run(callUpstreams(await requestFor("GET", path), world.ports, floor));
const submit = async (floor = 0n): Promise<FailoverResult> =>
  world.time.run(callUpstreams(await requestFor("POST", "/v1/transactions", "{}"), world.ports, floor));
const outcome = (result: FailoverResult): unknown =>
  result.kind === "response"
    ? result.response.status
    : { ...result, attempts: result.attempts.map(({ result: r }) => r) };
/** The gateway's own answer: status, Retry-After, message. */
const said = (result: FailoverResult): unknown[] =>
  result.kind === "response"
    ? [result.response.status]
    : [result.failure.status, result.failure.retryAfterSeconds, result.failure.message];
const attempts = (result: FailoverResult): string[] =>
  result.attempts.map(({ upstream, result: found }) => `${upstream} ${found}`);
const doubtful = (): boolean[] => world.pool.upstreams.map(({ state }) => state.failedProbes > 0);
const POISON = "/v1/accounts/0xbad";
const isPoison = ({ path }: NodeRequest): boolean => path === "/accounts/0xbad";

describe("one upstream fails, the next one answers", () => {
  test.each<AttemptError>([
    "connect",
    "timeout",
    "truncated",
    "failed",
    "silent",
    "throttled",
    "unavailable",
    "invalid",
    "headerless",
    "refused",
  ])("after %s", async (error) => {
    first.fault = (request) => (request.path === "/accounts/0x1" ? errorOf(error) : null);
    const result = await call("/v1/accounts/0x1");
    expect(attempts(result)).toEqual([`upstream-1 ${error}`, "upstream-2 ok"]);
  });
});

describe("a preferred upstream that hangs, in a new object", () => {
  const elapsedMs = async (path: string): Promise<number> => {
    const startedAtMs = world.time.nowMs;
    expect(outcome(await call(path))).toBe(200);
    return world.time.nowMs - startedAtMs;
  };

  test("costs the first read two seconds, and the next one nothing", async () => {
    first.delayMs = 60_000;
    expect(await elapsedMs("/v1/accounts/0x1")).toBeLessThan(2_100);
    expect(await elapsedMs("/v1/accounts/0x2")).toBeLessThan(50);
  });

  test("is waited for when it is only slow and the other one fails", async () => {
    first.delayMs = 2_000;
    second.fault = () => errorOf("connect");
    expect(await elapsedMs("/v1/accounts/0x1")).toBeLessThan(8_000);
  });

  test("control: one that responded before has the whole deadline", async () => {
    await call("/v1/accounts/0x1");
    first.delayMs = 2_000;
    expect(await elapsedMs("/v1/accounts/0x2")).toBeGreaterThanOrEqual(2_000);
    expect(first.requestPaths).toContain("/accounts/0x2");
  });
});

describe("the time of one attempt, at an upstream that responded before, and of all", () => {
  const HASH = "ab".repeat(32);
  test.each<["GET" | "POST", string, number, number[], number]>([
    ["GET", "/v1/accounts/0x1", 1, [10_000], 10_000],
    ["GET", "/v1/accounts/0x1", 2, [3_000, 7_000], 10_000],
    ["GET", "/v1/accounts/0x1", 3, [3_000, 3_000, 4_000], 10_000],
    ["GET", `/v1/transactions/wait_by_hash/${HASH}`, 1, [10_000], 10_000],
    ["POST", "/v1/transactions/simulate", 1, [12_000], 12_000],
    ["POST", "/v1/transactions/simulate", 2, [8_000, 4_000], 12_000],
    ["POST", "/v1/transactions", 2, [12_000], 12_000],
  ])("%s %s, with %i upstreams: %j ms", async (method, path, count, durations, allMs) => {
    world = new NodeWorld(count);
    await call("/v1/accounts/0x2");
    // Their probes are answered: the requests alone hang.
    const { send } = world.ports;
    Object.assign(world.ports, {
      send: async (...sent: Parameters<typeof send>) => {
        for (const node of world.nodes) node.delayMs = sent[1].endpoint === "ledger_info" ? 10 : 60_000;
        return send(...sent);
      },
    });
    const startedAtMs = world.time.nowMs;
    const request = await requestFor(method, path, method === "POST" ? "{}" : null);
    const result = await world.time.run(callUpstreams(request, world.ports, 0n));
    expect(result.attempts.map(({ milliseconds }) => milliseconds)).toEqual(durations);
    expect(world.time.nowMs - startedAtMs).toBe(allMs);
  });
});

describe("how often one upstream is tried for one request", () => {
  test.each<[AttemptError, number]>([
    ["connect", 4],
    ["truncated", 4],
    ["timeout", 2],
    ["failed", 2],
    ["silent", 2],
    ["invalid", 2],
    ["headerless", 1],
    ["throttled", 1],
    ["unavailable", 1],
    ["refused", 1],
  ])("%s: %d times", async (error, tries) => {
    for (const node of [first, second]) node.fault = (request) => (isPoison(request) ? errorOf(error) : null);
    const result = await call(POISON);
    expect(attempts(result).filter((attempt) => attempt.startsWith("upstream-1"))).toHaveLength(tries);
    expect(attempts(result)).toHaveLength(2 * tries);
  });
});

describe("a request that fails at every upstream makes none doubtful and delays no other caller", () => {
  const FAULTS: readonly (readonly [AttemptError, UpstreamResult])[] = [
    ["refused", errorOf("refused", 414)],
    ["failed", errorOf("failed", 500)],
    ["invalid", errorOf("invalid")],
    ["too_large", errorOf("too_large")],
    ["throttled", errorOf("throttled")],
    ["connect", errorOf("connect")],
  ];
  /**
   * Attackers send three such requests each while another caller reads. Returns how many of its reads were answered.
   */
  const attacked = async (fault: UpstreamResult, attackers: number, probesFail: boolean): Promise<number> => {
    for (const node of [first, second])
      node.fault = (request) => (isPoison(request) || (probesFail && request.path === "") ? fault : null);
    let answered = 0;
    for (let round = 0; round < 20; round += 1) {
      for (let poisoned = 0; poisoned < 3 * attackers; poisoned += 1) await call(POISON);
      const result = await call(`/v1/accounts/0x${round + 1}`);
      if (result.kind === "response") answered += 1;
      await world.time.pass(200);
    }
    await world.settle();
    return answered;
  };

  test.each(FAULTS)("by %s, from one attacker and from four", async (_error, fault) => {
    for (const attackers of [1, 4]) {
      expect(await attacked(fault, attackers, false)).toBe(20);
      expect(doubtful()).toEqual([false, false]);
    }
    expect(first.calls("/accounts/0xbad"), "the fault was really served").toBeGreaterThan(60);
  });

  test("control: when probes fail too, they are doubtful", async () => {
    await attacked(errorOf("failed"), 1, true);
    expect(doubtful()).toEqual([true, true]);
  });

  test("probes cost at most one call a second", async () => {
    await attacked(errorOf("failed"), 4, false);
    const seconds = (world.time.nowMs - 1_000_000) / 1_000;
    expect(first.calls("")).toBeGreaterThan(0);
    expect(first.calls("")).toBeLessThanOrEqual(seconds + 2);
  });
});

describe("a 4xx page of a proxy is the request's own error", () => {
  const refuseAt = (status: number, isRefused: (request: NodeRequest) => boolean): void => {
    for (const node of [first, second])
      node.fault = (request) => (isRefused(request) ? errorOf("refused", status) : null);
  };

  test.each([
    [413, ": it is too long"],
    [414, ": it is too long"],
    [431, ": it is too long"],
    [403, ""],
  ])("%d from all upstreams has our message", async (status, reason) => {
    refuseAt(status, isPoison);
    const result = await call(POISON);
    if (result.kind !== "response") throw new Error("down");
    expect(result.response.status).toBe(400);
    expect(JSON.parse(new TextDecoder().decode(result.response.body))).toEqual({
      message: `The request was refused before it reached the chain node (status ${status})${reason}.`,
      error_code: "web_framework_error",
      vm_error_code: null,
    });
    expect(result.classification.kind).toBe("refused");
  });

  test("unless probes are refused too", async () => {
    await call("/v1/accounts/0x1");
    await world.time.pass(1_000);
    refuseAt(403, () => true);
    for (const path of [POISON, "/v1/accounts/0x2"])
      expect(said(await call(path))).toEqual([503, 30, "The chain nodes refuse this service (status 403)."]);
  });

  test("of a submit too: it was not accepted", async () => {
    refuseAt(413, ({ mode }) => mode === "submit");
    expect(outcome(await submit())).toBe(413);
  });
});

describe("an upstream that limits our requests", () => {
  test("is called again by the next request, unless it limits our probe too: then last for half a minute", async () => {
    first.fault = (request) => (isPoison(request) ? errorOf("throttled") : null);
    expect(attempts(await call(POISON))).toEqual(["upstream-1 throttled", "upstream-2 ok"]);
    await world.settle();
    expect(attempts(await call(POISON))[0]).toBe("upstream-1 throttled");
    await world.time.pass(2_000);
    first.fault = () => errorOf("throttled");
    await call(POISON);
    await world.settle();
    // Its probe is not unanswered any more.
    await world.time.pass(2_000);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-2 ok"]);
    first.fault = () => null;
    await world.time.pass(30_000);
    await world.settle();
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 ok"]);
  });

  test("is not called before the time that its answer to our probe names, and callers are told the least", async () => {
    first.fault = () => errorOf("throttled", 429, 8_000);
    second.fault = () => errorOf("throttled", 503, 20_000);
    expect(said(await call(POISON))).toEqual([
      503,
      8,
      "The chain nodes limit the requests of this service (status 429).",
    ]);
    await world.settle();
    expect(world.exclusions).toEqual(["throttled", "throttled"]);
    const calls = [first.requests.length, second.requests.length];
    for (const left of [8, 7, 6]) {
      expect(said(await call("/v1/accounts/0x2")).slice(0, 2)).toEqual([503, left]);
      expect(said(await submit()).slice(0, 2)).toEqual([503, left]);
      await world.time.pass(1_000);
    }
    await world.settle();
    expect([first.requests.length, second.requests.length], "none was called").toEqual(calls);
    await world.time.pass(5_100);
    first.fault = () => null;
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 ok"]);
    expect(second.requests.length).toBe(calls[1]);
  });

  test("although it answered a probe a moment ago, is left alone for its time", async () => {
    await call("/v1/accounts/0x1");
    await world.time.pass(6_000);
    // Its probe precedes a submit.
    await submit();
    await world.time.pass(600);
    first.fault = () => errorOf("throttled", 429, 8_000);
    await call(POISON);
    await world.settle();
    expect(world.exclusions).toEqual(["throttled", null]);
  });

  test("although its probe failed before, is left alone for its time", async () => {
    first.fault = () => errorOf("connect");
    await call(POISON);
    await world.settle();
    expect(doubtful()).toEqual([true, false]);
    first.fault = () => errorOf("throttled", 429, 60_000);
    await world.time.pass(2_000);
    await call("/v1/accounts/0x1");
    await world.settle();
    expect(world.exclusions).toEqual(["throttled", null]);
    const calls = first.requests.length;
    for (let second = 0; second < 30; second += 1) {
      await call("/v1/accounts/0x1");
      await world.settle();
      await world.time.pass(1_000);
    }
    expect(first.requests.length).toBe(calls);
  });

  test("by a caller's own requests only is called by the others: our probe is answered", async () => {
    for (const node of [first, second])
      node.fault = (request) => (isPoison(request) ? errorOf("throttled", 429, 60_000) : null);
    expect(said(await call(POISON)).slice(0, 2)).toEqual([503, 60]);
    await world.settle();
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 ok"]);
  });

  test("without saying for how long is asked again after a second", async () => {
    for (const node of [first, second]) node.fault = () => errorOf("throttled", 429);
    expect(said(await call(POISON)).slice(0, 2)).toEqual([503, 1]);
    await world.settle();
    // Control: both have limited our probes.
    expect(world.exclusions).toEqual(["throttled", "throttled"]);
    for (const node of [first, second]) node.fault = () => null;
    expect(said(await call("/v1/accounts/0x3")).slice(0, 2)).toEqual([503, 1]);
    await world.time.pass(1_000);
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 ok"]);
  });
});

describe("a doubtful upstream", () => {
  const dead = (): UpstreamResult => errorOf("connect");

  test("is one whose request and probe failed; it is called last until a probe is answered", async () => {
    first.fault = dead;
    await call("/v1/accounts/0x1");
    await world.settle();
    expect(doubtful()).toEqual([true, false]);
    const seen = first.requestPaths.length;
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-2 ok"]);
    expect(first.requestPaths).toHaveLength(seen);
    first.fault = () => null;
    await world.time.pass(1_000);
    await call("/v1/accounts/0x3");
    await world.settle();
    expect(doubtful()).toEqual([false, false]);
    expect(attempts(await call("/v1/accounts/0x4"))).toEqual(["upstream-1 ok"]);
  });

  test("is one that answers our probe with a failure of its own", async () => {
    first.fault = () => {
      const response = responseOf({ message: "disk", error_code: "internal_error" }, ledgerAt(1_000n), 500);
      return { kind: "response", response, classification: { kind: "failed", revealsVersion: null }, dialect: "node" };
    };
    expect(attempts(await call("/v1/accounts/0x1"))).toEqual(["upstream-1 failed", "upstream-2 ok"]);
    await world.settle();
    expect([doubtful(), world.pool.upstreams[0]?.state.failure]).toMatchObject([[true, false], { status: 500 }]);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-2 ok"]);
  });

  test("is called all the same when no other one answers", async () => {
    world = new NodeWorld(1);
    const only = world.node(0);
    only.fault = dead;
    expect(said(await call("/v1/accounts/0x1"))).toEqual([503, 2, "No chain node answers at the moment."]);
    await world.settle();
    only.fault = () => null;
    expect(outcome(await call("/v1/accounts/0x1"))).toBe(200);
  });

  test("is probed less often with every failure, every ten seconds at least", async () => {
    first.fault = dead;
    for (let second = 0; second < 100; second += 1) {
      await call("/v1/accounts/0x1");
      await world.settle();
      await world.time.pass(1_000);
    }
    expect(first.calls("")).toBeGreaterThanOrEqual(10);
    expect(first.calls("")).toBeLessThanOrEqual(20);
  });
});

describe("an upstream that answers, but stopped following the chain", () => {
  test("is found when its ledger is ten seconds old, and called last until it follows again", async () => {
    const age = () => {
      for (const node of world.nodes) node.ledger = { timestampMicros: BigInt(world.time.nowMs) * 1_000n };
    };
    age();
    expect(attempts(await call("/v1/accounts/0x1"))).toEqual(["upstream-1 ok"]);
    await world.time.pass(11_000);
    second.version = 5_000n;
    second.ledger = { timestampMicros: BigInt(world.time.nowMs) * 1_000n };
    await call("/v1/accounts/0x2");
    await world.settle();
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-2 ok"]);
    first.version = 5_001n;
    age();
    await world.time.pass(11_000);
    await call("/v1/accounts/0x4");
    await world.settle();
    expect(attempts(await call("/v1/accounts/0x5"))).toEqual(["upstream-1 ok"]);
  });
});

describe("an upstream that stopped following a chain which goes on", () => {
  /** A second passes on the chain of those that follow it. */
  const go = async (...following: readonly SimulatedNode[]): Promise<void> => {
    await world.time.pass(1_000);
    for (const node of following) {
      node.version = 1_000n + BigInt(world.time.nowMs);
      node.ledger = { timestampMicros: BigInt(world.time.nowMs) * 1_000n };
    }
  };
  const readsOf = async (seconds: number, ...following: readonly SimulatedNode[]): Promise<string[]> => {
    const found: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      await go(...following);
      found.push(...attempts(await call(`/v1/accounts/0x${world.time.nowMs.toString(16)}`)));
      await world.settle();
    }
    return found;
  };

  test("gets its reads back some seconds after it follows again", async () => {
    await readsOf(3, first, second);
    expect((await readsOf(30, second)).at(-1)).toBe("upstream-2 ok");
    expect((await readsOf(15, first, second)).at(-1)).toBe("upstream-1 ok");
  });

  describe("in an isolate, which knows what the shield's attempts tell,", () => {
    /** A read through the shield; its attempts and its ledger are noted. */
    const note = (index: number): void => {
      const { version, ledger } = world.node(index);
      const noted = ledgerAt(version, { blockHeight: version, ...ledger });
      raise(world.pool, { era: 0, ledger: noted, confirmedAtMs: world.time.nowMs });
      const attempt = { upstream: `upstream-${index + 1}`, result: "ok", milliseconds: 5 } as const;
      recordAttempts(world.pool, [attempt], noted, world.time.nowMs);
    };
    const submitted = async (): Promise<string> => {
      const result = attempts(await submit()).join();
      await world.settle();
      return result;
    };

    test("gets no submit", async () => {
      await go(first, second);
      note(0);
      expect(await submitted()).toBe("upstream-1 ok");
      for (let seconds = 0; seconds < 11; seconds += 1) {
        await go(second);
        note(1);
      }
      for (let seconds = 0; seconds < 15; seconds += 1) {
        expect(await submitted()).toBe("upstream-2 ok");
        await go(second);
        note(1);
      }
      await go(first, second);
      await world.time.pass(10_000);
      expect(await submitted()).toBe("upstream-1 ok");
    });

    test("control: one that follows, and was not heard of for a while, gets it", async () => {
      await go(first, second);
      note(0);
      for (let seconds = 0; seconds < 15; seconds += 1) await go(first, second);
      note(1);
      expect(await submitted()).toBe("upstream-1 ok");
      expect(second.requestPaths).toEqual([]);
    });
  });
});

describe("of two upstreams one is always right", () => {
  const readMany = async (count: number): Promise<number> => {
    let answered = 0;
    for (let read = 0; read < count; read += 1) {
      if ((await call(`/v1/accounts/0x${read + 1}`)).kind === "response") answered += 1;
      await world.time.pass(50);
    }
    return answered;
  };

  test.each<[string, AttemptError, number, number, number]>([
    ["truncates half of its answers, at most one read in a hundred fails", "truncated", 0.5, 200, 198],
    ["resets three connections in ten, at most one read of 400 fails", "connect", 0.3, 400, 399],
  ])("when each %s", async (_what, error, share, reads, answered) => {
    // The same faults in every run.
    const chances = fc.sample(fc.noBias(fc.nat(99)), { seed: 1, numRuns: reads * 4 });
    const isFaulty = (): boolean => (chances.pop() ?? 0) < share * 100;
    let faults = 0;
    for (const node of [first, second]) node.fault = () => (isFaulty() && ++faults > 0 ? errorOf(error) : null);
    expect(await readMany(reads)).toBeGreaterThanOrEqual(answered);
    expect(faults, "the fault was really served").toBeGreaterThan(100);
  });

  test.each([200, 700, 3_000])("when they fail in turn, every %i ms, no read fails", async (everyMs) => {
    let faults = 0;
    for (const [index, node] of world.nodes.entries())
      node.fault = () =>
        Math.floor(world.time.nowMs / everyMs) % 2 === index && ++faults > 0 ? errorOf("failed", 500) : null;
    expect(await readMany(200)).toBe(200);
    expect(faults, "the fault was really served").toBeGreaterThan(10);
  });
});

test.each([
  ["in a hang", 4_000, 10_000],
  ["at once", 10, 1_000],
])("upstreams that all fail %s: down within %d ms", async (_how, delayMs, withinMs) => {
  first.delayMs = second.delayMs = delayMs;
  first.fault = second.fault = () => errorOf("connect");
  const startedAtMs = world.time.nowMs;
  expect((await call("/v1/accounts/0x1")).kind).toBe("down");
  expect(world.time.nowMs - startedAtMs).toBeLessThanOrEqual(withinMs);
});

describe("an upstream that lags", () => {
  test("is skipped because of the floor, and tried last for two seconds", async () => {
    first.version = 900n;
    expect(attempts(await call("/v1/accounts/0x1", 950n))).toEqual(["upstream-1 lagging", "upstream-2 ok"]);
    expect(attempts(await call("/v1/accounts/0x2", 0n))).toEqual(["upstream-2 ok"]);
    await world.time.pass(2_000);
    expect(attempts(await call("/v1/accounts/0x3", 0n))).toEqual(["upstream-1 ok"]);
  });

  test("at the floor is not behind", async () => {
    expect(attempts(await call("/v1/accounts/0x1", 1_000n))).toEqual(["upstream-1 ok"]);
  });

  test("when all lag: down at once, with lag as the reason", async () => {
    const result = await call("/v1/accounts/0x1", 1_001n);
    expect(outcome(result)).toMatchObject({ kind: "down", why: "lagging", attempts: ["lagging", "lagging"] });
  });

  test("still answers immutable reads", async () => {
    expect(attempts(await call("/v1/transactions/by_version/7", 5_000n))).toEqual(["upstream-1 ok"]);
  });

  test("answers an absence at a version, but not one at the tip", async () => {
    first.fault = (request) => {
      const response = responseOf({ message: "?", error_code: "account_not_found" }, ledgerAt(1_000n), 404);
      const classification = classify(request, response);
      if (request.endpoint !== "account" || typeof classification === "string") return null;
      return { kind: "response", response, classification, dialect: "node" };
    };
    expect(attempts(await call("/v1/accounts/0x1?ledger_version=9", 5_000n))).toEqual(["upstream-1 ok"]);
    expect(attempts(await call("/v1/accounts/0x1", 5_000n))[0]).toBe("upstream-1 lagging");
  });
});

describe("when nobody answered the gateway says what it knows", () => {
  const AWAY = "No chain node answers at the moment.";
  test.each<[AttemptError, AttemptError, number, number | null, string]>([
    ["connect", "timeout", 503, 2, AWAY],
    ["failed", "truncated", 503, 2, AWAY],
    ["failed", "failed", 503, 2, "The chain nodes fail (status 429)."],
    [
      "headerless",
      "headerless",
      502,
      null,
      "The chain node sends no ledger headers, so its answers have no place in the chain's history.",
    ],
    [
      "invalid",
      "headerless",
      502,
      null,
      "The chain node sends no ledger headers, so its answers have no place in the chain's history.",
    ],
    ["invalid", "invalid", 502, null, "The chain node answered something else than was asked for."],
    ["invalid", "connect", 503, 2, AWAY],
    ["connect", "throttled", 503, 1, "The chain nodes limit the requests of this service (status 429)."],
    ["unavailable", "failed", 503, 1, "The chain nodes are unavailable (status 429)."],
    ["silent", "failed", 503, 2, "No chain node answers at the moment (status 429)."],
  ])("%s and %s: %d, again after %s s", async (one, other, ...expected) => {
    first.fault = (request) => (isPoison(request) ? errorOf(one, 429) : null);
    second.fault = (request) => (isPoison(request) ? errorOf(other, 429) : null);
    expect(said(await call(POISON))).toEqual(expected);
  });

  test("an answer that is too large is too large everywhere: no other upstream is asked", async () => {
    first.fault = (request) => (isPoison(request) ? errorOf("too_large") : null);
    const result = await call(POISON);
    expect(attempts(result)).toEqual(["upstream-1 too_large"]);
    expect(said(result)).toEqual([
      502,
      null,
      "The chain node's answer has more than 8388608 bytes and declares no length. Ask for less, with `limit` where there is one.",
    ]);
  });
});

describe("an answer that another upstream may better is kept, and the best one is passed on", () => {
  const HASH_PATH = `/v1/transactions/by_hash/${hashOf(7n)}`;
  const FIRST_PAGE = "/v1/accounts/0xa/transactions?start=0&limit=5";
  const PRUNED = { message: "Transaction at version 0 is pruned", error_code: "internal_error" };
  const FAILED = { message: "Too many values requested", error_code: "internal_error" };
  const UNKNOWN = { message: "Transaction not found", error_code: "transaction_not_found" };
  const pageOf = (...numbers: readonly number[]) =>
    numbers.map((number) => ({
      type: "user_transaction",
      version: String(100 + number),
      hash: hashOf(BigInt(100 + number)),
      success: true,
      vm_status: "",
      sender: "0xa",
      sequence_number: String(number),
    }));
  /** The whole answer of a node, by its name. */
  const ANSWERS: Readonly<Record<string, readonly [status: number, body: unknown, oldest: bigint]>> = {
    whole: [200, pageOf(0, 1, 2, 3, 4), 0n],
    longer: [200, pageOf(2, 3, 4), 101n],
    shorter: [200, pageOf(4), 102n],
    empty: [200, [], 103n],
    unknown: [404, UNKNOWN, 0n],
    pruned: [500, PRUNED, 103n],
    failed: [500, FAILED, 0n],
  };
  const answers = (node: SimulatedNode, name: string): void => {
    const [status = 0, body, oldestVersion = 0n] = ANSWERS[name] ?? [];
    node.oldest = oldestVersion;
    node.fault = (request) => {
      if (request.path === "") return null;
      const response = responseOf(body, ledgerAt(1_000n, { oldestVersion }), status);
      const classification = classify(request, response);
      if (typeof classification === "string") throw new Error(classification);
      return { kind: "response", response, classification, dialect: "node" };
    };
  };
  const nameOf = (result: FailoverResult): string | undefined =>
    result.kind === "down"
      ? "down"
      : Object.entries(ANSWERS).find(
          ([, [, body]]) => JSON.stringify(body) === new TextDecoder().decode(result.response.body),
        )?.[0];
  const ORDER = ["whole", "longer", "shorter", "empty", "unknown", "pruned", "failed"];
  const pairs = ORDER.flatMap((best, at) => ORDER.slice(at + 1).map((other) => [best, other] as const)).filter(
    ([best, other]) => best === "unknown" || other !== "unknown",
  );

  test.each(pairs)("%s is better than %s, whichever is asked first", async (best, other) => {
    const path = best === "unknown" ? HASH_PATH : FIRST_PAGE;
    for (const [one, two] of [
      [other, best],
      [best, other],
    ] as const) {
      world = new NodeWorld(2);
      answers(world.node(0), one);
      answers(world.node(1), two);
      expect(nameOf(await call(path))).toBe(best);
      expect(world.nodes.map(({ requestPaths }) => requestPaths.length).every((calls) => calls <= 1)).toBe(true);
    }
  });

  test.each(ORDER.slice(1))("%s of the only upstream is passed on at once, after one call", async (name) => {
    world = new NodeWorld(1);
    answers(world.node(0), name);
    const result = await call(name === "unknown" ? HASH_PATH : FIRST_PAGE);
    const logged = name === "failed" ? "upstream-1 failed" : "upstream-1 ok";
    expect([nameOf(result), attempts(result)]).toEqual([name, [logged]]);
  });

  test("an upstream known to begin as late is not asked, nor one that fails", async () => {
    answers(first, "shorter");
    answers(second, "empty");
    await call("/v1/accounts/0xa/transactions?start=1&limit=5");
    const asked = second.requestPaths.length;
    expect(asked).toBe(1);
    expect(nameOf(await call(FIRST_PAGE))).toBe("shorter");
    expect(second.requestPaths.length).toBe(asked);
    second.fault = () => errorOf("connect");
    await world.time.pass(31_000);
    answers(first, "failed");
    await call("/v1/accounts/0x7");
    await world.settle();
    const before = second.requestPaths.length;
    expect(nameOf(await call(FIRST_PAGE))).toBe("failed");
    expect(second.requestPaths.length).toBe(before);
  });

  test.each([
    ["knows a hash", HASH_PATH, "unknown"],
    ["has a page", FIRST_PAGE, "empty"],
  ])("that nobody %s is remembered for ten seconds", async (_what, path, name) => {
    answers(first, name);
    answers(second, name);
    second.oldest = 0n;
    for (let poll = 0; poll < 60; poll += 1) {
      expect(nameOf(await call(path))).toBe(name);
      await world.time.pass(190);
    }
    expect([first.requestPaths.length, second.requestPaths.length]).toEqual([60, 2]);
  });

  test("but not that one has a longer page: it is asked each time", async () => {
    answers(first, "shorter");
    answers(second, "longer");
    for (let poll = 0; poll < 3; poll += 1) expect(nameOf(await call(FIRST_PAGE))).toBe("longer");
    expect(second.requestPaths.length).toBe(3);
  });

  test("but not when one did not answer: it is asked the next time", async () => {
    answers(first, "unknown");
    second.fault = (request) => (request.path === "" ? null : errorOf("timeout"));
    expect(nameOf(await call(HASH_PATH))).toBe("unknown");
    answers(second, "whole");
    second.fault = () => null;
    await world.time.pass(1_000);
    expect(outcome(await call(HASH_PATH))).toBe(200);
  });

  test("a better answer is waited for three seconds, not for the rest of the time", async () => {
    answers(first, "unknown");
    await call("/v1");
    second.delayMs = 60_000;
    const startedAtMs = world.time.nowMs;
    expect(nameOf(await call(HASH_PATH))).toBe("unknown");
    expect(world.time.nowMs - startedAtMs).toBeLessThanOrEqual(3_100);
  });

  test("an endpoint that is disabled at one upstream is asked for at another, also to submit", async () => {
    const disabled = { message: "Simulation is disabled", error_code: "api_disabled" };
    first.fault = (request) => {
      if (request.path === "") return null;
      const response = responseOf(disabled, ledgerAt(1_000n), 403);
      return {
        kind: "response",
        response,
        classification: { kind: "disabled", revealsVersion: null },
        dialect: "node",
      };
    };
    const view = await requestFor("POST", "/v1/view", "{}");
    const found = await world.time.run(callUpstreams(view, world.ports, 0n));
    expect([outcome(found), outcome(await submit())]).toEqual([200, 202]);
    second.fault = ({ mode }) => (mode === "submit" ? errorOf("timeout") : null);
    expect(said(await submit())[0], "the other one may have accepted it").toBe(502);
    second.fault = first.fault;
    expect(outcome(await submit())).toBe(403);
  });

  test("a submit that its node failed is passed on, and asked of no other", async () => {
    answers(first, "failed");
    expect(nameOf(await submit())).toBe("failed");
    expect([first.calls("/transactions"), second.calls("/transactions")]).toEqual([1, 0]);
  });
});

describe("pruned history", () => {
  beforeEach(() => {
    first.oldest = 500n;
    second.oldest = 50n;
  });

  test("is read from the archive, which is called first the next time", async () => {
    expect(attempts(await call("/v1/transactions/by_version/60"))).toEqual(["upstream-1 pruned", "upstream-2 ok"]);
    expect(attempts(await call("/v1/transactions/by_version/61"))).toEqual(["upstream-2 ok"]);
    expect(attempts(await call("/v1/transactions/by_version/500"))).toEqual(["upstream-1 ok"]);
  });

  test("that no upstream has is permanently pruned", async () => {
    const result = await call("/v1/transactions/by_version/40");
    expect(result).toMatchObject({ kind: "response", classification: { kind: "pruned" } });
    expect(outcome(result)).toBe(410);
  });

  test.each([
    ["another that begins one version earlier", 499n, 2],
    ["no other that begins alike", 500n, 1],
    ["no other that begins one version later", 501n, 1],
  ])("that one node has pruned is asked of %s", async (_what, oldest, asked) => {
    // The first node fails one read, so that the second one's oldest version is known.
    first.fault = ({ path }) => (path === "/accounts/0x1" ? errorOf("connect") : null);
    second.oldest = oldest;
    expect(attempts(await call("/v1/accounts/0x1"))).toEqual(["upstream-1 connect", "upstream-2 ok"]);
    const path = "/transactions/by_version/40";
    expect(outcome(await call(`/v1${path}`))).toBe(410);
    expect(first.calls(path) + second.calls(path)).toBe(asked);
  });

  test("is not permanently pruned while the archive fails", async () => {
    second.fault = (request) => (request.path === "" ? null : errorOf("failed"));
    const result = await call("/v1/transactions/by_version/60");
    expect(result).toMatchObject({ kind: "response", classification: { kind: "pruned_so_far" } });
    // Nor while it is not asked, because its probes fail too.
    second.fault = () => errorOf("failed");
    await world.time.pass(1_000);
    await call("/v1/transactions/by_version/61");
    await world.settle();
    const calls = second.requestPaths.length;
    expect(await call("/v1/transactions/by_version/62")).toMatchObject({ classification: { kind: "pruned_so_far" } });
    expect(second.requestPaths.length).toBe(calls);
  });
});

describe("an upstream of another chain", () => {
  test("is excluded for half a minute", async () => {
    first.chainId = 9;
    expect(attempts(await call("/v1/accounts/0x1"))).toEqual(["upstream-1 wrong_chain", "upstream-2 ok"]);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-2 ok"]);
    await world.time.pass(30_000);
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 wrong_chain", "upstream-2 ok"]);
  });
});

describe("a submit", () => {
  test("goes to an upstream that answered a moment ago without a probe, else after one", async () => {
    await submit();
    expect(first.requests.map(({ path }) => path)).toEqual(["", "/transactions"]);
    await submit();
    expect(first.requests.map(({ path }) => path)).toEqual(["", "/transactions", "/transactions"]);
    await world.time.pass(5_000);
    await submit();
    expect(first.requests.map(({ path }) => path).slice(3)).toEqual(["", "/transactions"]);
  });

  test("goes to the next upstream when the probe of the first fails", async () => {
    first.fault = () => errorOf("connect");
    expect(outcome(await submit())).toBe(202);
    expect([first.calls("/transactions"), second.calls("/transactions")]).toEqual([0, 1]);
  });

  test.each<[AttemptError, boolean]>([
    ["connect", true],
    ["timeout", true],
    ["truncated", true],
    ["failed", true],
    ["silent", true],
    ["throttled", false],
    ["unavailable", false],
  ])("that fails with %s may have been sent: %s; only then no other upstream gets it", async (error, maybeSent) => {
    for (const node of [first, second]) node.fault = (request) => (request.mode === "submit" ? errorOf(error) : null);
    expect(said(await submit())[0]).toBe(maybeSent ? 502 : 503);
    expect(first.calls("/transactions") + second.calls("/transactions")).toBe(maybeSent ? 1 : 2);
    second.fault = () => null;
    expect((await submit()).kind).toBe(maybeSent ? "down" : "response");
  });

  test("whose body is a stream cannot be sent again, whatever the first upstream answered", async () => {
    first.fault = ({ mode }) => (mode === "submit" ? errorOf("throttled") : null);
    const body = { length: 1, stream: new ReadableStream<Uint8Array>() };
    const request = { ...(await requestFor("POST", "/v1/transactions", "{}")), body };
    await world.time.run(callUpstreams(request, world.ports, 0n));
    expect(first.calls("/transactions") + second.calls("/transactions")).toBe(1);
  });

  const refuses = (node: SimulatedNode, version: bigint): void => {
    const response = responseOf({ message: "old", error_code: "sequence_number_too_old" }, ledgerAt(version), 400);
    const classification = { kind: "refused", revealsVersion: null } as const;
    node.fault = ({ mode }) =>
      mode === "submit" ? { kind: "response", response, classification, dialect: "node" } : null;
  };

  test.each([
    ["names the version that it is due to", 1_001n, 1_001n],
    ["names no version that another upstream contradicts", 10n ** 15n, undefined],
  ])("that is refused %s", async (_what, reported, named) => {
    await call("/v1/accounts/0x1");
    refuses(first, reported);
    const result = await submit(5_000n);
    if (result.kind !== "response") throw new Error(result.kind);
    expect([result.response.status, result.response.ledger?.version]).toEqual([400, named]);
  });

  test("whose body is still being sent is sent once, to one upstream", async () => {
    const body = { length: 300_000, stream: new ReadableStream<Uint8Array>() };
    const request = { ...(await requestFor("POST", "/v1/transactions/simulate", "{}")), body };
    for (const node of [first, second]) node.fault = ({ mode }) => (mode === "compute" ? errorOf("connect") : null);
    const result = await world.time.run(callUpstreams(request, world.ports, 0n));
    expect(said(result)).toEqual([503, 2, "No chain node answers at the moment."]);
    expect(first.calls("/transactions/simulate") + second.calls("/transactions/simulate")).toBe(1);
  });

  test("with no upstream available was not sent", async () => {
    first.fault = second.fault = () => errorOf("connect");
    expect(said(await submit())).toEqual([503, 2, "No chain node answers at the moment."]);
  });
});

describe("a version that the chain cannot have reached", () => {
  const FAR = 2n ** 63n - 1n;
  const newest = () => world.pool.tip?.ledger.version;

  test.each<[string, boolean, string | null]>([
    ["once a version is known, which excludes it", true, "contradicts"],
    ["before any is, which excludes neither", false, null],
  ])("is not believed when another upstream contradicts it, %s", async (_when, isKnown, excluded) => {
    if (isKnown) await call("/v1/accounts/0x1");
    first.headers = () => ledgerAt(FAR);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 contradicts", "upstream-2 ok"]);
    expect([newest(), world.exclusions]).toEqual([1_000n, [excluded, null]]);
  });

  test.each([1_000n, 86_400n, 315_360_000n])("is not believed for a ledger time %i s ahead", async (seconds) => {
    await call("/v1/accounts/0x1");
    // At the most that any chain commits, it would be reached by the time that the ledger itself names.
    const version = 1_000n + seconds * 50_000n;
    first.headers = () => ledgerAt(version, { timestampMicros: 1_000_000_000n + seconds * 1_000_000n });
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 contradicts", "upstream-2 ok"]);
    expect([newest(), world.exclusions]).toEqual([1_000n, ["contradicts", null]]);
  });

  test.each([
    ["below", 500_000n],
    ["above", 5_000_000n],
  ])("of a new chain is judged by that chain, not by the tip of the old one, %s which it is", async (_where, lie) => {
    for (const node of [first, second]) node.version = 1_000_000n;
    await call("/v1/accounts/0x1");
    Object.assign(world.ports, { era: 1 });
    for (const node of [first, second]) node.version = 10n;
    first.headers = () => ledgerAt(lie);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 contradicts", "upstream-2 ok"]);
    expect([world.pool.tip?.era, newest(), world.exclusions]).toEqual([1, 10n, [null, null]]);
  });

  test("of the only upstream is not believed when its ledger_info does not repeat it", async () => {
    world = new NodeWorld(1);
    await call("/v1/accounts/0x1");
    world.node(0).headers = ({ endpoint }) => (endpoint === "account" ? ledgerAt(FAR) : undefined);
    expect(outcome(await call("/v1/accounts/0x2"))).toMatchObject({ kind: "down" });
    expect([newest(), world.exclusions]).toEqual([1_000n, [null]]);
    world.node(0).headers = () => undefined;
    expect(outcome(await call("/v1/accounts/0x3"))).toBe(200);
  });

  test("control: is believed when another upstream confirms it", async () => {
    await call("/v1/accounts/0x1");
    for (const node of [first, second]) node.version = 5_000_000n;
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 ok"]);
    expect(newest()).toBe(5_000_000n);
  });

  test("control: beyond 50,000 a second its own report is not enough where there is another upstream", async () => {
    await call("/v1/accounts/0x1");
    first.version += 60_000n;
    expect(attempts(await call("/v1/accounts/0x2"))[0]).toBe("upstream-1 contradicts");
    second.version += 60_000n;
    await world.time.pass(30_000);
    expect(attempts(await call("/v1/accounts/0x3"))).toEqual(["upstream-1 ok"]);
  });
});

describe("a version further ahead than the chain has lately been going", () => {
  /** The chain goes on at a pace, and is read every second. */
  const goOn = async (perSecond: bigint, seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      for (const node of world.nodes) node.version += perSecond;
      await world.time.pass(1_000);
      await call("/v1/accounts/0x9");
    }
  };
  const lieOnce = (versions: bigint): void => {
    let told = false;
    first.headers = ({ endpoint }) => {
      if (endpoint === "ledger_info" || told) return undefined;
      told = true;
      return ledgerAt(first.version + versions);
    };
  };
  const lies = [10_000n, 40_000n];

  test.each([1, 2])("of one answer is not believed, with %i upstreams, and excludes none", async (count) => {
    for (const versions of lies) {
      world = new NodeWorld(count);
      first = world.node(0);
      await goOn(10n, 3);
      lieOnce(versions);
      const found = await call("/v1/accounts/0x2");
      expect(attempts(found)).toEqual(["upstream-1 contradicts", `upstream-${count} ok`]);
      expect(world.pool.tip?.ledger.version).toBe(first.version);
      expect(world.exclusions).toEqual(world.nodes.map(() => null));
    }
  });

  test.each(lies)("of the first answer of all, %i ahead, is not believed either", async (versions) => {
    world = new NodeWorld(1);
    first = world.node(0);
    lieOnce(versions);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 contradicts", "upstream-1 ok"]);
    expect(world.pool.tip?.ledger.version).toBe(first.version);
  });

  test("control: is believed when our own probe of the same upstream says it again", async () => {
    await goOn(10n, 3);
    first.version += 40_000n;
    const probes = [first.calls(""), second.calls("")];
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 ok"]);
    expect([first.calls(""), second.calls("")]).toEqual([(probes[0] ?? 0) + 1, probes[1]]);
    expect(world.pool.tip?.ledger.version).toBe(first.version);
  });

  test("is repeated once for all reads at the same time", async () => {
    await goOn(10n, 3);
    first.version += 40_000n;
    const probes = first.calls("");
    const paths = Array.from({ length: 50 }, (_, key) => `/v1/accounts/0x${key + 1}`);
    const requests = await Promise.all(paths.map((path) => requestFor("GET", path)));
    const found = await world.time.run(Promise.all(requests.map((request) => callUpstreams(request, world.ports, 0n))));
    expect(new Set(found.flatMap(attempts))).toEqual(new Set(["upstream-1 ok"]));
    expect(first.calls("") - probes).toBe(1);
  });

  test.each([
    ["up to 100 a second", 0n, 100n, 0],
    ["up to ten times its last rate", 500n, 4_900n, 0],
    ["above that", 500n, 10_100n, 1],
  ])("%s needs no probe, or one", async (_what, perSecond, step, probes) => {
    await goOn(perSecond, 3);
    const before = first.calls("");
    first.version += step;
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 ok"]);
    expect(first.calls("") - before).toBe(probes);
  });

  test("of nodes behind one URL that differ is believed: the probe goes most of the way", async () => {
    await goOn(0n, 3);
    first.version += 4_500n;
    first.headers = ({ endpoint }) => (endpoint === "account" ? ledgerAt(first.version + 500n) : undefined);
    expect(attempts(await call("/v1/accounts/0x2"))).toEqual(["upstream-1 ok"]);
  });
});

test.each([
  ["another chain's, and low", 5, 10n],
  ["of this chain", 4, 50_000_000n],
])("reads are answered beside a node that is %s", async (_what, chainId, version) => {
  const world = new NodeWorld(2);
  world.node(0).version = 50_000_000n;
  Object.assign(world.node(1), { chainId, version });
  for (let read = 0; read < 20; read += 1) {
    const request = await requestFor("GET", `/v1/accounts/0x${read + 1}`);
    const result = await world.time.run(callUpstreams(request, world.ports, 0n));
    expect(result).toMatchObject({ kind: "response", response: { status: 200 } });
    await world.time.pass(7_000);
  }
});
