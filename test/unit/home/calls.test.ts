import { expect, test, vi } from "vitest";
import { homeCalls } from "../../../src/home/calls.ts";

const DAYS = { from: "2026-11-25", to: "2026-11-25" };

/** The calls of a home object of which every one does this, and what is logged meanwhile. */
function callsOf(call: (...args: unknown[]) => Promise<unknown>) {
  const logged: unknown[] = [];
  const home = new Proxy({}, { get: () => call });
  const objects = { getByName: () => home } as unknown as Parameters<typeof homeCalls>[0]; // every call is the same one
  return { logged, calls: homeCalls(objects, "weur", (event, detail) => logged.push({ event, ...detail })) };
}

test.each<[string, () => Promise<unknown>, string]>([
  ["rejects", () => Promise.reject(new Error("no such column")), "Error: no such column"],
  [
    "throws at once",
    () => {
      throw new TypeError("overloaded");
    },
    "TypeError: overloaded",
  ],
  ["hangs", () => new Promise(() => undefined), "deadline"],
])(
  "an object that %s has no answer to anything, and the log says why, once for each call",
  async (_what, call, cause) => {
    vi.useFakeTimers();
    const { calls, logged } = callsOf(call);
    const asked = Promise.all([
      calls.lastGood.get("rates"),
      calls.history.recordToday(),
      calls.history.figures(DAYS),
      calls.upstreamHealth(),
      calls.getShared("native", null, "cached"),
      calls.getShared("listing", null, "revalidate"),
      calls.fullLimiters(),
    ]);
    await vi.advanceTimersByTimeAsync(25_000);
    vi.useRealTimers();
    expect(await asked).toEqual([undefined, null, null, null, null, null, []]);
    const names = ["lastGood", "recordToday", "figures", "health", "getShared", "fullLimiters"];
    const lines = names.map((name) => ({ event: "home_unreachable", call: name, cause }));
    expect(new Set(logged)).toEqual(new Set(lines));
    expect(logged.length).toBe(lines.length);
  },
);

test("an outage is logged once, and the next one again", async () => {
  let fails = true;
  const { calls, logged } = callsOf(async () => {
    if (fails) throw new Error("overloaded");
    return [];
  });
  const outcomes: unknown[] = [];
  for (fails of [true, true, false, false, true]) outcomes.push(await calls.history.healthChanges(1));
  expect(outcomes).toEqual([null, null, [], [], null]);
  expect(logged.length).toBe(2);
});

test("a call that fails among others that work is logged once an outage", async () => {
  let fails = true;
  const logged: unknown[] = [];
  const object = {
    health: () => (fails ? Promise.reject(new Error("the node hangs")) : Promise.resolve({ upstreams: [] })),
    fullLimiters: () => Promise.resolve([]),
  };
  // Cast: two of its calls.
  const objects = { getByName: () => object } as unknown as Parameters<typeof homeCalls>[0];
  const calls = homeCalls(objects, "weur", (_event, { call }) => logged.push(call));
  for (fails of [true, true, true, false, true]) {
    await calls.upstreamHealth();
    await calls.fullLimiters();
  }
  expect(logged).toEqual(["health", "health"]);
});

test("an object that is replaced during a call is called once more, and nothing is logged", async () => {
  const replaced = Object.assign(new Error("replaced"), { durableObjectReset: true });
  const results = [
    Promise.reject(replaced),
    Promise.resolve(["weur"]),
    Promise.reject(replaced),
    Promise.reject(replaced),
  ];
  for (const result of results) result.catch(() => undefined);
  const { calls, logged } = callsOf(() => results.shift() ?? Promise.resolve());
  expect([await calls.fullLimiters(), logged]).toEqual([["weur"], []]);
  expect([await calls.fullLimiters(), logged.length]).toEqual([[], 1]);
});

test("the caller's instant goes with each call that the object judges by time", async () => {
  vi.useFakeTimers({ now: 1_000 });
  const heard: unknown[][] = [];
  const { calls } = callsOf(async (...args) => {
    heard.push(args);
    return null;
  });
  await calls.getShared("native", null, "cached");
  vi.setSystemTime(2_000);
  await calls.getShared("means", 7, "revalidate");
  await calls.history.recordToday();
  vi.useRealTimers();
  expect(heard).toEqual([["native", null, "cached", 1_000], ["means", 7, "revalidate", 2_000], [2_000]]);
});

test("a repeated call has the instant at which it is repeated", async () => {
  vi.useFakeTimers({ now: 1_000 });
  const heard: unknown[][] = [];
  const { calls } = callsOf(async (...args) => {
    heard.push(args);
    if (heard.length > 1) return null;
    vi.setSystemTime(9_000);
    throw Object.assign(new Error("replaced"), { durableObjectReset: true });
  });
  await calls.getShared("native", null, "cached");
  vi.useRealTimers();
  expect(heard.map((each) => each.at(-1))).toEqual([1_000, 9_000]);
});

test("control: an object that answers has its answer, null too, and nothing is logged", async () => {
  const { calls, logged } = callsOf(async () => null);
  expect([await calls.lastGood.get("rates"), await calls.history.figures(DAYS), logged]).toEqual([null, null, []]);
});

test("what is known is waited for 2.5 seconds, a reading as long as it may take", async () => {
  vi.useFakeTimers();
  const { calls } = callsOf(() => new Promise(() => undefined));
  const answered: string[] = [];
  for (const wanted of ["cached", "revalidate", "force"] as const)
    void calls.getShared("native", null, wanted).then(() => answered.push(wanted));
  await vi.advanceTimersByTimeAsync(2_500);
  expect(answered).toEqual(["cached"]);
  await vi.advanceTimersByTimeAsync(22_500);
  vi.useRealTimers();
  expect(answered).toEqual(["cached", "revalidate", "force"]);
});
