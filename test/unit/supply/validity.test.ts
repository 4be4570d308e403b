import { expect, test } from "vitest";
import { entityTags } from "../../../src/supply/validity.ts";
import { bucket, file, valid } from "./schedules.ts";

test("a tag changes with any content of the schedule, even under the same revision", () => {
  const tagOf = (json: Parameters<typeof valid>[0]): string => entityTags(valid(json))(undefined, "json");
  const one = file({ buckets: [bucket({ genesis: "0", phases: [{ kind: "never", amount: "1000" }] })] });
  const other = file({ buckets: [bucket({ genesis: "1000", phases: [] })] });
  expect(new Set([tagOf(one), tagOf(other), tagOf({ ...one, revision: 2 })]).size).toBe(3);
  expect(tagOf(one)).toBe(tagOf({ ...one }));
});
