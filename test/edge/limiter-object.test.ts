import "../support/started-workers.js";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { NaiveLog } from "../unit/limiter/oracle.ts";

const START_MS = 1_800_000_000_000;
const setClock = (ms: number) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(ms);
};
afterEach(() => vi.useRealTimers());

const shard = (name: string) => env.LIMITER.getByName(name);
const journalRecords = (name: string) =>
  runInDurableObject(shard(name), (_shard, { storage }) => [...storage.kv.list({ prefix: "admissions/" })].length);
const CALLER = "203.0.113.7";
/** By default the object's clock is its callers' too. */
const takes = async (
  name: string,
  count: number,
  quota = 60,
  windowSeconds = 60,
  nowMs = Date.now(),
): Promise<number[]> => {
  const take = async () => Number(await shard(name).take(CALLER, quota, windowSeconds, nowMs));
  return Promise.all(Array.from({ length: count }, take));
};
/** One request for each key, within the object: a thousand calls from outside take seconds. */
const takesInside = (name: string, keys: readonly string[], quota: number, windowSeconds: number): Promise<number[]> =>
  runInDurableObject(shard(name), (object) =>
    keys.map((key) => Number(object.take(key, quota, windowSeconds, Date.now()))),
  );
/** On a busy machine the runtime may have evicted an idle object itself. */
const evict = (name: string): Promise<void> =>
  evictDurableObject(shard(name)).catch((cause: unknown) => {
    if (!String(cause).includes("not currently running")) throw cause;
  });
const admitted = (verdicts: readonly number[]) => verdicts.filter((verdict) => verdict >= 0).length;

test("of three hundred concurrent requests of one caller exactly sixty are admitted", async () => {
  expect(admitted(await takes("three-hundred", 300))).toBe(60);
});

test("an eviction right after a burst loses no admission (control: another object)", async () => {
  expect(admitted(await takes("evicted", 60))).toBe(60);
  await evict("evicted");
  expect(admitted(await takes("evicted", 1))).toBe(0);
  expect(admitted(await takes("never-used", 1))).toBe(1);
});

test("refusals write nothing; the first admission of a second is one record, the rest another", async () => {
  setClock(START_MS);
  await takes("rows", 60);
  await evict("rows");
  expect(await journalRecords("rows")).toBe(2);
  expect(admitted(await takes("rows", 500))).toBe(0);
  await evict("rows");
  expect(await journalRecords("rows")).toBe(2);
});

test("a row is overwritten when all its admissions have expired", async () => {
  for (let minute = 0; minute < 3; minute++) {
    setClock(START_MS + minute * 120_000);
    expect(admitted(await takes("ring", 61))).toBe(60);
    await evict("ring");
  }
  expect(await journalRecords("ring")).toBe(2);
});

test("a single admission is stored at once, and no timer remains", async () => {
  setClock(START_MS);
  const [delays, platformTimer] = [[] as unknown[], globalThis.setTimeout];
  await takes("lone", 1);
  expect(await journalRecords("lone")).toBe(1);
  await runInDurableObject(shard("lone"), async (object) => {
    globalThis.setTimeout = Object.assign((...call: Parameters<typeof platformTimer>) => {
      delays.push(call[1]);
      return platformTimer(...call);
    }, platformTimer);
    object.take("203.0.113.8", 60, 60, Date.now());
    globalThis.setTimeout = platformTimer;
  });
  expect(delays, "the second one within a second is gathered").toHaveLength(1);
});

test("a full object drops callers, logs that once a minute and is named in health", async () => {
  setClock(START_MS);
  const [name, home] = ["v1:default:oc:1", env.HOME.getByName("home")];
  expect(await home.fullLimiters()).toEqual([]);
  const lines = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const platformTimer = globalThis.setTimeout;
  await runInDurableObject(shard(name), (object) => {
    const flushes: (() => void)[] = [];
    let refused = 0;
    globalThis.setTimeout = Object.assign((flush: () => void) => flushes.push(flush), platformTimer) as never;
    for (let caller = 0; caller < 140_000; caller++) {
      if (Number(object.take(`10.${caller}`, 60, 60, START_MS)) < 0) refused++;
      // A record of the journal holds the admissions of a second.
      if (caller % 10_000 === 0) flushes.splice(0).map((flush) => flush());
    }
    globalThis.setTimeout = platformTimer;
    expect(refused).toBe(0);
  });
  const reports = lines.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(reports).toEqual([{ event: "limiter_full", shard: name, dropped: expect.any(Number) }]);
  await expect.poll(() => home.fullLimiters()).toEqual([name]);
});

