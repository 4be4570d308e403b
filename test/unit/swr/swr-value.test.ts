import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cacheHeaders, type FreshnessPolicy, HOURLY } from "../../../src/swr/cached-value.ts";
import type { Known, LastGood, LoadError, Loader, Sample } from "../../../src/swr/loader.ts";
import { type SwrSettings, SwrValue } from "../../../src/swr/swr-value.ts";

const FIGURE: FreshnessPolicy = { freshSeconds: 5, revalidateSeconds: 5, maxStaleSeconds: 3_600, sharedSeconds: 30 };
const LISTING: FreshnessPolicy = {
  freshSeconds: 60,
  revalidateSeconds: 600,
  maxStaleSeconds: 86_400,
  sharedSeconds: 60,
};
interface MemoryStore extends LastGood {
  readonly rows: Map<string, { value: string; storedAtMs: number }>;
  gets: number;
  puts: number;
}

function memoryStore(): MemoryStore {
  const rows = new Map<string, { value: string; storedAtMs: number }>();
  return {
    rows,
    gets: 0,
    puts: 0,
    async get(name) {
      this.gets += 1;
      return rows.get(name) ?? null;
    },
    async put(name, value, storedAtMs) {
      this.puts += 1;
      rows.set(name, { value, storedAtMs });
    },
  };
}

/** A row of the store. */
const stored = (value: number): string => JSON.stringify({ value, doubts: [] });

let requestedAtMs = 0;
/** Its clock is that of the last request, unless the test has another one. */
class TimedValue extends SwrValue<number> {
  override read(...[when, policy]: Parameters<SwrValue<number>["read"]>) {
    requestedAtMs = when.nowMs;
    return super.read(when, policy);
  }

  override renew(nowMs: number) {
    requestedAtMs = nowMs;
    return super.renew(nowMs);
  }
}

/** A value in one isolate. */
const newValue = (load: Loader<number>, more: Partial<SwrSettings<number>> = {}) =>
  new TimedValue({
    ...{ name: "figure", key: "figure", policy: LISTING, lastGood: memoryStore(), log: () => {} },
    now: () => requestedAtMs,
    pause: () => Promise.resolve(),
    load,
    ...more,
  });

/** One isolate and one upstream, which answers a running number, or fails while it is down. */
function isolate(policy: FreshnessPolicy, store = memoryStore(), world = { down: false, calls: 0 }) {
  const behind: Promise<unknown>[] = [];
  const log: string[] = [];
  const load: Loader<number> = async (nowMs) => {
    world.calls += 1;
    if (world.down) return { kind: "failure", reason: "the upstream is down" };
    return { kind: "observed", value: world.calls, observedAtMs: nowMs };
  };
  const figure = newValue(load, { policy, lastGood: store, log: (event) => log.push(event) });
  const at = async (second: number) => {
    const read = await figure.read({ nowMs: second * 1000, waitUntil: (work) => behind.push(work) });
    await Promise.all(behind.splice(0));
    return read.kind === "cached" ? [read.value, read.origin, read.ageSeconds] : [read.reason, read.retryAfterSeconds];
  };
  return { figure, at, store, world, log };
}

describe("a figure that is requested when it is no longer fresh", () => {
  test("is fetched, then served from memory, then fetched again", async () => {
    const { at, world } = isolate(FIGURE);
    expect([await at(0), await at(5), await at(6)]).toEqual([
      [1, "fetched", 0],
      [1, "fresh", 5],
      [2, "fetched", 0],
    ]);
    expect(world.calls).toBe(2);
  });

  test("is served stale with its age while the upstream fails, never beyond its bound", async () => {
    const { at, world } = isolate(FIGURE);
    await at(0);
    world.down = true;
    expect([await at(6), await at(3_600), await at(3_606)]).toEqual([
      [1, "upstream_failed", 6],
      [1, "upstream_failed", 3_600],
      ["the upstream is down", 5],
    ]);
    world.down = false;
    expect(await at(3_611)).toEqual([5, "fetched", 0]);
  });

  test("is not fetched at every call while the upstream fails", async () => {
    const { at, world } = isolate(FIGURE);
    world.down = true;
    for (let second = 0; second < 10; second += 1) expect(await at(second)).toEqual(["the upstream is down", 5]);
    expect(world.calls).toBe(2);
  });

  test("survives the isolate: a new one serves the stored value", async () => {
    const first = isolate(FIGURE);
    await first.at(0);
    const second = isolate(FIGURE, first.store, { down: true, calls: 0 });
    expect(await second.at(100)).toEqual([1, "upstream_failed", 100]);
    const without = isolate(FIGURE, memoryStore(), { down: true, calls: 0 });
    expect(await without.at(100)).toEqual(["the upstream is down", 5]);
  });

  test("reads the store once before each call of the upstream, and again when that fails", async () => {
    const { at, store, world } = isolate(FIGURE);
    for (const second of [0, 5, 6, 12]) await at(second);
    expect([store.gets, world.calls]).toEqual([3, 3]);
    world.down = true;
    await at(18);
    expect(store.gets).toBe(5);
  });

  test("uses the newer value of memory and store", async () => {
    const { at, store, world } = isolate(FIGURE);
    await at(0);
    store.rows.set("figure", { value: stored(77), storedAtMs: 50_000 });
    world.down = true;
    expect(await at(100)).toEqual([77, "upstream_failed", 50]);
  });

  test.each(["", "null", "{", "9"])("ignores %j in the store", async (value) => {
    const store = memoryStore();
    store.rows.set("figure", { value, storedAtMs: 0 });
    expect(await isolate(FIGURE, store, { down: true, calls: 0 }).at(1)).toEqual(["the upstream is down", 5]);
  });

  test("a stored time in the future does not extend a value's lifetime", async () => {
    const store = memoryStore();
    store.rows.set("figure", { value: stored(9), storedAtMs: 1e12 });
    expect(await isolate(FIGURE, store, { down: true, calls: 0 }).at(1)).toEqual(["the upstream is down", 5]);
    store.rows.set("figure", { value: stored(9), storedAtMs: 3_000 });
    expect(await isolate(FIGURE, store, { down: true, calls: 0 }).at(1)).toEqual([9, "fresh", 0]);
  });
});

