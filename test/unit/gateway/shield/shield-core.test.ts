import { beforeEach, describe, expect, test } from "vitest";
import type { LedgerMark } from "../../../../src/chain/ledger-point.ts";
import { responseLru } from "../../../../src/gateway/cache/lru.ts";
import { responseOf } from "../../../../src/gateway/cache/policy.ts";
import type { CachedResponse, NodeRequest } from "../../../../src/gateway/node-types.ts";
import type { ShieldRequest, ShieldResult } from "../../../../src/gateway/shield/messages.ts";
import { ShieldCore } from "../../../../src/gateway/shield/shield-core.ts";
import { TipWatch } from "../../../../src/gateway/shield/tip-watch.ts";
import { markOf } from "../../../../src/gateway/tip/known-tip.ts";
import type { Ledger } from "../../../../src/gateway/tip/ledger-headers.ts";
import { classifyResponse } from "../../../../src/gateway/upstream/classify-response.ts";
import { callUpstreams } from "../../../../src/gateway/upstream/failover.ts";
import type { Exchange } from "../../../../src/gateway/upstream/upstream-result.ts";
import { requestFor } from "../requests.ts";
import { errorOf, ledgerAt, NodeWorld, responseOf as nodeResponse } from "../upstream/nodes.ts";

let world: NodeWorld;
let watch: TipWatch;
let memory: ReturnType<typeof responseLru>;
let saved: Map<string, CachedResponse>;
let core: ShieldCore;
let lentTo: Exchange[][];
/** The newest point that a caller has seen by then, when that is above the noted one. */
let noted: LedgerMark | null;
/** What callers' objects received. */
let marks: LedgerMark[];
/** How often the chain was suspected to have been reset. */
let suspicions: number;
/** Whether callers' objects answer. */
let isNoting: boolean;
/** What a look-up of the tip finds, and how many there were. */
let lookedUp: Ledger | null;
let lookUps: number;

const coreOver = (): ShieldCore =>
  new ShieldCore({
    now: world.time.now,
    watch,
    call: (request, floor, lent) => {
      lentTo.push(lent);
      return callUpstreams(request, world.ports, floor?.version ?? 0n);
    },
    memory,
    outdated: () => [1],
    staleIfErrorSeconds: 30,
    recall: (key) => saved.get(key),
    keep: (key, value) => void saved.set(key, value),
    onLagging: () => {
      suspicions += 1;
    },
    note: async (_target, mark) => {
      marks.push(mark);
      return isNoting ? (noted ?? mark) : null;
    },
  });

beforeEach(() => {
  world = new NodeWorld(1);
  memory = responseLru(1_000_000);
  saved = new Map();
  lentTo = [];
  noted = null;
  marks = [];
  suspicions = 0;
  isNoting = true;
  [lookedUp, lookUps] = [null, 0];
  const lookUp = async () => {
    lookUps += 1;
    return lookedUp;
  };
  const ports = { now: world.time.now, sleep: world.time.sleep, lookUp, onEpoch: () => undefined };
  watch = new TipWatch(ports, 0);
  core = coreOver();
});

const CURRENT = { kind: "valid", answer: "current", revealsVersion: 1_000n } as const;
/** An unused connection of a caller. */
const ownExchange: Exchange = async () => errorOf("connect");

const requesting = (request: NodeRequest, more: Partial<ShieldRequest> = {}): ShieldRequest => ({
  ...{ request, epoch: 0, recent: null, floor: null, minVersion: null, noted: null, noteTarget: null, polled: null },
  ...more,
});
const read = async (path: string, more: Partial<ShieldRequest> = {}): Promise<ShieldResult> =>
  world.time.run(core.answer(requesting(await requestFor("GET", path), more), ownExchange));
const source = (result: ShieldResult): string => (result.kind === "value" ? result.source : "down");

test("a thousand concurrent equal reads are one upstream call", async () => {
  const request = await requestFor("GET", "/v1/accounts/0x1");
  const answers = await world.time.run(
    Promise.all(Array.from({ length: 1_000 }, () => core.answer(requesting(request), ownExchange))),
  );
  expect(world.node(0).calls("/accounts/0x1")).toBe(1);
  expect(answers.map(source).filter((each) => each === "collapsed")).toHaveLength(999);
});