test("a caller sees a point once it is on disk; a later caller of that point waits for nothing", async () => {
  const point = { era: 0, version: 7n };
  await runInDurableObject(shard("point"), async (object, { storage }) => {
    const events: string[] = [];
    let confirm = (): void => undefined;
    const disk = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    const sync = vi.spyOn(storage, "sync").mockImplementation(() => disk);
    const taken = Promise.resolve(object.take(CALLER, 60, 60, Date.now(), point)).then(() => events.push("take"));
    const noted = object.recordSeen("203.0.113.8", point).then(() => events.push("record"));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(events).toEqual([]);
    confirm();
    await Promise.all([taken, noted]);
    expect(events.toSorted()).toEqual(["record", "take"]);
    sync.mockRestore();
    expect(typeof object.take("203.0.113.9", 60, 60, Date.now(), point), "no promise").toBe("number");
  });
});

test("what is noted for a caller is the floor of that caller alone", async () => {
  const take = (key: string) => shard("noted").take(key, 60, 60, Date.now());
  await shard("noted").recordSeen(CALLER, { era: 0, version: 9n });
  expect(await take(CALLER)).toMatchObject({ floor: { era: 0, version: 9n } });
  expect(await take("203.0.113.8")).toBeGreaterThanOrEqual(0);
});

test("a policy change preserves past admissions", async () => {
  expect(admitted(await takes("changed", 60))).toBe(60);
  expect(admitted(await takes("changed", 50, 100))).toBe(40);
  expect(admitted(await takes("changed", 1, 60))).toBe(0);
});

test("a full quota of 10,000 in an hour survives an eviction", async () => {
  setClock(START_MS);
  const callers = Array<string>(10_050).fill(CALLER);
  expect(admitted(await takesInside("wide", callers, 10_000, 3_600))).toBe(10_000);
  await evict("wide");
  setClock(START_MS + 3_599_999);
  expect(await takes("wide", 1, 10_000, 3_600)).toEqual([-1]);
  setClock(START_MS + 3_600_000);
  expect(admitted(await takes("wide", 1, 10_000, 3_600))).toBe(1);
});

describe("with the clock set back and forth", () => {
  test.each([true, false])(
    "no caller exceeds the quota or is blocked longer than a window (evicted between: %s)",
    async (evicts) => {
      const name = `clock-${evicts}`;
      const at = async (ms: number) => {
        if (evicts) await evict(name);
        setClock(START_MS + ms);
        return admitted(await takes(name, 61));
      };
      expect(await at(0)).toBe(60);
      expect(await at(-3_600_000)).toBe(0);
      expect(await at(0)).toBe(0);
      expect(await at(-1_800_000)).toBe(0);
      expect(await at(-1_800_000 + 59_999)).toBe(0);
      expect(await at(-1_800_000 + 60_000)).toBe(60);
    },
  );
});

describe("while an object is awake its clock cannot go back: it stands where its host's was", () => {
  const HOUR_MS = 3_600_000;
  const admittedAt = async (name: string, callerMs: number) => admitted(await takes(name, 61, 60, 60, callerMs));

  test("and what passes on its callers' clocks counts: nobody is refused for longer than a window", async () => {
    setClock(START_MS);
    for (const name of ["stands", "control"]) {
      expect(await admittedAt(name, START_MS)).toBe(60);
      expect(await admittedAt(name, START_MS - HOUR_MS)).toBe(0);
    }
    expect(await admittedAt("control", START_MS - HOUR_MS + 59_999)).toBe(0);
    expect(await admittedAt("stands", START_MS - HOUR_MS + 60_000)).toBe(60);
    setClock(START_MS + 60_000);
    expect(await admittedAt("stands", START_MS + 60_000), "set right again: these were admitted just now").toBe(0);
    setClock(START_MS + 120_000);
    expect(await admittedAt("stands", START_MS + 120_000)).toBe(60);
  });

  test("also when the object restarts meanwhile, and then has its host's clock", async () => {
    setClock(START_MS);
    expect(await admittedAt("restarts", START_MS)).toBe(60);
    expect(await admittedAt("restarts", START_MS - HOUR_MS)).toBe(0);
    await evict("restarts");
    setClock(START_MS - HOUR_MS + 59_999);
    expect(await admittedAt("restarts", Date.now())).toBe(0);
    setClock(START_MS - HOUR_MS + 60_000);
    expect(await admittedAt("restarts", Date.now())).toBe(60);
  });

  test("and its timers are late: a record is written with the next admission", async () => {
    setClock(START_MS);
    const platformTimer = globalThis.setTimeout;
    const written = await runInDurableObject(shard("timer"), (object, { storage }) => {
      globalThis.setTimeout = Object.assign(() => 0, platformTimer) as never;
      for (const seconds of [0, 0, 20, 20, 40]) object.take(CALLER, 60, 60, START_MS - HOUR_MS + seconds * 1_000);
      globalThis.setTimeout = platformTimer;
      const records = storage.kv.list<{ readonly callers: readonly string[] }>({ prefix: "admissions/" });
      return [...records].reduce((sum, [, { callers }]) => sum + callers.length, 0);
    });
    expect(written).toBe(5);
  });
});