describe("a listing that is revalidated in the background", () => {
  test("is served at once while it is fetched, and new at the next call", async () => {
    const { at, world } = isolate(LISTING);
    expect([await at(0), await at(61), await at(62)]).toEqual([
      [1, "fetched", 0],
      [1, "revalidating", 61],
      [2, "fresh", 1],
    ]);
    expect(world.calls).toBe(2);
  });

  test("is read from the store on a cold start, without an upstream call while it is fresh", async () => {
    const first = isolate(LISTING);
    await first.at(0);
    const second = isolate(LISTING, first.store, { down: false, calls: 40 });
    expect(await second.at(30)).toEqual([1, "fresh", 30]);
    expect(second.world.calls).toBe(40);
  });

  test("revalidates once, however many requests arrive meanwhile", async () => {
    const behind: Promise<unknown>[] = [];
    let calls = 0;
    let settle = (): void => {};
    const figure = newValue((nowMs) => {
      calls += 1;
      return new Promise((resolve) => {
        settle = () => resolve({ kind: "observed", value: calls, observedAtMs: nowMs });
      });
    });
    const first = figure.read({ nowMs: 0, waitUntil: (work) => behind.push(work) });
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    settle();
    await first;
    for (let n = 0; n < 100; n += 1) await figure.read({ nowMs: 61_000 + n, waitUntil: (work) => behind.push(work) });
    settle();
    await Promise.all(behind);
    expect(calls).toBe(2);
  });

  test("is served even if the background fetch fails", async () => {
    const { at, world, log } = isolate(LISTING);
    await at(0);
    world.down = true;
    expect([await at(61), await at(62), await at(86_400), await at(86_406)]).toEqual([
      [1, "revalidating", 61],
      [1, "upstream_failed", 62],
      [1, "upstream_failed", 86_400],
      ["the upstream is down", 5],
    ]);
    expect(log).toContain("figure_not_renewed");
  });
});

