import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";
import { NaiveLog } from "./oracle.ts";

const START_MS = 1_700_000_000_000;
const KIB = 1_024;
const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

function logOf(maxBytes: number, quota = 60) {
  return new SlidingWindowLog({ quota, windowMs: 60_000, maxBytes });
}

/** Lets so many callers take once each, 10 ms apart; returns the time of the last one. */
function fill(log: SlidingWindowLog, callers: number): number {
  for (let caller = 0; caller < callers; caller++) log.take(address(caller), START_MS + caller * 10);
  return START_MS + callers * 10;
}

test.each([4, 24])("after 40,010 callers with one request each, %i MiB admit every new caller", (mebibytes) => {
  const log = logOf(mebibytes * KIB * KIB);
  for (let caller = 0; caller < 40_010; caller++) log.take(address(caller), START_MS + Math.floor(caller / 10));
  const newcomers = Array.from({ length: 300 }, (_, second) => ({
    second,
    key: second % 2 === 0 ? `198.51.${second >> 8}.${second & 255}` : `2001:db8:0:${second}`,
  }));
  const refused = newcomers.filter(({ key, second }) => log.take(key, START_MS + 5_000 + second * 1_000) < 0);
  expect(refused).toEqual([]);
});

describe("a full table", () => {
  test("drops the callers whose last admissions are oldest, and counts them", () => {
    const log = logOf(256 * KIB, 2);
    log.take("early", START_MS);
    log.take("early", START_MS);
    log.take("returning", START_MS);
    const lateMs = START_MS + 500;
    log.take("returning", lateMs);
    const nowMs = Math.max(lateMs, fill(log, 1_400));
    expect(log.dropped).toBeGreaterThan(0);
    expect(1_402 - log.dropped).toBe(log.size);
    expect(log.peek("early", nowMs), "a whole quota").toBeGreaterThan(2 ** 22);
    expect(log.peek(address(0), nowMs), "dropped").toBeGreaterThan(2 ** 22);
    expect(log.peek(address(1_399), nowMs), "kept").toBeLessThan(2 ** 22 + 60_001);
    expect(log.take("early", nowMs)).toBeGreaterThanOrEqual(0);
  });

  test("keeps a caller that is refused all the time only until its last admission is the oldest", () => {
    const log = logOf(256 * KIB, 1);
    log.take("flooding", START_MS);
    let admitted = 0;
    for (let caller = 0; caller < 900; caller++) {
      if (log.take("flooding", START_MS + caller) >= 0) admitted++;
      log.take(address(caller), START_MS + caller);
    }
    expect(admitted).toBe(0);
    expect(log.dropped).toBe(0);
  });

  test("refuses nobody for what others did, and stays within its bytes", () => {
    const calls = fc.array(
      fc.record({ key: fc.nat(30).map(address), waitMs: fc.nat(4_000), times: fc.integer({ min: 1, max: 8 }) }),
      { minLength: 50, maxLength: 300 },
    );
    fc.assert(
      fc.property(calls, (history) => {
        const log = logOf(2 * KIB, 4);
        const naive = new NaiveLog(4, 60_000);
        let [nowMs, refused] = [START_MS, 0];
        for (const { key, waitMs, times } of history) {
          nowMs += waitMs;
          for (let call = 0; call < times; call++) {
            const rule = naive.take(key, nowMs);
            if (rule >= 0 && log.take(key, nowMs) < 0) refused++;
          }
        }
        expect(refused).toBe(0);
        expect(log.size).toBeLessThanOrEqual(10);
      }),
      { numRuns: 100 },
    );
  });

  test("is full by admissions as well as by callers", () => {
    const callersThatFit = (admissions: number) => {
      const log = logOf(256 * KIB, 300);
      for (let caller = 0; log.dropped === 0; caller++)
        for (let call = 0; call < admissions; call++) log.take(address(caller), START_MS);
      return log.size;
    };
    const [few, many] = [callersThatFit(1), callersThatFit(300)];
    expect(few).toBeGreaterThan(1_200);
    expect(many).toBeLessThan(140);
  });
});
