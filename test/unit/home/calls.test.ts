import { expect, test, vi } from "vitest";
import { homeCalls } from "../../../src/home/calls.ts";

/** The calls of a home object of which every one does this, and what is logged meanwhile. */
function callsOf(call: () => Promise<unknown>) {
  const logged: unknown[] = [];
  const home = new Proxy({}, { get: () => call });
  const objects = { getByName: () => home } as unknown as Parameters<typeof homeCalls>[0]; // every call is the same one
  return { logged, calls: homeCalls(objects, "weur", (event, detail) => logged.push({ event, ...detail })) };
}

const REASON = { kind: "failure", reason: "the object that reads the chain does not answer" };

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
])("an object that %s has no answer to anything, and the log says why", async (_what, call, cause) => {
  vi.useFakeTimers();
  const { calls, logged } = callsOf(call);
  const asked = Promise.all([
    calls.lastGood.get("rates"),
    calls.history.record("2026-11-25", [], []),
    calls.history.figures({ from: "2026-11-25", to: "2026-11-25" }),
    calls.upstreamHealth(),
    calls.readings.last("native"),
    calls.readings.read("native"),
    calls.fullLimiters(),
  ]);
  await vi.advanceTimersByTimeAsync(25_000);
  vi.useRealTimers();
  expect(await asked).toEqual([undefined, null, null, null, undefined, REASON, []]);
  expect(logged).toEqual(Array(7).fill({ event: "home_unreachable", cause }));
});

test("control: an object that answers has its answer, null too, and nothing is logged", async () => {
  const { calls, logged } = callsOf(async () => null);
  expect([await calls.lastGood.get("rates"), await calls.readings.last("native"), logged]).toEqual([null, null, []]);
});
