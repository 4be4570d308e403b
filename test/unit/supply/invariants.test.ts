import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { stepMs } from "../../../src/supply/calendar.ts";
import { allSteps, dayAt, stepAt } from "../../../src/supply/circulating.ts";
import { scheduleCsv, scheduleView } from "../../../src/supply/representations.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import { print } from "../../../tools/schedule/print.ts";
import { fileOf, type Sketch, type SketchedFile, sketch, withBurn } from "./generated-schedules.ts";
import { naiveCirculating, naiveDays, naiveSteps } from "./naive.ts";
import { valid } from "./schedules.ts";

const lastDay = (schedule: UnlockSchedule) => dayText(stepMs(schedule.calendar, schedule.lastIndex));

function law(holds: (schedule: UnlockSchedule, json: SketchedFile, sketched: Sketch) => void): void {
  fc.assert(
    fc.property(sketch, (sketched) => {
      const json = fileOf(sketched);
      holds(valid(json), json, sketched);
    }),
    { numRuns: 300 },
  );
}

describe("for every schedule", () => {
  test("a second, naive implementation agrees to the base unit", () => {
    law((schedule, json) => {
      const steps = naiveSteps(json.start, json.step_day, lastDay(schedule));
      const all = allSteps(schedule);
      expect(all.map(({ effectiveFromMs }) => dayText(effectiveFromMs))).toEqual(steps);
      expect(all.map(({ circulating }) => circulating)).toEqual(
        steps.map((_, index) => naiveCirculating(json, steps, index)),
      );
    });
  });

  test("of each day, the naive implementation agrees: days count between the steps, and at a step both figures are one", () => {
    let between = 0;
    law((schedule, json) => {
      const last = lastDay(schedule);
      const steps = naiveSteps(json.start, json.step_day, last);
      const days = naiveDays(json.start, last);
      // Every 11th day, and all steps: a schedule may have thousands of days.
      const seen = days.filter((day, index) => index % 11 === 0 || steps.includes(day));
      between += seen.length - steps.length;
      // 23:59:59 of the day.
      const figures = seen.map((day) => dayAt(schedule, Date.parse(day) + DAY_MS - 1000)?.circulating);
      const index = (day: string) => steps.findLastIndex((step) => step <= day);
      expect(figures).toEqual(seen.map((day) => naiveCirculating(json, steps, index(day), day)));
      const atSteps = steps.map((day) => dayAt(schedule, Date.parse(day))?.circulating);
      expect(atSteps).toEqual(allSteps(schedule).map(({ circulating }) => circulating));
    });
    expect(between).toBeGreaterThan(1_000);
  });

  test("the figure never decreases, never exceeds the maximum and is the sum of its buckets", () => {
    law((schedule) => {
      let before = 0n;
      // Once for each schedule: a hundred thousand calls of expect take seconds.
      const wrong = allSteps(schedule).filter(({ circulating, buckets }) => {
        const isWrong = circulating < before || circulating > schedule.maxSupply;
        before = circulating;
        return isWrong || buckets.reduce((sum, entry) => sum + entry.circulating, 0n) !== circulating;
      });
      expect(wrong).toEqual([]);
    });
  });

  test("it ends at the sum of all unlocks, to the base unit", () => {
    law((schedule, _json, { buckets }) => {
      const unlocking = buckets
        .flatMap(({ genesis, phases }) => [
          genesis,
          ...phases.map(([{ kind }, amount]) => (kind === "never" ? 0n : amount)),
        ])
        .reduce((sum, amount) => sum + amount, 0n);
      expect(allSteps(schedule).at(-1)?.circulating).toBe(unlocking);
    });
  });

  test("it is constant between two steps, and after the last", () => {
    fc.assert(
      fc.property(
        sketch,
        fc.nat(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (sketched, pick, part) => {
          const all = allSteps(valid(fileOf(sketched)));
          const row = all[pick % all.length];
          const schedule = valid(fileOf(sketched));
          const spanMs = (row?.nextStepMs ?? 8e15) - (row?.effectiveFromMs ?? 0);
          expect(stepAt(schedule, (row?.effectiveFromMs ?? 0) + Math.floor(part * spanMs))).toEqual(row);
          expect(stepAt(schedule, (row?.nextStepMs ?? 8e15) - 1)).toEqual(row);
          expect(stepAt(schedule, schedule.calendar.startMs - 1)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  test("the command line and the HTTP bodies have the same figures", () => {
    law((schedule) => {
      expect(JSON.parse(print(schedule, "json"))).toEqual(JSON.parse(JSON.stringify(scheduleView(schedule))));
      const served = scheduleCsv(schedule, "base_units").trimEnd().split("\n");
      expect(print(schedule, "csv").split("\n")).toEqual(served.map((line) => line.split(",").slice(0, 4).join(",")));
    });
  });

  test("a burn is subtracted from its month on, and not before", () => {
    fc.assert(
      fc.property(withBurn, (json) => {
        const schedule = valid(json);
        const steps = naiveSteps(json.start, json.step_day, lastDay(schedule));
        expect(allSteps(schedule).map(({ circulating }) => circulating)).toEqual(
          steps.map((_, index) => naiveCirculating(json, steps, index)),
        );
      }),
      { numRuns: 200 },
    );
  });
});