describe("while no upstream answers", () => {
  beforeEach(async () => {
    await read("/v1/accounts/0x1");
    await world.time.pass(2_000);
    world.node(0).fault = () => errorOf("connect");
  });

  test("the last good response is served up to its maximum age", async () => {
    expect(source(await read("/v1/accounts/0x1"))).toBe("stale");
    expect(source(await read("/v1/accounts/0x2"))).toBe("down");
    await world.time.pass(29_000);
    expect(source(await read("/v1/accounts/0x1"))).toBe("down");
  });

  test("but not below a version that its caller has seen, and not of another epoch", async () => {
    expect(source(await read("/v1/accounts/0x1", { floor: { epoch: 0, version: 1_001n } }))).toBe("down");
    expect(source(await read("/v1/accounts/0x1", { epoch: 7 }))).toBe("down");
  });
});

test("a response from before the chain was replaced belongs to the previous epoch", async () => {
  const request = await requestFor("GET", "/v1/transactions/by_version/7");
  const early = core.answer(requesting(request), ownExchange);
  await new Promise((resolve) => setImmediate(resolve));
  watch.enter(7);
  const result = await world.time.run(early);
  expect(result.kind === "value" ? result.value.epoch : null).toBe(0);
  expect(source(await read("/v1/transactions/by_version/7"))).toBe("upstream");
  expect(source(await read("/v1/transactions/by_version/7"))).toBe("shield");
});

test("only keys that are read again are stored on disk: keys read once evict nothing", async () => {
  for (let key = 0; key < 300; key += 1) await read(`/v1/accounts/0x${key}`);
  expect(saved.size).toBe(0);
  await world.time.pass(2_000);
  world.node(0).version += 1n;
  await read("/v1/accounts/0x1");
  expect([...saved.keys()]).toEqual(["GET /accounts/0x1 json "]);
});

test("every result names the outdated upstreams, for the isolate that sends requests itself", async () => {
  expect(await read("/v1/accounts/0x1")).toMatchObject({ kind: "value", outdated: [1] });
  expect(await read("/v1/accounts/0x1", { minVersion: 10n ** 15n })).toMatchObject({ kind: "down", outdated: [1] });
});

test.each<[string, boolean, bigint | null, bigint | null]>([
  ["a floor above every node's version", true, 5_000n, null],
  ["a floor that a node has reached", false, 900n, null],
  ["no floor", false, null, null],
  ["a required version above every node's", false, null, 10n ** 15n],
])("a read with %s leads to a check for a reset of the chain: %s", async (_what, expected, version, minVersion) => {
  await read("/v1/accounts/0x1", { floor: version === null ? null : { epoch: 0, version }, minVersion });
  expect(suspicions > 0).toBe(expected);
});

test("a required version above every node's is answered as lagging, without a call", async () => {
  const result = await read("/v1/accounts/0x1", { minVersion: 10n ** 15n });
  expect(result).toMatchObject({ kind: "down", maybeSent: false, lagging: true, retryAfterSeconds: 1 });
  expect(world.node(0).requestPaths).toEqual([]);
});

test("an immutable response is served after one call, whatever version its caller has seen", async () => {
  const found = await read("/v1/transactions/by_version/7", { floor: { epoch: 0, version: 5_000n } });
  expect([source(found), world.node(0).calls("/transactions/by_version/7")]).toEqual(["upstream", 1]);
});

test("a caller that joins a call for a large body is sent its own, over its own connection", async () => {
  const request = await requestFor("GET", "/v1/accounts/0x1/resources");
  world.node(0).fault = ({ endpoint }) => {
    if (endpoint !== "account_resources") return null;
    const large = { length: 2_000_000, stream: new ReadableStream<Uint8Array>() };
    const response = { ...nodeResponse([], ledgerAt(1_000n)), large };
    return { kind: "response", response, classification: CURRENT, dialect: "node" };
  };
  const exchanges: Exchange[] = [async () => errorOf("connect"), async () => errorOf("connect")];
  const answers = exchanges.map((exchange) => core.answer(requesting(request), exchange));
  expect((await world.time.run(Promise.all(answers))).map(source)).toEqual(["upstream", "upstream"]);
  expect(world.node(0).requestPaths).toHaveLength(2);
  expect(lentTo.map(([first]) => first === exchanges[0])).toEqual([true, false]);
  expect(lentTo[1]?.[0] === exchanges[1]).toBe(true);
});

