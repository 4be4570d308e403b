import { describe, expect, test } from "vitest";
import { requestedStep } from "../../../src/supply/period-query.ts";
import { bucket, file, valid } from "./schedules.ts";

/** Starts on 13 February 2025; steps on the first of each month. */
const schedule = valid(
  file({
    buckets: [
      bucket({
        genesis: "100",
        phases: [{ kind: "installments", amount: "900", first_month: 1, count: 9, every_months: 1 }],
      }),
    ],
  }),
);

describe("the figure of a period", () => {
  test.each([
    [{ month: "2025-02" }, 0],
    [{ month: "2025-03" }, 1],
    [{ month: "2025-11" }, 9],
    [{ month: "2099-01" }, 9],
    [{ date: "2025-02-13" }, 0],
    [{ date: "2025-02-28" }, 0],
    [{ date: "2025-03-01" }, 1],
    [{ date: "2099-12-31" }, 9],
  ])("%o is step %i", (params, index) => {
    expect(requestedStep(schedule, params)).toMatchObject({ index });
  });

  test.each([
    [{ month: "2025-03", date: "2025-03-01" }, "Parameters month and date exclude one another: give one of them."],
    [{ month: "2025-01" }, "Parameter month must not be before the schedule's start, 2025-02."],
    [{ date: "2025-02-12" }, "Parameter date must not be before the schedule's start, 2025-02-13."],
    [{ month: "2025-13" }, "Parameter month must be a month as YYYY-MM, for example 2026-03."],
    [{ month: "" }, "Parameter month must be a month as YYYY-MM, for example 2026-03."],
    [{ date: "2025-04-31" }, "Parameter date must be a day that exists as YYYY-MM-DD, for example 2026-03-31."],
  ])("%o is refused: %s", (params, message) => {
    expect(requestedStep(schedule, params)).toEqual({ kind: "invalid_input", message });
  });
});