describe("what is stored", () => {
  const IPV6 = "2001:db8:0:1";
  const storedText = (storage: DurableObjectStorage) =>
    JSON.stringify([...storage.kv.list()], (_key, value) => (typeof value === "bigint" ? String(value) : value));

  test("has no caller's address, but a hash that is another one in every object", async () => {
    const stored = async (name: string) => {
      await takesInside(name, [CALLER, IPV6, CALLER], 60, 60);
      await shard(name).recordSeen(CALLER, { era: 0, version: 7n });
      await evict(name);
      return runInDurableObject(shard(name), (_object, { id, storage }) => {
        const text = storedText(storage);
        for (const part of [CALLER, IPV6, "203.0", "db8", String(id)]) expect(text).not.toContain(part);
        return [...storage.kv.list<{ readonly callers: readonly string[] }>({ prefix: "admissions/" })].flatMap(
          ([, { callers }]) => callers,
        );
      });
    };
    const hashes = [await stored("private"), await stored("another")].flat();
    expect([hashes.length, new Set(hashes).size], "control: the first caller came twice").toEqual([6, 4]);
    const left = (await shard("private").peek(CALLER, 60, 60, Date.now())) / 2 ** 22;
    expect(Math.floor(left), "control: two were admitted before").toBe(58);
  });

  test("cannot be read without LIMITER_SALT", async () => {
    await runInDurableObject(shard("salted"), (object, state) => {
      const under = (salt: string): typeof object => {
        const Shard = object.constructor as new (...args: unknown[]) => typeof object;
        return new Shard(state, { ...env, LIMITER_SALT: salt });
      };
      const take = (salt: string) => Number(under(salt).take(CALLER, 1, 60, Date.now()));
      expect([take("a") >= 0, take("a") >= 0, take("b") >= 0]).toEqual([true, false, true]);
    });
  });
});

interface Step {
  readonly waitMs: number;
  readonly keys: readonly string[];
}

const histories = fc.array(
  fc.array(
    fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat(900), fc.nat(70_000)),
      keys: fc.array(fc.constantFrom("203.0.113.1", "2001:db8:0:1"), { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 6, maxLength: 6 },
  ),
  { minLength: 6, maxLength: 6 },
);

test("an eviction at any point of any history changes no decision", async () => {
  const [sample] = fc.sample(histories, { numRuns: 1, seed: 7 });
  const cases = (sample ?? []).flatMap((steps, history) =>
    [...steps.keys(), -1].map((evictAt) => ({
      name: `history-${history}-${evictAt}`,
      steps,
      evictAt,
      naive: new NaiveLog(4, 60_000),
    })),
  );
  const clocks = new Map<readonly Step[], number>();
  for (let step = 0; step < 6; step++) {
    // All histories share one clock, so they run in the same order at every step.
    for (const history of new Set(cases.map(({ steps }) => steps))) {
      const nowMs = (clocks.get(history) ?? START_MS) + (history[step]?.waitMs ?? 0);
      clocks.set(history, nowMs);
      setClock(nowMs);
      for (const { name, naive } of cases.filter(({ steps }) => steps === history)) {
        const keys = history[step]?.keys ?? [];
        const expected = keys.map((key) => naive.take(key, nowMs));
        const verdicts = await takesInside(name, keys, 4, 60);
        const found = verdicts.map((verdict) => (verdict < 0 ? verdict : Math.floor(verdict / 2 ** 22)));
        expect([name, step, found]).toEqual([name, step, expected]);
      }
    }
    await Promise.all(cases.filter(({ evictAt }) => evictAt === step).map(({ name }) => evict(name)));
  }
});
