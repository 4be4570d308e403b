import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Journal, type RecordStore } from "../../../src/limiter/journal.ts";

const RETENTION_MS = 60_000;
const START_MS = 1_700_000_000_000;
const clockAt = (timeMs: number) => ({ timeMs, lastReadingMs: timeMs - 1, highestReadingMs: timeMs + 1 });

/** An object's storage: lists in key order, and returns copies. */
function memoryStore(): RecordStore & { readonly rows: Map<string, unknown> } {
  const rows = new Map<string, unknown>();
  return {
    rows,
    list: (prefix) => [...rows].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
    put: (key, value) => void rows.set(key, structuredClone(value)),
  };
}

test("an empty store has no admissions and no clock", () => {
  expect(new Journal(memoryStore()).load()).toEqual({ clock: null, admissions: [] });
});

describe("a record", () => {
  test("is written by a flush only if something was noted, and by every write", () => {
    const store = memoryStore();
    const journal = new Journal(store);
    journal.flush(clockAt(START_MS), RETENTION_MS);
    expect(store.rows.size).toBe(0);
    journal.write(clockAt(START_MS), RETENTION_MS);
    expect(new Journal(store).load()).toMatchObject({ clock: clockAt(START_MS), admissions: [] });
  });

  test("of an earlier deployment is read: it has format 3", () => {
    const store = memoryStore();
    const admissions = [{ key: "a", timeMs: START_MS }];
    store.put("admissions/0", { format: 3, number: 1, ...clockAt(START_MS), keys: ["a"], timesMs: [START_MS] });
    expect(new Journal(store).load()).toMatchObject({ clock: clockAt(START_MS), admissions });
  });

  test("of another format is ignored", () => {
    const store = memoryStore();
    store.put("admissions/0", {
      format: 2,
      number: 1,
      ...clockAt(START_MS),
      admissions: [{ key: "a", timeMs: START_MS }],
    });
    expect(new Journal(store).load()).toEqual({ clock: null, admissions: [] });
  });
});

test("a restart loses no admission of the window, and the number of records is bounded", () => {
  const steps = fc.array(
    fc.record({ waitMs: fc.integer({ min: 1_000, max: 9_000 }), calls: fc.nat(3), isRestart: fc.boolean() }),
    // Several windows elapse: records are reused.
    { minLength: 40, maxLength: 80 },
  );
  fc.assert(
    fc.property(steps, (history) => {
      const store = memoryStore();
      let journal = new Journal(store);
      const admitted: { key: string; timeMs: number }[] = [];
      let timeMs = START_MS;
      for (const { waitMs, calls, isRestart } of history) {
        timeMs += waitMs;
        for (let call = 0; call < calls; call += 1) {
          const admission = { key: `${admitted.length}`, timeMs };
          admitted.push(admission);
          journal.note(admission.key, timeMs);
        }
        journal.flush(clockAt(timeMs), RETENTION_MS);
        if (!isRestart) continue;
        journal = new Journal(store);
        const recent = ({ timeMs: atMs }: { readonly timeMs: number }) => timeMs - atMs < RETENTION_MS;
        expect(journal.load().admissions.filter(recent)).toEqual(admitted.filter(recent));
      }
      expect(store.rows.size).toBeLessThanOrEqual(RETENTION_MS / 1_000 + 1);
    }),
  );
});
