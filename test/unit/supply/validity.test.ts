import { expect, test } from "vitest";
import { stepAt } from "../../../src/supply/circulating.ts";
import { entityTags, stepHeaders } from "../../../src/supply/validity.ts";
import { bucket, file, onePhase, valid } from "./schedules.ts";

test("a tag changes with any content of the schedule, even under the same revision", () => {
  const tagOf = (json: Parameters<typeof valid>[0]): string => entityTags(valid(json))(undefined, "json");
  const one = file({ buckets: [bucket({ genesis: "0", phases: [{ kind: "never", amount: "1000" }] })] });
  const other = file({ buckets: [bucket({ genesis: "1000", phases: [] })] });
  expect(new Set([tagOf(one), tagOf(other), tagOf({ ...one, revision: 2 })]).size).toBe(3);
  expect(tagOf(one)).toBe(tagOf({ ...one }));
});

const MONTHLY = { kind: "installments", first_month: 1, count: 40, every_months: 1 };

test.each([
  ["before it", "2026-10-05", "Sun, 01 Nov 2026 00:00:00 GMT"],
  ["on its day", "2026-11-01", undefined],
  ["after it", "2026-11-18", undefined],
])("Last-Modified is the step's time, of a schedule published %s", (_when, day, expected) => {
  const nowMs = Date.parse("2026-11-21T00:00:00Z");
  const schedule = valid(onePhase(MONTHLY, { published_at: day }));
  expect(stepHeaders(schedule, stepAt(schedule, nowMs), nowMs)["Last-Modified"]).toBe(expected);
});
