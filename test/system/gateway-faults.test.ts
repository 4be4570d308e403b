import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import node from "../../openapi/node.json" with { type: "json" };
import { STALLED_MS } from "../../src/gateway/upstream/upstreams.ts";
import { undocumented } from "../support/documented.ts";
import { type Answer, type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { FakeNode, type FaultKind } from "../support/fake-node.ts";
import { SLOW } from "../support/runtime.ts";

let first: FakeNode;
let second: FakeNode;
let edge: Edge;
/** Edge whose deadlines no busy machine lets pass; it keeps a memory of seconds for minutes. */
let slow: Edge;
let keys = 100;
/** Shield objects of a region. */
const SHARDS = 6;

/** A read by version that no other test sends. */
const fresh = (): string => {
  keys += 1;
  return `/transactions/by_version/${keys}`;
};
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeAll(async () => {
  [first, second] = [await FakeNode.start(), await FakeNode.start()];
  first.version = second.version = 100_000n;
  const urls = [first.url, second.url];
  [edge, slow] = [await startEdge(urls), await startEdge(urls, {}, { speed: SLOW })];
  await edge.get("/v1");
});
afterAll(async () => {
  await Promise.all([edge.close(), slow.close()]);
  await Promise.all([first.stop(), second.stop()]);
});
/** Number of successive reads after which every shard has answered one, in 99 of 100 cases. */
const READS_OF_EVERY_SHARD = 4 * SHARDS;
/** Every case starts with healthy nodes and closed breakers. */
beforeEach(async () => {
  first.fault = second.fault = () => null;
  first.chainId = second.chainId = 4;
  first.oldest = second.oldest = 0n;
  first.version = second.version = first.version > second.version ? first.version : second.version;
  const untilMs = performance.now() + 120_000;
  for (let successes = 0; successes < READS_OF_EVERY_SHARD && performance.now() < untilMs; ) {
    const path = fresh();
    await edge.get(`/v1${path}`);
    successes = first.calls(path) === 1 ? successes + 1 : 0;
    if (successes === 0) await pause(100);
  }
});

const FAULTS: readonly (readonly [FaultKind, string])[] = [
  ["reset", "connect"],
  ["truncate", "truncated"],
  ["wrong_length", "truncated"],
  ["html", "headerless"],
  ["not_json", "invalid"],
  ["null_body", "invalid"],
  ["empty_body", "invalid"],
  ["other_identity", "invalid"],
  ["status_500", "failed"],
  ["status_503_html", "unavailable"],
  ["throttle", "throttled"],
  ["redirect", "refused"],
  ["hang", "timeout"],
  ["hang_in_body", "timeout"],
];

describe("with a second node, callers do not notice that the first", () => {
  test.each(FAULTS)("%s (%s)", async (fault, logged) => {
    const path = fresh();
    const served = first.served.length;
    first.fault = (request) => (request.path === path ? fault : null);
    const startedAtMs = performance.now();
    // A fault that is answered is told from a hang, although the machine needs seconds for the answer.
    const asked = logged === "timeout" ? edge : slow;
    const logStart = asked.log().length;
    const answer = await asked.get(`/v1${path}`);
    expect([answer.status, JSON.parse(answer.text).version]).toEqual([200, path.split("/").pop()]);
    expect(first.served.slice(served), "the fault was really served").toEqual([fault]);
    expect(second.calls(path)).toBe(1);
    // A call's deadline, with a wide margin for a busy machine: a node that hangs never answers.
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
    await expect.poll(() => asked.log().slice(logStart)).toContain(`"upstream":"upstream-1","result":"${logged}"`);
    // The stored response is the second node's.
    expect((await asked.get(`/v1${path}`)).headers.get("Cache-Status")).toContain("hit");
  });
});

describe.each<FaultKind>(["forbidden", "forbidden_html"])("a provider's own 403 to a read (%s)", (fault) => {
  const forbids = (isForbidden: (path: string) => boolean): FakeNode["fault"] => {
    return ({ path }) => (isForbidden(path) ? fault : null);
  };
  const faultsOf = (path: string, { status, headers, text }: Answer): string[] =>
    undocumented(node, "GET", path, { status, field: (name) => headers.get(name), text });

  test("of one node is not noticed: the other one is asked", async () => {
    const path = fresh();
    first.fault = forbids((each) => each === path);
    expect((await slow.get(`/v1${path}`)).status).toBe(200);
    expect([first.calls(path), second.calls(path)]).toEqual([1, 1]);
  });

  test("of every node is the documented 400, and blames no node", async () => {
    const path = fresh();
    first.fault = second.fault = forbids((each) => each === path);
    const answer = await slow.get(`/v1${path}`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      {
        message: "The request was refused before it reached the chain node (status 403).",
        error_code: "web_framework_error",
        vm_error_code: null,
      },
    ]);
    expect(faultsOf("/v1/transactions/by_version/{txn_version}", answer)).toEqual([]);
    const { upstreams } = JSON.parse((await slow.get("/api/health")).text);
    expect(upstreams).toMatchObject(["upstream-1", "upstream-2"].map((label) => ({ label, breaker: "closed" })));
    // The response is not stored.
    first.fault = second.fault = () => null;
    expect((await slow.get(`/v1${path}`)).status).toBe(200);
  });

  test("to everything is a node that is down", async () => {
    first.fault = second.fault = forbids(() => true);
    // A node that answered a probe within the last second is not probed again.
    await pause(1_100);
    const answer = await edge.get(`/v1${fresh()}`);
    expect([answer.status, faultsOf("/v1/transactions/by_version/{txn_version}", answer)]).toEqual([503, []]);
  });
});