test("a caller that joins a call lends its connection too", async () => {
  const request = await requestFor("GET", "/v1/accounts/0x1");
  const exchanges: Exchange[] = [async () => errorOf("connect"), async () => errorOf("connect")];
  const answers = exchanges.map((exchange) => core.answer(requesting(request), exchange));
  await new Promise((resolve) => setImmediate(resolve));
  const [lent, ...more] = lentTo;
  expect([lent?.[0] === exchanges[0], lent?.[1] === exchanges[1], more]).toEqual([true, true, []]);
  await world.time.run(Promise.all(answers));
});

test.each([
  ["below the version that its caller has seen: not served", markOf(0, ledgerAt(1_001n)), "upstream"],
  ["control: not below it: served", null, "shield"],
])("a stored response, %s", async (_what, seen, expected) => {
  await read("/v1/accounts/0x1");
  noted = seen;
  const noteTarget = { object: "o", region: "weur", key: "k" } as const;
  expect(source(await read("/v1/accounts/0x1", { noteTarget }))).toBe(expected);
});

test.each(["/v1/accounts/0x1", "/v1/transactions/by_version/7"])(
  "a stored response of %s that is served is noted once at the caller's object",
  async (path) => {
    const noteTarget = { object: "o", region: "weur", key: "k" } as const;
    await read("/v1/accounts/0x1");
    await read(path);
    expect(marks).toEqual([]);
    expect(await read(path, { noteTarget })).toMatchObject({ kind: "value", source: "shield", isNoted: true });
    expect(marks.map(({ version }) => version)).toEqual([1_000n]);
  },
);

test("an object of a caller that does not answer is called once for a stored response", async () => {
  await read("/v1/accounts/0x1");
  isNoting = false;
  const noteTarget = { object: "o", region: "weur", key: "k" } as const;
  expect(await read("/v1/accounts/0x1", { noteTarget })).toMatchObject({ source: "shield", isNoted: false });
  expect(marks).toHaveLength(1);
});

describe("a commit that a long poll found at another object", () => {
  const HASH = `0x${"ab".repeat(32)}`;
  const BY_HASH = `/v1/transactions/by_hash/${HASH}`;
  const pollOf = async (type: "user_transaction" | "pending_transaction", epoch = 0): Promise<ShieldRequest> => {
    const request = await requestFor("GET", `/v1/transactions/wait_by_hash/${HASH}`);
    const response = nodeResponse({ type, hash: HASH, version: "7" }, ledgerAt(1_000n));
    const classification = classifyResponse(request, response);
    if (classification.kind === "invalid") throw new Error(classification.why);
    const result = { kind: "response", response, classification, attempts: [] } as const;
    return requesting(request, { epoch, polled: await responseOf(request, result, epoch, world.time.now()) });
  };
  const settle = (poll: ShieldRequest): Promise<ShieldResult> => core.answer(poll, ownExchange);
  const typeOf = (result: ShieldResult): unknown =>
    result.kind === "value" ? JSON.parse(new TextDecoder().decode(result.value.body)).type : "down";

  beforeEach(() => {
    const pending = nodeResponse({ type: "pending_transaction", hash: HASH }, ledgerAt(1_000n));
    world.node(0).fault = (request) => {
      const classification = classifyResponse(request, pending);
      if (request.endpoint !== "transaction_by_hash" || classification.kind === "invalid") return null;
      return { kind: "response", response: pending, classification, dialect: "node" };
    };
  });

  test("is read by hash, without a call to a node that reports it as pending", async () => {
    expect(typeOf(await read(BY_HASH)), "control: the node reports it as pending").toBe("pending_transaction");
    await settle(await pollOf("user_transaction"));
    const result = await read(BY_HASH);
    expect([source(result), typeOf(result)]).toEqual(["shield", "user_transaction"]);
  });

  test("answers a read that was already in progress, and the callers that joined it", async () => {
    const request = await requestFor("GET", BY_HASH);
    const early = core.answer(requesting(request), ownExchange);
    await new Promise((resolve) => setImmediate(resolve));
    await settle(await pollOf("user_transaction"));
    const results = await world.time.run(Promise.all([early, core.answer(requesting(request), ownExchange)]));
    expect(world.node(0).requestPaths).toHaveLength(1);
    expect(results.map(typeOf)).toEqual(["user_transaction", "user_transaction"]);
  });

  test("answers a poll that the node reports as pending, unless it is of a replaced chain", async () => {
    await settle(await pollOf("user_transaction"));
    expect(typeOf(await settle(await pollOf("pending_transaction")))).toBe("user_transaction");
    expect(typeOf(await settle(await pollOf("pending_transaction", 7)))).toBe("pending_transaction");
  });

  test("of a replaced chain is not stored", async () => {
    watch.enter(7);
    await settle({ ...(await pollOf("user_transaction")), epoch: 7 });
    expect(memory.size).toBe(0);
  });

  test("states whether its caller's object has noted the response's version", async () => {
    const poll = { ...(await pollOf("user_transaction")), noteTarget: { object: "o", region: "weur", key: "k" } };
    expect(await settle(poll)).toMatchObject({ isNoted: true });
    isNoting = false;
    expect(await settle(poll)).toMatchObject({ isNoted: false });
  });
});

