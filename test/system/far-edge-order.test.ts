import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashOf } from "../support/fake-chain.ts";
import type { FakeNode } from "../support/fake-node.ts";
import { type FarEdge, startFarEdge } from "../support/far-edge.ts";
import { accounts, callersOf, livingNodes } from "../support/far-edge-callers.ts";
import { wasLimiterLate } from "../support/late-limiter.ts";

/** More every night. */
const ORDER_CALLS = Number(process.env["ORDER_CALLS"] ?? "500");
/** Speed of the clock where a test waits until a chain is recognized as another one. */
const SPEED = 5;
/** Time in which an upstream must answer a probe, by the test's clock. */
const PROBE_MS = 1_500 / SPEED;
const PREFLIGHT = { Origin: "https://wallet.example", "Access-Control-Request-Method": "GET" };
/** A chain is recognized after a quarter of this time if probes are answered. */
const RECOGNIZED_MS = 120_000;

let node: FakeNode;
let laggard: FakeNode;
let far: FarEdge;

beforeAll(async () => {
  [node, laggard] = await livingNodes();
  // An object that answers late would be left out. The clock is five times slower, and its waits are still short.
  far = await startFarEdge([node.url, laggard.url], {}, 0.2);
});
afterAll(async () => {
  await far.close();
  await Promise.all([node.stop(), laggard.stop()]);
});
beforeEach(async () => {
  node.fault = laggard.fault = () => null;
  laggard.version = node.version;
  await far.set({ isolateToObjectMs: 20, objectToObjectMs: 10, jitter: 0 });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const { newCaller, get, getAll } = callersOf(() => far);

/**
 * Reads of all kinds through all isolates. Counts decreases of the ledger, and data missing or pending after it was
 * seen.
 */
async function mixed(
  calls: number,
  addressOf: (lane: number) => string,
  disturb: (count: number) => Promise<unknown> | null = () => null,
) {
  const found = { answers: 0, falls: 0, missing: 0, pending: 0, refused: 0, slowestMs: 0 };
  let count = 0;
  const lane = async (number: number): Promise<void> => {
    let seen = 0n;
    while (count < calls) {
      count += 1;
      await disturb(count);
      const kinds = [
        `/v1/accounts/0x${(count % 5).toString(16)}`,
        "/v1",
        `/v1/transactions/by_version/${seen === 0n ? 3n : seen}`,
        `/v1/transactions/by_hash/${hashOf(seen === 0n ? 3n : seen)}`,
        "/v1/transactions?limit=3",
        "/v1/estimate_gas_price",
        `/v1/accounts/0x1?ledger_version=${count % 11}`,
      ];
      const path = kinds[count % kinds.length] ?? "/v1";
      const sentAtMs = performance.now();
      const answer = await get(count, path, addressOf(number)).catch(() => null);
      found.slowestMs = Math.max(found.slowestMs, performance.now() - sentAtMs);
      if (answer === null || answer.version < 0n) {
        found.refused += 1;
        continue;
      }
      found.answers += 1;
      if (answer.version < seen) found.falls += 1;
      if (path.includes("/by_") && answer.status === 404) found.missing += 1;
      if (answer.text.includes("pending_transaction")) found.pending += 1;
      seen = answer.version;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_none, number) => lane(number)));
  return found;
}

describe("a caller's monotonic reads", () => {
  /** Versions by which the laggard is behind, and their time, which an answer must not take. */
  const [LAG, LAG_MS] = [10n, 1_000];
  const moving = <T>(work: () => Promise<T>, lag = LAG): Promise<T> => {
    const chain = setInterval(() => {
      laggard.version = node.version - lag;
      node.version += 1n;
    }, 100);
    return work().finally(() => clearInterval(chain));
  };

  test("hold over isolates, jitter, failovers, a lagging node, object resets and a restart", async ({ skip }) => {
    await far.set({ isolateToObjectMs: 12, objectToObjectMs: 6, jitter: 0.9 });
    node.fault = () => (node.requests.length % 9 === 0 ? "status_500" : null);
    const faults = node.served.length;
    let objects = 0;
    const address = () => "203.0.113.7";
    // Between two resets there are so many reads that no call is cut by both: it is repeated only once.
    const reset = async () => (objects += await far.resetObjects());
    const found = await moving(async () => {
      const first = await mixed(ORDER_CALLS / 2, address, (count) => (count % 32 === 0 ? reset() : null));
      await far.restart();
      const second = await mixed(ORDER_CALLS / 2, address);
      return [first, second];
    });
    const slowestMs = Math.max(...found.map((each) => each.slowestMs));
    const isInOrder = found.every(({ falls, missing, pending }) => falls + missing + pending === 0);
    if (!isInOrder && wasLimiterLate(far.log()))
      skip(`the machine was too slow: an object was late, and an answer took ${Math.round(slowestMs)} ms`);
    for (const each of found) expect(each).toMatchObject({ falls: 0, missing: 0, pending: 0 });
    const isLagging = () => far.log().includes('"result":"lagging"');
    const isComplete = () => isLagging() && found.every(({ answers }) => answers > ORDER_CALLS / 4);
    if (slowestMs > LAG_MS && !isComplete())
      skip(`the machine was too slow: an answer took ${Math.round(slowestMs)} ms`);
    for (const { answers } of found) expect(answers).toBeGreaterThan(ORDER_CALLS / 4);
    expect(objects, "objects were really reset").toBeGreaterThan(3);
    expect(node.served.length - faults, "the first node really failed").toBeGreaterThan(10);
    await expect.poll(isLagging, { message: "the lagging node was really detected" }).toBe(true);
  }, 600_000);

  test("control: callers that change their address do see the ledger go back", async () => {
    await far.set({ isolateToObjectMs: 12, objectToObjectMs: 6, jitter: 0.9 });
    node.fault = () => (node.requests.length % 9 === 0 ? "status_500" : null);
    const found = await moving(() => mixed(400, newCaller), 1_000n);
    expect(found.falls).toBeGreaterThan(0);
  });
});

test("a commit that a new isolate polls for never turns pending, on a replaced chain", async ({ skip }) => {
  await far.close();
  far = await startFarEdge([node.url, laggard.url], {}, SPEED);
  const readAll = () => getAll(accounts(0x600, 144));
  await readAll();

  node.salt = laggard.salt = "cd";
  node.version = laggard.version = node.version - 500n;
  const sentAtMs = performance.now();
  let slowestMs = 0;
  for (; !far.log().includes("chain_replaced"); await pause(2_000)) {
    const readAtMs = performance.now();
    const answered = fetch(node.url).then(() => (slowestMs = Math.max(slowestMs, performance.now() - readAtMs)));
    await Promise.all([readAll(), answered]);
    if (performance.now() - sentAtMs < RECOGNIZED_MS) continue;
    if (slowestMs > PROBE_MS) skip(`the machine was too slow: a node needed ${Math.round(slowestMs)} ms for an answer`);
    throw new Error("the chain was not recognized as another one");
  }
  // Every shard learns of it from the isolates.
  for (let round = 0; round < 2; round += 1) await readAll();
  await far.restart();
  const address = "203.0.113.99";
  /** Starts the caller's limiter object, through another isolate than the poll's, without a floor. */
  const startLimiter = async () => {
    const preflight = await get(1, "/v1", address, { method: "OPTIONS", headers: PREFLIGHT });
    expect(preflight.calls, "it really called the object").toBe("limiter.peek=1");
  };
  await startLimiter();
  // And the home object, which knows the era.
  await get(1, "/v1/accounts/0x1");
  node.version += 1n;
  const { version } = node;
  const hash = hashOf(version, "cd");
  laggard.pending.add(hash);
  const poll = await get(0, `/v1/transactions/wait_by_hash/${hash}`, address);
  expect([poll.status, poll.text]).toEqual([200, expect.stringContaining("user_transaction")]);
  node.fault = ({ path }) => (path.includes("/by_hash/") ? "status_500" : null);
  const lagging = await (await fetch(`${laggard.url}/transactions/by_hash/${hash}`)).text();
  expect(lagging, "control: the lagging node reports it as pending").toContain("pending_transaction");
  const path = `/v1/transactions/by_hash/${hash}`;
  const isPending = async (isolate: number) => {
    const { text } = await get(isolate, path, address);
    const is = text.includes("pending_transaction");
    if (is && wasLimiterLate(far.log())) skip("the machine was too slow: an object did not answer in a second");
    return is;
  };
  expect(await isPending(1)).toBe(false);
  // A reset loses an object's memory, but not the floors of its callers.
  await far.resetObjects();
  await startLimiter();
  expect(await isPending(2)).toBe(false);
  node.fault = () => null;
  expect((await get(2, path, address)).text).toContain("user_transaction");
});