test("pruned history is read from the archive, and is 410 when that lacks it too", async () => {
  [first.oldest, second.oldest] = [500n, 50n];
  const archived = await slow.get("/v1/transactions/by_version/60");
  expect([archived.status, second.calls("/transactions/by_version/60")]).toEqual([200, 1]);
  const pruned = await slow.get("/v1/transactions/by_version/40");
  expect([pruned.status, JSON.parse(pruned.text).error_code]).toEqual([410, "version_pruned"]);
  // While the archive fails, a 410 is cached for a second only.
  const path = "/transactions/by_version/61";
  second.fault = (request) => (request.path === path ? "status_500" : null);
  const served = second.served.length;
  expect((await edge.get(`/v1${path}`)).status).toBe(410);
  expect(second.served.length, "the archive was really called").toBeGreaterThan(served);
  second.fault = () => null;
  await pause(1_200);
  const again = await edge.get(`/v1${path}`);
  expect([again.status, again.headers.get("Cache-Status")]).toEqual([
    expect.toBeOneOf([200, 410]),
    expect.stringContaining("fwd=miss"),
  ]);
  // On a busy machine a probe of the archive may have failed too.
  await eventually(async () => expect((await edge.get(`/v1${path}`)).status).toBe(200));
});

describe("a submit", () => {
  const submit = (text: string): Promise<Answer> => edge.post("/v1/transactions", text);
  const sent = (text: string): number =>
    [...first.requests, ...second.requests].filter(({ body }) => body.toString() === text).length;

  test("is sent once, byte for byte", async () => {
    const text = '{ "b": 1,\n "a": 18446744073709551615, "sender":"0x1"}';
    const answer = await submit(text);
    expect([answer.status, sent(text)]).toEqual([202, 1]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test.each<FaultKind>(["reset", "truncate", "status_500", "html"])(
    "is never sent twice, even after %s",
    async (fault) => {
      first.fault = second.fault = (request) => (request.method === "POST" ? fault : null);
      const served = first.served.length + second.served.length;
      const text = `{"sequence_number":"${fault}"}`;
      const answer = await submit(text);
      expect(first.served.length + second.served.length - served).toBe(1);
      expect([sent(text), answer.status >= 500]).toEqual([1, true]);
      expect(typeof JSON.parse(answer.text).error_code).toBe("string");
    },
  );

  test("is sent to the second node when the first is known to be unhealthy", async () => {
    first.fault = () => "reset";
    // Its last calls failed: before the next submit its node is probed.
    for (let call = 0; call < 30; call += 1) await edge.get(`/v1${fresh()}`);
    const text = '{"sequence_number":"unhealthy"}';
    expect([(await submit(text)).status, sent(text)]).toEqual([202, 1]);
  });
});

test("a node that stopped following the chain is called last, and reported in health", async () => {
  second.version += 100n;
  await eventually(async () => {
    const path = fresh();
    await edge.get(`/v1${path}`);
    const transaction = `{"sequence_number":"${path}"}`;
    expect((await edge.post("/v1/transactions", transaction)).status).toBe(202);
    const submits = (node: FakeNode): number =>
      node.requests.filter(({ body }) => body.toString() === transaction).length;
    expect([first, second].map((node) => [node.calls(path), submits(node)])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
  const problems = async () => JSON.parse((await edge.get("/api/health")).text).problems;
  const outdated = expect.objectContaining({ code: "upstream_outdated", subject: "upstream-1" });
  await expect.poll(problems).toContainEqual(outdated);
});

test("a node of another chain is not used, then not called; no log line contains an address", async () => {
  first.chainId = 9;
  const answers = [await edge.get(`/v1${fresh()}`), await edge.get(`/v1${fresh()}`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(({ headers }) => headers.get("X-NODE-CHAIN-ID"))).toEqual(["4", "4"]);
  await expect.poll(edge.log).toContain("wrong_chain");
  for (const node of [first, second]) expect(edge.log()).not.toContain(new URL(node.url).port);
});

/** Ten seconds of the edge's clock take two: its timers, such as the deadlines of calls, stay. */
const SPEED = 5;
/** Longer than the calls before take, also on a busy machine. */
const STALE_SECONDS = 20;

/** Time for all attempts of a read. */
const READ_MS = 10_000 / SPEED;
/** For so long a shard trusts a node that has answered it. */
const TRUSTED_SECONDS = STALLED_MS / 1_000;

describe("in the course of time", () => {
  beforeAll(async () => {
    await edge.close();
    const settings = { STALE_IF_ERROR_SECONDS: String(STALE_SECONDS) };
    edge = await startEdge([first.url, second.url], settings, { speed: SPEED });
    await edge.get("/v1");
  });

  test("a node whose probes fail gets no more reads, and gets them again when it recovers", async ({ skip }) => {
    // A node that answered a probe within the last second is not probed again: its errors are attributed to the requests.
    await pause(1_100 / SPEED);
    const start = first.requests.length;
    const received = (isProbe: boolean): number =>
      first.requests.slice(start).filter(({ path }) => (path === "") === isProbe).length;
    first.fault = () => "status_500";
    const startedAtMs = performance.now();
    for (let call = 0; call < 80; call += 1) {
      const before = received(false);
      const sentAtMs = performance.now();
      const { status } = await edge.get(`/v1${fresh()}`);
      const readMs = Math.round(performance.now() - sentAtMs);
      if (status !== 200 && readMs > READ_MS)
        skip(`the machine was too slow: ${readMs} ms for a read, which ends after ${READ_MS} ms`);
      expect(status).toBe(200);
      // On a busy machine the next read of the shard could be earlier than its probe, which a failed read begins.
      if (received(false) > before) {
        await expect.poll(() => received(true), { interval: 20 }).toBeGreaterThanOrEqual(received(false));
        await edge.get("/api/max-supply");
      }
    }
    const reads = received(false);
    const seconds = ((performance.now() - startedAtMs) * SPEED) / 1_000;
    // Each shard of the shield probes for itself. Its first failed read starts that; other reads use the other node. A
    // shard whose reads are further apart than it trusts a node for probes the other node too, and prefers neither then.
    expect(reads, "some reads reached the failing node").toBeGreaterThanOrEqual(1);
    if (reads > SHARDS && seconds > TRUSTED_SECONDS)
      skip(
        `the machine was too slow: ${Math.ceil(seconds)} s of the edge's clock for all reads, of ${TRUSTED_SECONDS}`,
      );
    expect(reads, "then its shard prefers the other node").toBeLessThanOrEqual(SHARDS);
    await expect.poll(() => received(true), { interval: 20 }).toBeGreaterThanOrEqual(reads);
    const untilNow = ((performance.now() - startedAtMs) * SPEED) / 1_000;
    expect(received(true), "at most one probe a second").toBeLessThanOrEqual(SHARDS * (2 + Math.floor(untilNow)));
    first.fault = () => null;
    await eventually(async () => {
      await edge.get(`/v1${fresh()}`);
      expect(received(false), "reads go to the node that recovered").toBeGreaterThan(reads);
    }, 20);
  });

  test("with every node down: immutable hits, stale tip reads within their bound, otherwise 503", async ({ skip }) => {
    const pinned = fresh();
    await edge.get(`/v1${pinned}`);
    const readAtMs = performance.now();
    const before = await edge.get("/v1/accounts/0xcafe");
    expect(before.status).toBe(200);
    first.fault = second.fault = () => "reset";
    await pause(2_200 / SPEED);
    const hit = await edge.get(`/v1${pinned}`);
    expect([hit.status, hit.headers.get("Cache-Status")]).toEqual([200, expect.stringContaining("edge; hit; ttl=863")]);
    const stale = await edge.get("/v1/accounts/0xcafe");
    const seconds = Math.ceil(((performance.now() - readAtMs) * SPEED) / 1_000);
    if (seconds >= STALE_SECONDS)
      skip(`the machine was too slow: ${seconds} s of the edge's clock for three calls, of ${STALE_SECONDS} s`);
    expect([stale.status, stale.text]).toEqual([200, before.text]);
    expect(stale.headers.get("Cache-Status")).toMatch(/^edge; hit; ttl=-\d+; detail=upstream-down$/);
    expect(Number(stale.headers.get("Age"))).toBeGreaterThanOrEqual(1);
    const unknown = await edge.get("/v1/accounts/0xbeef");
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      503,
      { message: expect.any(String), error_code: "internal_error", vm_error_code: null },
    ]);
    expect(Number(unknown.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    await pause((STALE_SECONDS * 1_000) / SPEED);
    expect((await edge.get("/v1/accounts/0xcafe")).status).toBe(503);
    first.fault = second.fault = () => null;
    await eventually(async () => {
      const again = await edge.get("/v1/accounts/0xcafe");
      expect([again.status, again.headers.get("Cache-Status")]).toEqual([
        200,
        expect.not.stringContaining("upstream-down"),
      ]);
    });
  });
});
