import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Notice } from "../../../src/health/alert.ts";
import { evaluateHealth, type Health } from "../../../src/health/report.ts";
import { watch } from "../../../src/health/watch.ts";
import type { Problem } from "../../../src/problems.ts";

const LAG: Problem = { code: "upstream_unreachable", subject: "node-1", message: "Chain node node-1 does not answer." };
const ABOVE: Problem = { code: "circulating_above_total", subject: "circulating_supply", message: "More than all." };
const HOUR_MS = 3_600_000;

/** A deployment that is checked every hour. `receiver.up`: whether the webhook accepts notices. */
function deployment(store = new Map<string, { value: string; storedAtMs: number }>()) {
  const world = { problems: [] as Problem[], failing: false, storeUp: true };
  const receiver = { up: true, taken: [] as Notice[], offered: 0 };
  const logged: string[] = [];
  const recorded = new Map<string, string>();
  const writes = { count: 0 };
  const newIsolate = () =>
    watch({
      health: async ({ nowMs }): Promise<Health> => {
        const figure = { name: "total_supply", boundSeconds: 3_600, error: world.failing ? "expired" : null };
        const figures = [{ ...figure, ageSeconds: world.failing ? null : Math.floor(nowMs / HOUR_MS) }];
        return evaluateHealth({
          nowMs,
          versionWord: "ledger version",
          figures,
          upstreams: [],
          tipRead: "current",
          chainReplaced: null,
          disagreements: [],
          storeRefusedAtMs: null,
          damagedTables: [],
          limiterObjects: [],
          fullLimiters: [],
          nativeStaking: { source: null, reason: "it is not read" },
          figureProblems: world.problems,
        });
      },
      lastGood: {
        get: async (name) => (world.storeUp ? (store.get(name) ?? null) : undefined),
        put: async (name, value, storedAtMs) => {
          writes.count += 1;
          if (world.storeUp) store.set(name, { value, storedAtMs });
        },
      },
      post: async (notice) => {
        receiver.offered += 1;
        if (receiver.up) receiver.taken.push(notice);
        return receiver.up;
      },
      recordChange: async ({ changed_at, status }) => recorded.set(changed_at, status),
      buildRevision: "abc123",
      log: (event) => logged.push(event),
    });
  let check = newIsolate();
  let hour = 0;
  const nextHour = async () => {
    hour += 1;
    await check({ nowMs: hour * HOUR_MS, waitUntil: () => {} });
    return receiver.taken.map(({ previous_status, status }) => `${previous_status} -> ${status}`);
  };
  const evict = () => {
    check = newIsolate();
  };
  return { world, receiver, logged, recorded, writes, nextHour, evict, store };
}

