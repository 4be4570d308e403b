import { describe, expect, test } from "vitest";
import { ok } from "../../../src/http/reply.ts";
import { entityTags, maxAgeAt, replyMemo } from "../../../src/supply/validity.ts";
import { bucket, file, onePhase, valid } from "./schedules.ts";

/** Starts on 13 February 2025; steps on the first of the months until November. */
const schedule = valid(onePhase({ kind: "installments", first_month: 1, count: 9, every_months: 1 }));

describe("a copy", () => {
  test.each([
    ["2025-02-01T00:00:00.000Z", 300],
    ["2025-02-12T23:59:50.000Z", 10],
    ["2025-02-13T00:00:00.000Z", 300],
    ["2025-02-28T23:55:00.000Z", 300],
    ["2025-02-28T23:55:00.001Z", 299],
    ["2025-02-28T23:59:59.999Z", 0],
    ["2025-03-01T00:00:00.000Z", 300],
    ["2025-10-31T23:59:58.000Z", 2],
    ["2025-11-01T00:00:00.000Z", 300],
    ["2026-01-31T23:59:59.000Z", 300],
  ])("made at %s lives for %i seconds", (instant, seconds) => {
    expect(maxAgeAt(schedule, Date.parse(instant))).toBe(seconds);
  });
});

test("a reply is reused while step and max-age are the same", () => {
  const memo = replyMemo(schedule);
  let made = 0;
  const at = (instant: string): unknown =>
    memo(Date.parse(instant), () => {
      made += 1;
      return ok(String(made), {});
    }).body;
  const seen = [
    "2025-02-13T00:00:00.000Z",
    "2025-02-28T23:55:00.000Z",
    "2025-02-28T23:55:00.001Z",
    "2025-02-28T23:55:01.000Z",
    "2025-02-28T23:55:01.001Z",
    "2025-03-01T00:00:00.000Z",
    "2025-03-14T00:00:00.000Z",
    "2025-02-14T00:00:00.000Z",
  ].map(at);
  expect(seen).toEqual(["1", "1", "2", "2", "3", "4", "4", "5"]);
});

test("a tag changes with any content of the schedule, even under the same revision", () => {
  const tagOf = (json: Parameters<typeof valid>[0]): string => entityTags(valid(json))(undefined, "json");
  const one = file({ buckets: [bucket({ genesis: "0", phases: [{ kind: "never", amount: "1000" }] })] });
  const other = file({ buckets: [bucket({ genesis: "1000", phases: [] })] });
  expect(new Set([tagOf(one), tagOf(other), tagOf({ ...one, revision: 2 })]).size).toBe(3);
  expect(tagOf(one)).toBe(tagOf({ ...one }));
});
