import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Journal } from "../../../src/limiter/journal.ts";
import { SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;
const START_MS = 1_700_000_000_000;
const clockAt = (timeMs: number) => ({ timeMs, lastReadingMs: timeMs - 1, highestReadingMs: timeMs + 1, countedMs: 2 });

/** An object's storage, which records were read from it, and which deleted. */
function disk() {
  const rows = new Map<string, unknown>();
  const [reads, deletes]: [string[], string[]] = [[], []];
  const store = {
    kv: {
      // In the order of the keys, as a Durable Object lists them.
      list: () => [...rows].sort(([left], [right]) => (left < right ? -1 : 1)),
      get: (key: string) => {
        reads.push(key);
        return rows.get(key);
      },
    },
    put: (key: string, value: unknown) => void rows.set(key, structuredClone(value)),
    delete: (key: string) => {
      deletes.push(key);
      rows.delete(key);
    },
  };
  const admit = (journal: Journal, timeMs: number, callers: readonly string[], windowMs = WINDOW_MS) => {
    for (const caller of callers) journal.record(caller, timeMs);
    journal.flush(clockAt(timeMs), windowMs);
  };
  /** Replays the journal at another start at that time. */
  const replayed = (nowMs: number, windowMs = WINDOW_MS) => {
    const admissions: [string, number][] = [];
    const journal = new Journal(store);
    journal.replay(nowMs, { retentionMs: windowMs, record: (...admission) => void admissions.push(admission) });
    return admissions;
  };
  return { rows, reads, deletes, store, admit, replayed };
}

test("a record is written by a flush only if something was noted, and by every write", () => {
  const { rows, store, replayed } = disk();
  const journal = new Journal(store);
  journal.flush(clockAt(START_MS), WINDOW_MS);
  expect(rows.size).toBe(0);
  journal.write(clockAt(START_MS), WINDOW_MS);
  expect(new Journal(store).clock).toMatchObject(clockAt(START_MS));
  expect(replayed(START_MS)).toEqual([]);
});

test("a restart is handed what has not expired, oldest first, and the last state of the clock", () => {
  const { store, admit, replayed } = disk();
  expect(new Journal(store).clock).toBeUndefined();
  const journal = new Journal(store);
  for (const second of [0, 30, 61, 90]) admit(journal, START_MS + second * 1_000, [`a${second}`, `b${second}`]);
  expect(new Journal(store).clock).toMatchObject(clockAt(START_MS + 90_000));
  expect(replayed(START_MS + 95_000)).toEqual(
    [61, 90].flatMap((second) => ["a", "b"].map((name) => [`${name}${second}`, START_MS + second * 1_000])),
  );
});

const histories = fc.array(
  fc.record({
    // Many records within a window, and pauses in which several expire at once.
    pauseMs: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
      fc.integer({ min: 1, max: 70_000 }),
    ),
    isEvicted: fc.boolean(),
  }),
  { minLength: 10, maxLength: 60 },
);

test("evictions at any points of any history lose no admission, nor their order, nor the clock", () => {
  fc.assert(
    fc.property(histories, (steps) => {
      const { store, admit } = disk();
      let [journal, nowMs] = [new Journal(store), START_MS];
      const admitted: [string, number][] = [];
      for (const [step, { pauseMs, isEvicted }] of steps.entries()) {
        nowMs += pauseMs;
        admit(journal, nowMs, [`caller ${step}`]);
        admitted.push([`caller ${step}`, nowMs]);
        if (!isEvicted) continue;
        journal = new Journal(store);
        const replayed: [string, number][] = [];
        journal.replay(nowMs, { retentionMs: WINDOW_MS, record: (...admission) => void replayed.push(admission) });
        expect(replayed).toEqual(admitted.filter(([, atMs]) => nowMs - atMs < WINDOW_MS));
        expect(journal.clock).toMatchObject(clockAt(nowMs));
      }
    }),
  );
});

describe("what has expired", () => {
  test("is not read at a restart, and deleted", () => {
    const { rows, reads, store, admit, replayed } = disk();
    const journal = new Journal(store);
    for (let second = 0; second < 50; second++) admit(journal, START_MS + second * 1_000, ["a"]);
    expect(replayed(START_MS + 49_000), "control").toHaveLength(50);
    reads.length = 0;
    expect(replayed(START_MS + 49_000 + WINDOW_MS - 1)).toEqual([["a", START_MS + 49_000]]);
    expect([reads.length, rows.size]).toEqual([1, 1]);
  });

  test("is deleted when a record is written: of a busy day nothing is stored after a quiet hour", () => {
    const { rows, deletes, store, admit } = disk();
    const journal = new Journal(store);
    for (let second = 0; second < 600; second++) admit(journal, START_MS + second * 1_000, [`busy ${second}`]);
    expect([rows.size, deletes.length], "control: one record a second, of one window, each written once").toEqual([
      60, 0,
    ]);
    admit(journal, START_MS + HOUR_MS, ["quiet"]);
    expect([...rows.values()]).toEqual([expect.objectContaining({ callers: ["quiet"] })]);
  });

  test("is what both its own policy and the present one no longer count", () => {
    const { admit, store, replayed } = disk();
    const journal = new Journal(store);
    admit(journal, START_MS, ["hourly"], HOUR_MS);
    admit(journal, START_MS + 1_000, ["each minute"], WINDOW_MS);
    expect(replayed(START_MS + 120_000, HOUR_MS)).toHaveLength(2);
    expect(replayed(START_MS + 120_000, WINDOW_MS)).toEqual([["hourly", START_MS]]);
    expect(replayed(START_MS + HOUR_MS, WINDOW_MS)).toEqual([]);
  });
});

test("records of another format are no evidence of a clock, and are deleted before anything is replayed", () => {
  const { rows, store, admit, replayed } = disk();
  rows.set("admissions/7", { format: 3, number: 9, ...clockAt(START_MS), keys: ["203.0.113.7"], timesMs: [START_MS] });
  expect(new Journal(store).clock).toBeUndefined();
  expect([replayed(START_MS), rows.size]).toEqual([[], 0]);
  const journal = new Journal(store);
  admit(journal, START_MS, ["a"]);
  expect(replayed(START_MS)).toEqual([["a", START_MS]]);
});

test("a table takes an hour of a busy object, a record at a time, within its bytes", () => {
  const { rows, reads, store, admit } = disk();
  const [seconds, callers] = [600, 100];
  const journal = new Journal(store);
  for (let second = 0; second < seconds; second++) {
    const names = Array.from({ length: callers }, (_none, index) => `${second}.${index}`);
    admit(journal, START_MS + second * 1_000, names, HOUR_MS);
  }
  expect(rows.size).toBe(seconds);
  const maxBytes = 1_048_576;
  const log = new SlidingWindowLog({ quota: 1_000, windowMs: HOUR_MS, maxBytes });
  let most = 0;
  new Journal(store).replay(START_MS + seconds * 1_000, {
    retentionMs: HOUR_MS,
    record: (caller, timeMs) => {
      log.record(caller, timeMs);
      most = Math.max(most, log.size);
    },
  });
  // 206 bytes a caller with one admission.
  expect(most).toBeLessThanOrEqual(maxBytes / 206 + 1);
  expect(log.peek("599.99", START_MS + seconds * 1_000) >> 22, "the newest are kept").toBeLessThan(1_000);
  expect([reads.length, new Set(reads).size]).toEqual([seconds, seconds]);
});
