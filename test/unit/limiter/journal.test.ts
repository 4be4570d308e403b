import { expect, test } from "vitest";
import { Journal } from "../../../src/limiter/journal.ts";

const RETENTION_MS = 60_000;
const START_MS = 1_700_000_000_000;
const CLOCK = { timeMs: START_MS, lastReadingMs: START_MS - 1, highestReadingMs: START_MS + 1, countedMs: 0 };
const KEYS = { keys: ["a"], timesMs: [START_MS] };

/** A journal over an object's storage. */
function journalOver(rows: Map<string, unknown>): Journal {
  return new Journal({ list: () => rows, put: (key, value) => void rows.set(key, structuredClone(value)) });
}

test("a record is written by a flush only if something was noted, and by every write", () => {
  const rows = new Map<string, unknown>();
  const journal = journalOver(rows);
  journal.flush(CLOCK, RETENTION_MS);
  expect(rows.size).toBe(0);
  journal.write(CLOCK, RETENTION_MS);
  expect(journalOver(rows).load()).toMatchObject({ clock: CLOCK, admissions: [] });
});

test.each([
  ["an earlier deployment, which has format 3, is read", 3, CLOCK, [{ key: "a", timeMs: START_MS }]],
  ["another format is ignored", 2, null, []],
])("a record of %s", (_what, format, clock, admissions) => {
  const { countedMs: _countedMs, ...before } = CLOCK;
  const rows = new Map([["admissions/0", { format, number: 1, ...before, ...KEYS }]]);
  const journal = journalOver(rows);
  const loaded = journal.load();
  expect([loaded.clock, loaded.admissions]).toEqual([clock && expect.objectContaining(clock), admissions]);
  // Nobody's record is overwritten before it has expired.
  journal.write(CLOCK, RETENTION_MS);
  expect([...rows.keys()]).toEqual(["admissions/0", "admissions/1"]);
});