describe("the hourly check", () => {
  test("records each change, the recovery too, while the receiver is down", async () => {
    const { world, receiver, recorded, nextHour } = deployment();
    receiver.up = false;
    for (const [problems, changes] of [
      [[], []],
      [[LAG], ["degraded"]],
      [[LAG], ["degraded"]],
      [[], ["degraded", "ok"]],
      [[], ["degraded", "ok"]],
    ] as const) {
      world.problems = [...problems];
      await nextHour();
      expect([...recorded.values()]).toEqual(changes);
    }
  });

  test("a change that was not recorded, as after a crash, is recorded with its next notice", async () => {
    const { world, receiver, recorded, nextHour } = deployment();
    receiver.up = false;
    world.problems = [LAG];
    await nextHour();
    recorded.clear();
    await nextHour();
    expect([...recorded.values()]).toEqual(["degraded"]);
  });

  const REPAIR = "Repair what the message names, or remove the node. See docs/operations.md#add-or-remove-a-node.";
  const FOLLOW = "Follow the reason in the message. See docs/operations.md#figures-are-503.";

  test("posts each change once, with its reason and its remedy, from any number of isolates", async () => {
    const { world, receiver, nextHour, evict } = deployment();
    await nextHour();
    world.problems = [LAG];
    for (let n = 0; n < 3; n += 1) {
      await nextHour();
      evict();
    }
    world.failing = true;
    for (let n = 0; n < 3; n += 1) await nextHour();
    world.failing = false;
    world.problems = [];
    for (let n = 0; n < 3; n += 1) await nextHour();
    expect(receiver.taken.map(({ text }) => text)).toEqual([
      `ok -> degraded: Chain node node-1 does not answer. Remedy: ${REPAIR}`,
      `degraded -> failing: total_supply cannot be served: expired. Chain node node-1 does not answer. Remedy: ${FOLLOW} ${REPAIR}`,
      "failing -> ok: Every figure is served.",
    ]);
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(3);
    expect(receiver.offered).toBe(3);
  });

  test("writes its state when it has changed, and not every hour", async () => {
    const { world, writes, nextHour, evict } = deployment();
    for (let n = 0; n < 3; n += 1) {
      await nextHour();
      evict();
    }
    expect(writes.count).toBe(1);
    world.problems = [LAG];
    await nextHour();
    await nextHour();
    // The condition before it is posted, and that it was delivered.
    expect(writes.count).toBe(3);
  });

  test("another problem is a change; the same problem with other numbers is not", async () => {
    const { world, nextHour } = deployment();
    world.problems = [{ ...ABOVE, message: "1 more than all." }];
    await nextHour();
    world.problems = [{ ...ABOVE, message: "2 more than all." }];
    expect(await nextHour()).toEqual(["ok -> degraded"]);
    world.problems = [ABOVE, LAG];
    expect(await nextHour()).toEqual(["ok -> degraded", "degraded -> degraded"]);
    world.problems = [LAG, ABOVE];
    expect(await nextHour()).toEqual(["ok -> degraded", "degraded -> degraded"]);
  });

  test("retries the next hour, under the same id, until the receiver accepts it", async () => {
    const { world, receiver, logged, nextHour } = deployment();
    world.problems = [LAG];
    receiver.up = false;
    await nextHour();
    await nextHour();
    expect([
      receiver.offered,
      receiver.taken.length,
      logged.filter((event) => event === "alert_not_delivered"),
    ]).toEqual([2, 0, ["alert_not_delivered", "alert_not_delivered"]]);
    receiver.up = true;
    expect(await nextHour()).toEqual(["ok -> degraded"]);
    await nextHour();
    expect(receiver.offered).toBe(3);
  });

  test("with the store down, one isolate still posts a change once", async () => {
    const { world, nextHour } = deployment();
    await nextHour();
    Object.assign(world, { storeUp: false, problems: [LAG] });
    await nextHour();
    expect(await nextHour()).toEqual(["ok -> degraded"]);
    // The stored value is older.
    Object.assign(world, { storeUp: true, problems: [] });
    expect(await nextHour()).toEqual(["ok -> degraded", "degraded -> ok"]);
  });

  test.each(["null", "{", ""])("ignores %j, a stored value that is not a state", async (value) => {
    const { world, nextHour, store } = deployment();
    store.set("health-2", { value, storedAtMs: 0 });
    world.problems = [LAG];
    expect(await nextHour()).toEqual(["ok -> degraded"]);
  });

  test("property: the last notice has the current state, and no two in a row are equal", async () => {
    const hour = fc.record({
      problems: fc.subarray([LAG, ABOVE]),
      failing: fc.boolean(),
      up: fc.boolean(),
      evicted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(hour, { maxLength: 20 }), async (hours) => {
        const { world, receiver, nextHour, evict } = deployment();
        for (const { problems, failing, up, evicted } of [
          ...hours,
          { problems: [], failing: false, up: true, evicted: true },
        ]) {
          Object.assign(world, { problems, failing });
          receiver.up = up;
          if (evicted) evict();
          await nextHour();
        }
        const known = receiver.taken.map(({ status, problems }) => JSON.stringify([status, problems]));
        expect(known.at(-1) ?? '["ok",[]]').toBe('["ok",[]]');
        for (const [index, text] of known.entries()) expect(text).not.toBe(known[index - 1]);
        const chained = receiver.taken.every(
          ({ previous_status }, index) => previous_status === (receiver.taken[index - 1]?.status ?? "ok"),
        );
        expect(chained).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
