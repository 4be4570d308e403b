import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scheduleFileText } from "../../../../tools/schedule/file-text.ts";
import { fileOf, sketch } from "../../supply/generated-schedules.ts";

test("the sample has the form in which every command writes a schedule", () => {
  const text = readFileSync("test/fixtures/schedule/native.json", "utf8");
  expect(scheduleFileText(JSON.parse(text))).toBe(text);
});

test("a list and an object are on one line where they fit, and nothing is lost", () => {
  const phase = (count: number) => ({ kind: "installments", amount: "1[\n 2", first_month: 1, count, every_months: 1 });
  const file = { a: undefined, token: { symbol: "X" }, empty: [], buckets: [{ id: "b", phases: [phase(1)] }] };
  expect(scheduleFileText(file)).toBe(`{
  "token": { "symbol": "X" },
  "empty": [],
  "buckets": [
    {
      "id": "b",
      "phases": [{ "kind": "installments", "amount": "1[\\n 2", "first_month": 1, "count": 1, "every_months": 1 }]
    }
  ]
}
`);
  fc.assert(
    fc.property(sketch, (sketched) => {
      const json = fileOf(sketched);
      const text = scheduleFileText(json);
      expect(JSON.parse(text)).toEqual(json);
      expect(text.split("\n").every((line) => line.length <= 120)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