describe("on a quiet chain", () => {
  const PATHS = ["/v1/accounts/0x1", "/v1/accounts/0x2"];
  /** The sources of both reads, made so long after the first ones, and the number of look-ups of the tip. */
  const readAfter = async (milliseconds: number): Promise<unknown> => {
    for (const path of PATHS) await read(path);
    lookedUp = ledgerAt(1_000n);
    await world.time.pass(watch.changedAtMs + milliseconds - world.time.nowMs);
    const sources: string[] = [];
    for (const path of PATHS) sources.push(source(await read(path)));
    return [sources, lookUps];
  };

  test("one look-up of the tip serves all keys", async () => {
    expect(await readAfter(5_001)).toEqual([["shield", "shield"], 1]);
  });

  test("that moved five seconds ago none is made: it has probably moved again", async () => {
    expect(await readAfter(5_000)).toEqual([["upstream", "shield"], 0]);
  });

  test("a response that is still fresh needs none", async () => {
    expect(await readAfter(900)).toEqual([["shield", "shield"], 0]);
  });
});

test.each([
  [30_000, "stale"],
  [30_001, "down"],
])("while no upstream answers, a response that is %i ms old is %s", async (ageMs, expected) => {
  await read("/v1/accounts/0x1");
  world.node(0).fault = () => errorOf("connect");
  const storedAtMs = memory.get((await requestFor("GET", "/v1/accounts/0x1")).key)?.storedAtMs ?? 0;
  core = new ShieldCore({
    ...{ now: () => storedAtMs + ageMs, watch, memory, outdated: () => [], staleIfErrorSeconds: 30 },
    ...{ recall: () => undefined, keep: () => undefined, onLagging: () => undefined, note: async () => null },
    call: async () => ({ kind: "down", maybeSent: false, lagging: false, retryAfterSeconds: 1, attempts: [] }),
  });
  expect(source(await read("/v1/accounts/0x1"))).toBe(expected);
});

test("a result states the tip's age and the time that the shield took", async () => {
  expect(await read("/v1/accounts/0x1", { minVersion: 10n ** 15n })).toMatchObject({ tip: null, tipAgeMs: 0 });
  world.node(0).delayMs = 40;
  const first = await read("/v1/accounts/0x1");
  // The read, and a second one that confirms the first ledger.
  expect(first).toMatchObject({ ageMs: 0, tipAgeMs: 0, elapsedMs: 80, tip: { ledger: { version: 1_000n } } });
  await world.time.pass(300);
  expect(await read("/v1/accounts/0x1")).toMatchObject({ source: "shield", ageMs: 300, tipAgeMs: 300, elapsedMs: 0 });
});

