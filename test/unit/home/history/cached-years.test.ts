import fc from "fast-check";
import { expect, test } from "vitest";
import { dayText } from "../../../../src/base/utc.ts";
import { CachedYears } from "../../../../src/home/history/cached-years.ts";
import { type Days, daysBefore } from "../../../../src/home/history/rows.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const TODAY = dayText(NOON);

interface Row {
  readonly day: string;
  readonly figure: string;
}

/** A store with rows of two figures a day, which counts what it is asked and what it reads. */
function world(days = 0) {
  const rows: Row[] = [];
  const read = { calls: 0, rows: 0, answers: true };
  const record = (day: string, ...figures: string[]) => {
    for (const figure of figures)
      if (!rows.some((row) => row.day === day && row.figure === figure)) rows.push({ day, figure });
    rows.sort((a, b) => (a.day < b.day ? -1 : 1));
  };
  for (let ago = days; ago >= 1; ago -= 1)
    for (const figure of ["total", "burned"]) rows.push({ day: daysBefore(TODAY, ago), figure });
  const inDays = ({ from, to }: Days) => rows.filter(({ day }) => day >= from && day <= to);
  const kept = new CachedYears<Row>({
    load: async (_series, asked) => {
      read.calls += 1;
      const found = inDays(asked);
      read.rows += found.length;
      return read.answers ? found : null;
    },
    isComplete: (found) => found.length === 2,
  });
  return { rows, read, record, inDays, kept };
}

test("any number of ranges of ten years of whole days reads each year once", async () => {
  const { read, record, kept, rows } = world(3_652);
  record(TODAY, "total", "burned");
  for (let ago = 0; ago <= 3_652; ago += 1) {
    const days = { from: daysBefore(TODAY, ago), to: daysBefore(TODAY, ago % 40) };
    if (days.from <= days.to) await kept.rowsOf("", days, NOON + ago * 1_000);
  }
  expect(read.calls).toBeLessThanOrEqual(11);
  expect(read.rows).toBe(rows.length);
});

test("while a day is not whole, only the days since the last reading are read again", async () => {
  const { read, record, kept } = world(700);
  record(TODAY, "total");
  const range = { from: daysBefore(TODAY, 600), to: TODAY };
  expect(await kept.rowsOf("", range, NOON)).toHaveLength(1_201);
  const { rows: before } = read;
  expect(await kept.rowsOf("", range, NOON + 1_000)).toHaveLength(1_201);
  expect(read.rows - before).toBe(1);
  record(TODAY, "burned");
  expect(await kept.rowsOf("", range, NOON + 2_000)).toHaveLength(1_202);
  const { calls } = read;
  await kept.rowsOf("", range, NOON + 3_000);
  expect(read.calls).toBe(calls);
});

test("a row that comes just after its day has ended is found", async () => {
  const { record, kept } = world(10);
  const midnight = Date.parse(`${TODAY}T00:00:00Z`) + DAY_MS;
  const range = { from: TODAY, to: TODAY };
  expect(await kept.rowsOf("", range, midnight + 5_000)).toEqual([]);
  record(TODAY, "total");
  expect(await kept.rowsOf("", range, midnight + 6_000)).toHaveLength(1);
});

test("a store that does not respond is no empty year, and is asked again", async () => {
  const { read, kept } = world(10);
  const range = { from: daysBefore(TODAY, 10), to: daysBefore(TODAY, 1) };
  read.answers = false;
  expect(await kept.rowsOf("", range, NOON)).toBeNull();
  read.answers = true;
  expect(await kept.rowsOf("", range, NOON)).toHaveLength(20);
});

test("years that no memory holds are read again, and the answer is the same", async () => {
  const { kept, read, inDays } = world(400);
  const range = { from: daysBefore(TODAY, 400), to: daysBefore(TODAY, 1) };
  for (let series = 0; series < 100; series += 1)
    expect(await kept.rowsOf(String(series), range, NOON)).toEqual(inDays(range));
  expect(read.calls).toBe(100);
  await kept.rowsOf("0", range, NOON);
  expect(read.calls).toBe(101);
});

const step = fc.record({
  hours: fc.constantFrom(0, 1, 5, 11, 24, 50, 24 * 200),
  back: fc.constantFrom(false, false, false, true),
  figures: fc.subarray(["total", "burned"]),
  from: fc.nat(800),
  length: fc.nat(800),
});

test("whatever is recorded, asked and set, a range has the rows of the store up to today", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { kept, record, inDays } = world(30);
      let nowMs = NOON;
      for (const { hours, back, figures, from, length } of steps) {
        nowMs += (back ? -1 : 1) * hours * 3_600_000;
        const today = dayText(nowMs);
        record(today, ...figures);
        const first = daysBefore(today, from);
        const asked = dayText(Date.parse(first) + length * DAY_MS);
        const days = { from: first, to: asked };
        const seen = { from: first, to: asked < today ? asked : today };
        expect(await kept.rowsOf("", days, nowMs)).toEqual(inDays(seen));
      }
    }),
    { numRuns: 200 },
  );
});
