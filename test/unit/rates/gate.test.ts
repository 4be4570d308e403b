import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWithinFactor, judge, judgeAll, type Question } from "../../../src/rates/gate.ts";
import type { Known, Seen } from "../../../src/swr/loader.ts";

const CONFIRM_MS = 60_000;
const isNear = (left: bigint, right: bigint): boolean => left - right <= 10n && right - left <= 10n;

function questionOf(seen: Seen, last: Seen | undefined): Question {
  return { seen, last, isNear: (reference) => reference === undefined || isNear(seen.value, reference.value) };
}

/** The last good reading after each of a sequence, as one figure's loader passes them through the gate. */
function valuesAfter(readings: readonly Seen[]): (Seen | undefined)[] {
  let last: Seen | undefined;
  let doubt: Seen | undefined;
  return readings.map((seen) => {
    const verdict = judge(questionOf(seen, last), doubt, CONFIRM_MS);
    doubt = verdict.kind === "doubtful" ? verdict.since : undefined;
    if (verdict.kind === "counts") last = seen;
    return last;
  });
}

/** Readings of a few values, so that some are near each other and some far. */
const READINGS = fc
  .array(
    fc.record({
      value: fc.constantFrom(0n, 5n, 500n, 505n, 999n),
      afterMs: fc.integer({ min: 1, max: 90_000 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ value, afterMs }): Seen => {
      atMs += afterMs;
      return { value, atMs };
    });
  });

describe("the gate, over any sequence of readings", () => {
  test("a far reading becomes the value only if one a minute older said the same, and none between was good", () => {
    fc.assert(
      fc.property(READINGS, (readings) => {
        const values = valuesAfter(readings);
        for (const [index, reading] of readings.entries()) {
          const before = values[index - 1];
          const isTaken = values[index]?.atMs === reading.atMs;
          if (!isTaken || before === undefined || isNear(reading.value, before.value)) continue;
          const isRepeated = readings.slice(0, index).some((older, at) => {
            const isOld = reading.atMs - older.atMs >= CONFIRM_MS;
            // Until now the same value was the last good one, so no reading in between was good.
            const noneWasGood = values.slice(at, index).every((value) => value === before);
            return isOld && isNear(older.value, reading.value) && noneWasGood;
          });
          expect(isRepeated).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a value that has truly changed counts after a minute", () => {
    const at = (second: number, value: bigint): Seen => ({ value, atMs: second * 1_000 });
    const readings = [at(0, 500n), at(5, 5n), at(64, 6n), at(65, 5n)];
    expect(valuesAfter(readings).map((value) => value?.value)).toEqual([500n, 500n, 500n, 5n]);
  });
});

describe("judging the numbers of one reading", () => {
  const known = (value: bigint): Known<bigint> => {
    return { best: { kind: "observed", value, observedAtMs: 0 }, doubts: new Map() };
  };
  const ask = async (memory: Known<bigint>, stored: Known<bigint>) => {
    const asked: string[] = [];
    const questions = ({ best }: Known<bigint>) =>
      new Map([["n", questionOf({ value: 500n, atMs: 60_000 }, best && { value: best.value, atMs: 0 })]]);
    const recall = async (from?: "stored") => {
      asked.push(from ?? "memory");
      return from === "stored" ? stored : memory;
    };
    const { verdicts, doubts } = await judgeAll(recall, questions, CONFIRM_MS);
    return { asked, verdict: verdicts.get("n")?.kind, doubts: [...doubts] };
  };

  test("a near one is compared with what the isolate knows", async () => {
    expect(await ask(known(500n), known(5n))).toEqual({ asked: ["memory"], verdict: "counts", doubts: [] });
  });

  test("a far one is compared with what another isolate has stored since", async () => {
    expect(await ask(known(5n), known(500n))).toEqual({ asked: ["memory", "stored"], verdict: "counts", doubts: [] });
  });

  test("a far one that nobody else has read is doubtful", async () => {
    const doubts = [["n", { value: 500n, atMs: 60_000 }]];
    expect(await ask(known(5n), known(5n))).toEqual({ asked: ["memory", "stored"], verdict: "doubtful", doubts });
  });

  test("a far one that another isolate read a minute ago counts", async () => {
    const stored = { ...known(5n), doubts: new Map([["n", { value: 500n, atMs: 0 }]]) };
    expect(await ask(known(5n), stored)).toMatchObject({ verdict: "counts", doubts: [] });
  });
});

test.each([
  [100n, 500n, true],
  [100n, 501n, false],
  [500n, 100n, true],
  [501n, 100n, false],
  [0n, 0n, true],
  [0n, 1n, false],
  [-100n, -500n, true],
  [-100n, 100n, false],
])("%d and %d are within a factor of five: %s", (left, right, expected) => {
  expect(isWithinFactor(left, right, 5)).toBe(expected);
});