describe("a value of which the store decides", () => {
  /** One isolate, the store that others keep current, and an upstream that fails when the test lets it. */
  function shared() {
    const store = memoryStore();
    const state = { answers: true, loads: 0 };
    const failing: (() => void)[] = [];
    const figure = newValue(
      () => {
        state.loads += 1;
        return new Promise((resolve) => failing.push(() => resolve({ kind: "failure", reason: "it is down" })));
      },
      {
        storeDecides: true,
        lastGood: { ...store, get: async (name) => (state.answers ? store.get(name) : undefined) },
      },
    );
    const at = async (second: number) => {
      const read = await figure.read({ nowMs: second * 1_000, waitUntil: () => undefined });
      return read.kind === "cached" ? [read.value, read.origin, read.ageSeconds] : [read.reason];
    };
    const put = (value: number, second: number) =>
      store.rows.set("figure", { value: stored(value), storedAtMs: second * 1_000 });
    return { at, store, state, put, failing };
  }

  test("is served without a call while it is fresh, then as the store has it", async () => {
    const { at, put, store } = shared();
    put(1, 0);
    expect([await at(1), await at(60)]).toEqual([
      [1, "fresh", 1],
      [1, "fresh", 60],
    ]);
    expect(store.gets).toBe(1);
    put(2, 61);
    expect(await at(500)).toEqual([2, "revalidating", 439]);
  });

  test("costs one call of the store a second while it is renewed, however many requests come", async () => {
    const { at, put, store, state } = shared();
    put(1, 0);
    await at(0);
    for (let request = 0; request < 400; request += 1)
      expect((await at(300 + request / 100)).slice(0, 2)).toEqual([1, "revalidating"]);
    expect([store.gets, state.loads]).toEqual([1 + 4, 1]);
  });

  test("is served to those who come while the store is asked, if it has been stale for seconds only", async () => {
    const { at, put, store } = shared();
    put(1, 0);
    await at(0);
    await Promise.all([at(65), at(65), at(65)]);
    expect(store.gets).toBe(2);
    put(2, 66);
    expect(await Promise.all([at(300), at(300)])).toEqual([
      [2, "revalidating", 234],
      [2, "revalidating", 234],
    ]);
  });

  test("is dropped when the store does not have it any more", async () => {
    const { at, put, store, failing } = shared();
    put(1, 0);
    await at(0);
    store.rows.clear();
    const answer = at(100);
    await new Promise((resolve) => setImmediate(resolve));
    for (const fail of failing) fail();
    expect(await answer).toEqual(["it is down"]);
  });

  test("is not dropped by an answer from before it was loaded", async () => {
    const answers: ((row: null) => void)[] = [];
    const figure = newValue(async (nowMs) => ({ kind: "observed", value: 1, observedAtMs: nowMs }), {
      storeDecides: true,
      lastGood: {
        ...memoryStore(),
        get: () => new Promise((resolve) => answers.push(resolve)),
      },
    });
    const when = { nowMs: 0, waitUntil: () => undefined };
    const [first, second] = [figure.read(when), figure.read(when)];
    answers[0]?.(null);
    expect(await first).toMatchObject({ value: 1, origin: "fetched" });
    answers[1]?.(null);
    expect(await second).toMatchObject({ value: 1, origin: "fresh" });
  });

  test("is served with its age while the store does not answer, which is asked again after five seconds", async () => {
    const { at, put, state } = shared();
    put(1, 0);
    await at(0);
    state.answers = false;
    expect(await at(100)).toEqual([1, "upstream_failed", 100]);
    state.answers = true;
    put(2, 101);
    expect([await at(104), await at(105)]).toEqual([
      [1, "upstream_failed", 104],
      [2, "fresh", 4],
    ]);
  });
});