describe("a caller that has seen a version above the upstream's", () => {
  const floor = { epoch: 0, version: 1_001n };

  test("is answered when the upstream catches up within a second", async () => {
    const reading = read("/v1/accounts/0x1", { floor });
    void world.time.sleep(500).then(() => {
      world.node(0).version = 1_001n;
      watch.report(ledgerAt(1_001n));
    });
    expect(await reading).toMatchObject({ kind: "value", value: { ledger: { version: 1_001n } } });
  });

  test("is refused after about a second otherwise", async () => {
    const startedAtMs = world.time.nowMs;
    expect(await read("/v1/accounts/0x1", { floor })).toMatchObject({ kind: "down", lagging: true });
    expect(world.time.nowMs - startedAtMs).toBeGreaterThanOrEqual(1_000);
    expect(world.time.nowMs - startedAtMs).toBeLessThan(1_200);
  });

  test("is refused at once when no upstream responds: none lags", async () => {
    world.node(0).fault = () => errorOf("too_large");
    const startedAtMs = world.time.nowMs;
    expect(await read("/v1/accounts/0x1", { floor })).toMatchObject({ kind: "down", lagging: false });
    expect([world.time.nowMs - startedAtMs < 500, lookUps]).toEqual([true, 0]);
  });

  test("joins no call with an older response, but makes its own", async () => {
    const request = await requestFor("GET", "/v1/accounts/0x1");
    const early = core.answer(requesting(request), ownExchange);
    await new Promise((resolve) => setImmediate(resolve));
    void world.time.sleep(11).then(() => {
      world.node(0).version = 1_001n;
    });
    const late = core.answer(requesting(request, { floor }), ownExchange);
    const results = await world.time.run(Promise.all([early, late]));
    expect(results.map((each) => (each.kind === "value" ? each.value.ledger?.version : null))).toEqual([
      1_000n,
      1_001n,
    ]);
  });
});

describe("what a response reveals is noted at its caller's object", () => {
  const noteTarget = { object: "o", region: "weur", key: "k" } as const;
  const at = (version: bigint) => ({ epoch: 0, version });
  const TIP = "/v1/accounts/0x1";
  const FINAL = "/v1/transactions/by_version/7";
  test.each<[string, string, Partial<ShieldRequest>, bigint | null, bigint[]]>([
    ["a response at the tip", TIP, {}, 1_000n, [1_000n]],
    ["even if that is noted already, to compare it", TIP, { noted: at(1_000n) }, 1_000n, [1_000n]],
    ["a final response, which names the node's tip", FINAL, {}, 1_000n, [1_000n]],
    ["but not when its own version is noted already", FINAL, { noted: at(7n) }, null, []],
    ["and when only an earlier one is", FINAL, { noted: at(6n) }, 1_000n, [1_000n]],
    ["with a version required, the tip", FINAL, { minVersion: 900n, noted: at(7n) }, 1_000n, [1_000n]],
  ])("%s", async (_what, path, more, version, notes) => {
    watch.report(ledgerAt(1_000n));
    const result = await read(path, { noteTarget, ...more });
    if (result.kind !== "value") throw new Error("no upstream answered");
    expect([result.shows?.version ?? null, result.isNoted]).toEqual([version, true]);
    expect(marks.map((mark) => mark.version)).toEqual(notes);
  });

  test.each([
    ["without a caller", null, true],
    ["while its object does not answer", noteTarget, false],
  ])("%s it is not", async (_when, target, answers) => {
    isNoting = answers;
    expect(await read(TIP, { noteTarget: target })).toMatchObject({ kind: "value", isNoted: false });
  });
});

test("a stored final response that a poll gets has its age", async () => {
  const HASH = `0x${"ab".repeat(32)}`;
  const poll = async (type: string): Promise<ShieldRequest> => {
    const request = await requestFor("GET", `/v1/transactions/wait_by_hash/${HASH}`);
    const response = nodeResponse({ type, hash: HASH, version: "7" }, ledgerAt(1_000n));
    const classification = classifyResponse(request, response);
    if (classification.kind === "invalid") throw new Error(classification.why);
    const result = { kind: "response", response, classification, attempts: [] } as const;
    return requesting(request, { polled: await responseOf(request, result, 0, 1) });
  };
  const first = await core.answer(await poll("user_transaction"), ownExchange);
  expect(first).toMatchObject({ source: "upstream", isNoted: false, ageMs: 0 });
  await world.time.pass(700);
  const second = await core.answer(await poll("pending_transaction"), ownExchange);
  expect(second).toMatchObject({ source: "shield", ageMs: 700 });
});
