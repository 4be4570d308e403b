import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Confirmation, isWithinFactor, judge, judgeAll, type Question } from "../../../src/swr/gate.ts";
import type { Known, Seen } from "../../../src/swr/loader.ts";

const CONFIRM_MS = 60_000;
const LARGEST = 1_000n;
const isNear = (left: bigint, right: bigint): boolean => left - right <= 10n && right - left <= 10n;

interface Reading extends Seen {
  readonly confirmation: Confirmation;
}

function questionOf(seen: Seen, last: Seen | undefined): Question {
  const broken = seen.value > LARGEST ? "it is too large" : null;
  return { seen, last, broken, isNear: (reference) => reference === undefined || isNear(seen.value, reference.value) };
}

/** The last good reading after each of a sequence, as one figure's loader passes them through the gate. */
function valuesAfter(readings: readonly Reading[]): (Seen | undefined)[] {
  let last: Seen | undefined;
  let doubt: Seen | undefined;
  return readings.map(({ confirmation, ...seen }) => {
    const question = questionOf(seen, last);
    const unasked = judge(question, doubt, null, CONFIRM_MS);
    const verdict = unasked.kind === "doubtful" ? judge(question, doubt, confirmation, CONFIRM_MS) : unasked;
    doubt = verdict.kind === "doubtful" ? verdict.since : undefined;
    if (verdict.kind === "counts") last = seen;
    return last;
  });
}

/** Readings of a few values, so that some are near each other, some far, and some break the law. */
const READINGS = fc
  .array(
    fc.record({
      value: fc.constantFrom(0n, 5n, 500n, 505n, 999n, 1_001n),
      afterMs: fc.integer({ min: 1, max: 90_000 }),
      confirmation: fc.constantFrom<Confirmation>("alone", "alone", "confirmed", "contradicted"),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ value, afterMs, confirmation }): Reading => {
      atMs += afterMs;
      return { value, atMs, confirmation };
    });
  });

describe("the gate, over any sequence of readings", () => {
  test("a reading that breaks a law never becomes the value", () => {
    fc.assert(
      fc.property(READINGS, (readings) => {
        expect(valuesAfter(readings).every((value) => value === undefined || value.value <= LARGEST)).toBe(true);
      }),
    );
  });

  test("a far reading becomes the value only if confirmed, or if one a minute older said the same throughout", () => {
    fc.assert(
      fc.property(READINGS, (readings) => {
        const values = valuesAfter(readings);
        for (const [index, reading] of readings.entries()) {
          const before = values[index - 1];
          const isTaken = values[index]?.atMs === reading.atMs;
          if (!isTaken || before === undefined || isNear(reading.value, before.value)) continue;
          const isRepeated = readings.slice(0, index).some((older, at) => {
            const since = readings.slice(at, index + 1);
            const isOld = reading.atMs - older.atMs >= CONFIRM_MS;
            // Until now the same value was the last good one, so no reading in between was good.
            const noneWasGood = values.slice(at, index).every((value) => value === before);
            return isOld && isNear(older.value, reading.value) && noneWasGood && since.every(isUncontradicted);
          });
          expect(reading.confirmation === "confirmed" || isRepeated).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a value that has truly changed counts after a minute, or at once when confirmed", () => {
    const at = (second: number, value: bigint, confirmation: Confirmation): Reading => {
      return { value, atMs: second * 1_000, confirmation };
    };
    const alone = [at(0, 500n, "alone"), at(5, 5n, "alone"), at(64, 6n, "alone"), at(65, 5n, "alone")];
    expect(valuesAfter(alone).map((value) => value?.value)).toEqual([500n, 500n, 500n, 5n]);
    const confirmed = [at(0, 500n, "alone"), at(5, 5n, "confirmed")];
    expect(valuesAfter(confirmed).map((value) => value?.value)).toEqual([500n, 5n]);
  });
});

function isUncontradicted({ confirmation, value }: Reading): boolean {
  return confirmation !== "contradicted" && value <= LARGEST;
}

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
    const confirm = async (name: string): Promise<Confirmation> => {
      asked.push(name);
      return "alone";
    };
    const { verdicts, doubts } = await judgeAll(recall, questions, confirm, CONFIRM_MS);
    return { asked, verdict: verdicts.get("n")?.kind, doubts: [...doubts] };
  };

  test("a near one asks nobody", async () => {
    expect(await ask(known(500n), known(5n))).toEqual({ asked: ["memory"], verdict: "counts", doubts: [] });
  });

  test("a far one is compared with what another isolate has stored since", async () => {
    expect(await ask(known(5n), known(500n))).toEqual({ asked: ["memory", "stored"], verdict: "counts", doubts: [] });
  });

  test("a far one that nobody else has read is doubtful, and asks the upstreams", async () => {
    const doubts = [["n", { value: 500n, atMs: 60_000 }]];
    expect(await ask(known(5n), known(5n))).toEqual({ asked: ["memory", "stored", "n"], verdict: "doubtful", doubts });
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