describe("many cold callers of one isolate", () => {
  /** A loader that resolves when the test lets it, and time that advances only by polling. */
  function overflow() {
    const open: ((found?: LoadError) => void)[] = [];
    const behind: Promise<unknown>[] = [];
    const clock = { nowMs: 0 };
    const load: Loader<number> = (nowMs) => {
      const observed = { kind: "observed", value: open.length + 1, observedAtMs: nowMs } as const;
      return new Promise((resolve) => open.push((found) => resolve(found ?? observed)));
    };
    const figure = newValue(load, {
      now: () => clock.nowMs,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
    const call = async () => {
      const read = await figure.read({ nowMs: clock.nowMs, waitUntil: (work) => behind.push(work) });
      return read.kind === "cached" ? read.value : read.reason;
    };
    const callers = Array.from({ length: 100 }, call);
    const seconds = async (count: number): Promise<void> => {
      for (let poll = 0; poll < count * 50; poll += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        clock.nowMs += 20;
      }
    };
    return { call, callers, open, seconds };
  }
  const LATE = "the upstream has not answered in time";

  test("cost one upstream call", async () => {
    const { callers, open, seconds } = overflow();
    await seconds(1);
    expect(open.length).toBe(1);
    open[0]?.();
    expect(new Set(await Promise.all(callers))).toEqual(new Set([1]));
    expect(open.length).toBe(1);
  });

  test("of an upstream that hangs are all answered within five seconds, and cost no further call", async () => {
    const { call, callers, open, seconds } = overflow();
    await seconds(6);
    expect(new Set(await Promise.all(callers.slice(1)))).toEqual(new Set([LATE]));
    const later = call();
    await seconds(4);
    open[0]?.({ kind: "failure", reason: "no answer in 10 s" });
    // The failure is remembered from when it was known, not from when it was asked for.
    expect([await callers[0], await later, await call()]).toEqual(Array(3).fill("no answer in 10 s"));
    expect(open.length).toBe(1);
  });

  test("cost a second one when the first never returns", async () => {
    const { call, open, seconds } = overflow();
    await seconds(16);
    const next = call();
    await seconds(1);
    open[1]?.();
    expect([await next, open.length]).toEqual([2, 2]);
  });
});

test("a loader that throws is a failure without the exception text", async () => {
  const figure = newValue(() => Promise.reject(new Error("https://secret.example")));
  const read = await figure.read({ nowMs: 0, waitUntil: () => {} });
  expect(JSON.stringify(read)).not.toContain("secret");
  expect(read.kind).toBe("unavailable");
});

test("a fresh value whose last fetch failed has the error", async () => {
  const { figure, world } = isolate(LISTING);
  await figure.renew(0);
  world.down = true;
  await figure.renew(1_000);
  const when = (nowMs: number) => ({ nowMs, waitUntil: () => {} });
  expect(await figure.read(when(1_000))).toMatchObject({ origin: "fresh", error: "the upstream is down" });
  expect(await figure.read(when(10_000))).toMatchObject({ origin: "fresh", error: null });
});

test("refresh fetches and stores even a fresh value", async () => {
  const { figure, store } = isolate(FIGURE);
  await figure.renew(0);
  await figure.renew(1_000);
  expect([store.puts, store.rows.get("figure")]).toEqual([2, { value: stored(2), storedAtMs: 1_000 }]);
});

test.each([
  [0, "fetched", "edge; fwd=miss; stored"],
  [20, "fresh", "edge; hit; ttl=40"],
  [90, "revalidating", "edge; hit; ttl=-30; detail=revalidating"],
  [600, "upstream_failed", "edge; hit; ttl=-540; detail=upstream-failed"],
] as const)("at %i s, %s: %s", (ageSeconds, how, cacheStatus) => {
  const fields = cacheHeaders({
    kind: "cached",
    value: 1,
    observedAtMs: 0,
    ageSeconds,
    origin: how,
    error: null,
    doubts: [],
    policy: LISTING,
  });
  expect(fields).toEqual({
    Age: String(ageSeconds),
    "Cache-Control": "public, max-age=60",
    "Cache-Status": cacheStatus,
  });
});

test("law: no value beyond its bound is served, ages are correct, values never go back", async () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 5_000 }), down: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.constantFrom(FIGURE, LISTING), async (steps, policy) => {
      const world = { down: false, calls: 0 };
      const observedAt = new Map<unknown, number>();
      const { at } = isolate(policy, memoryStore(), world);
      let [second, last] = [0, 0];
      for (const { wait, down } of steps) {
        second += wait;
        world.down = down;
        const [value, , age] = await at(second);
        if (!observedAt.has(world.calls)) observedAt.set(world.calls, second);
        if (typeof value !== "number" || typeof age !== "number") continue;
        expect(age).toBeLessThanOrEqual(policy.maxStaleSeconds);
        expect(second - age).toBe(observedAt.get(value));
        expect(value).toBeGreaterThanOrEqual(last);
        last = value;
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["FIGURE", FIGURE],
  ["LISTING", LISTING],
])(
  "%s: a clock that is set back by an hour freezes nothing: the value is fetched again, failures too",
  async (_name, policy) => {
    const { at, world, store } = isolate(policy);
    await at(7_200);
    expect(await at(3_600)).toEqual([2, "fetched", 0]);
    expect(store.rows.get("figure")?.storedAtMs).toBe(3_600_000);
    world.down = true;
    await at(14_400);
    world.down = false;
    expect((await at(10_800)).slice(1)).toEqual(["fetched", 0]);
  },
);

test("what is doubtful is stored at once beside the last good value, and known to the next isolate", async () => {
  const store = memoryStore();
  const seen = { value: 7n, atMs: 6_000 };
  const figureOf = (result: Sample<number> | LoadError, known: Known<number>[]) =>
    newValue(
      async (_nowMs, recall) => {
        known.push(await recall());
        return result;
      },
      { policy: FIGURE, lastGood: store },
    );
  const first = { kind: "observed", value: 1, observedAtMs: 0 } as const;
  await figureOf(first, []).renew(0);
  const doubts = new Map([["n", seen]]);
  const refused = { kind: "failure", reason: "far", doubts } as const;
  const when = { nowMs: 6_000, waitUntil: () => {} };
  expect(await figureOf(refused, []).read(when)).toMatchObject({
    kind: "cached",
    value: 1,
    doubts: ["n"],
    error: "far",
  });
  const known: Known<number>[] = [];
  const cleared = figureOf({ ...first, observedAtMs: 7_000, doubts: new Map() }, known);
  expect(await cleared.renew(7_000)).toMatchObject({ doubts: [] });
  expect(known).toEqual([{ best: first, doubts }]);
  expect(store.rows.get("figure")).toEqual({ value: stored(1), storedAtMs: 7_000 });
});

test("hourly values are renewed after a minute, and served for a day while their upstream fails", () => {
  expect(HOURLY).toEqual({
    ...{ freshSeconds: 60, revalidateSeconds: 3_900, maxStaleSeconds: 86_400, sharedSeconds: 60 },
  });
});
