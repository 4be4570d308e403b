import { expect, test } from "vitest";
import { GuardedStore, NO_WRITES } from "../../../src/home/guarded-store.ts";

/** A store whose writes reach the disk, fail at once, or end the object before they have reached it. */
function world() {
  const state = { nowMs: 1_000_000, fails: "no" as "no" | "at once" | "later", written: 0 };
  const memory = { ...NO_WRITES };
  const logged: string[] = [];
  const newInstance = () =>
    new GuardedStore({
      memory,
      sync: () => (state.fails === "later" ? new Promise(() => undefined) : Promise.resolve()),
      now: () => state.nowMs,
      log: (event, { cause }) => logged.push(`${event}: ${cause}`),
      background: () => undefined,
    });
  let store = newInstance();
  /** One write, and what comes of it; one that fails later ends the instance. */
  const write = async () => {
    const isTaken = store.write(() => {
      if (state.fails === "at once") throw new Error("SQLITE_FULL");
      state.written += 1;
    });
    await Promise.resolve();
    await Promise.resolve();
    if (state.fails === "later" && isTaken) store = newInstance();
    return isTaken;
  };
  return {
    state,
    logged,
    write,
    refusedAtMs: () => store.refusedAtMs,
    restart: () => {
      store = newInstance();
    },
  };
}

test("control: a store that takes every write refuses none, over a restart too", async () => {
  const { write, refusedAtMs, restart, logged } = world();
  for (let count = 0; count < 3; count += 1) {
    expect(await write()).toBe(true);
    restart();
  }
  expect([refusedAtMs(), logged]).toEqual([null, []]);
});

test("a write that fails is no exception, is logged once an outage, and repeated after a rest", async () => {
  const { state, write, refusedAtMs, logged } = world();
  state.fails = "at once";
  expect([await write(), refusedAtMs()]).toEqual([false, 1_000_000]);
  state.nowMs += 29_999;
  expect([await write(), refusedAtMs()]).toEqual([false, 1_000_000]);
  state.nowMs += 1;
  expect([await write(), refusedAtMs()]).toEqual([false, 1_030_000]);
  expect(logged).toEqual(["store_refuses: Error: SQLITE_FULL"]);
  state.fails = "no";
  expect([await write(), state.written]).toEqual([false, 0]);
  state.nowMs += 30_000;
  expect([await write(), state.written]).toEqual([true, 1]);
  state.nowMs += 90_000;
  expect(refusedAtMs()).toBeNull();
  state.fails = "at once";
  await write();
  expect(logged.length).toBe(2);
});

test("writes that end the object before they reach the disk are a refusal from the second on", async () => {
  const { state, write, refusedAtMs, logged } = world();
  state.fails = "later";
  expect([await write(), refusedAtMs()]).toEqual([true, null]);
  expect([await write(), refusedAtMs()]).toEqual([true, 1_000_000]);
  // Now the object rests, and ends no more.
  expect(await write()).toBe(false);
  expect(logged).toEqual(["store_refuses: the writes do not reach the disk"]);
  state.fails = "no";
  state.nowMs += 120_000;
  expect([await write(), refusedAtMs()]).toEqual([true, null]);
});

test.each([
  [1, 1_000_000],
  [2, null],
])("an object ends after %i of two writes have reached the disk, and again: refused at %s", async (stored, refused) => {
  const memory = { ...NO_WRITES };
  const arrivals: (() => void)[] = [];
  const newInstance = () =>
    new GuardedStore({
      memory,
      sync: () => new Promise((resolve) => arrivals.push(resolve)),
      now: () => 1_000_000,
      log: () => undefined,
      background: () => undefined,
    });
  const first = newInstance();
  for (let count = 0; count < 2; count += 1) expect(first.write(() => undefined)).toBe(true);
  for (const arrive of arrivals.slice(0, stored)) arrive();
  await Promise.resolve();
  await Promise.resolve();
  expect(newInstance().write(() => undefined)).toBe(true);
  expect(newInstance().refusedAtMs).toBe(refused);
});

test("an object that ends for another reason while it writes is no refusal", async () => {
  const { state, write, refusedAtMs } = world();
  for (const fails of ["later", "no", "later", "no"] as const) {
    state.fails = fails;
    expect(await write()).toBe(true);
  }
  expect(refusedAtMs()).toBeNull();
});
