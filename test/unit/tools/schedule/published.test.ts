import { expect, test } from "vitest";
import { parsePublished, publishedErrors, withPassedSteps } from "../../../../tools/schedule/published.ts";
import { BURN, bucket, file, valid } from "../../supply/schedules.ts";

const phases = [{ kind: "installments", amount: "1000", first_month: 1, count: 10, every_months: 1 }];
const original = file({ buckets: [bucket({ genesis: "0", phases })] });
const upTo = Date.parse("2025-06-15T00:00:00Z");
const published = withPassedSteps(valid(original), undefined, upTo);
const errorsOf = (json: unknown) =>
  publishedErrors(valid(json), parsePublished(published.text).rows).map(({ path, message }) => `${path}: ${message}`);
const burn = { ...BURN, month: "2025-05", delta: "-7" };

test("past steps are recorded once", () => {
  expect(published.text.split("\n")).toEqual([
    "effective_from,circulating,circulating_base_units,max_supply,decimals",
    "2025-02-13T00:00:00Z,0,0,1000,8",
    "2025-03-01T00:00:00Z,100,10000000000,1000,8",
    "2025-04-01T00:00:00Z,200,20000000000,1000,8",
    "2025-05-01T00:00:00Z,300,30000000000,1000,8",
    "2025-06-01T00:00:00Z,400,40000000000,1000,8",
    "",
  ]);
  expect(withPassedSteps(valid(original), published.text, upTo)).toEqual({ text: published.text, added: 0 });
  expect(withPassedSteps(valid(original), published.text, Date.parse("2025-07-01T00:00:00Z")).added).toBe(1);
});

test("a future change does not contradict the published past", () => {
  const later = [
    { ...phases[0], amount: "400", count: 4 },
    { kind: "cliff", amount: "600", month: 30 },
  ];
  expect(errorsOf({ ...original, buckets: [bucket({ genesis: "0", phases: later })] })).toEqual([]);
});

test("a plan that ends earlier than what was published keeps its last figure", () => {
  // Ten months were to unlock; after four nothing does, as after a burn of all that was locked.
  const short = [
    { ...phases[0], amount: "400", count: 4 },
    { kind: "never", amount: "600" },
  ];
  const ended = valid({ ...original, buckets: [bucket({ genesis: "0", phases: short })] });
  const errors = (row: string) => publishedErrors(ended, parsePublished(published.text + row).rows);
  expect(errors("2025-07-01T00:00:00Z,400,40000000000,1000,8\n")).toEqual([]);
  expect(errors("2025-07-01T00:00:00Z,500,50000000000,1000,8\n")).toMatchObject([
    { message: expect.stringContaining("was published as 500, now 400") },
  ]);
  expect(errors("2025-07-02T00:00:00Z,400,40000000000,1000,8\n")[0]?.message).toContain("has no step there any more");
});

test("a changed past figure is reported, with both figures", () => {
  const changed = [{ ...phases[0], count: 8 }];
  expect(errorsOf({ ...original, buckets: [bucket({ genesis: "0", phases: changed })] })).toEqual([
    "2025-03-01T00:00:00Z: was published as 100, now 125, and no adjustment explains the difference",
    "2025-04-01T00:00:00Z: was published as 200, now 250, and no adjustment explains the difference",
    "2025-05-01T00:00:00Z: was published as 300, now 375, and no adjustment explains the difference",
    "2025-06-01T00:00:00Z: was published as 400, now 500, and no adjustment explains the difference",
  ]);
});

test.each(["2025-02-13", "2025-04-01"])("a removed past row, %s, is reported", (day) => {
  const { rows } = parsePublished(published.text);
  const rest = rows.filter(({ effectiveFrom }) => !effectiveFrom.startsWith(day));
  expect(publishedErrors(valid(original), rest)).toEqual([
    { path: `${day}T00:00:00Z`, message: "was published, but published.csv has no row for it any more" },
  ]);
});

test("an adjustment explains its own change only", () => {
  const revised = { ...original, published_at: "2025-06-01", adjustments: [burn] };
  expect(errorsOf(revised)).toEqual([]);
  expect(
    errorsOf({ ...revised, adjustments: [burn, { ...burn, month: "2025-06", delta: "2", kind: "correction" }] }),
  ).toEqual([]);
  const hidden = [{ ...phases[0], count: 8 }];
  expect(errorsOf({ ...revised, buckets: [bucket({ genesis: "0", phases: hidden })] })).toHaveLength(4);
});

test("an adjustment of a later month explains nothing of an earlier one", () => {
  const cliffs = [
    [100, 1],
    [100, 2],
    [200, 4],
    [600, 11],
  ].map(([amount, month]) => ({ kind: "cliff", amount: String(amount), month }));
  const changed = { ...original, buckets: [bucket({ genesis: "0", phases: cliffs })] };
  const missing = "2025-05-01T00:00:00Z: was published as 300, now 200, and no adjustment explains the difference";
  expect(errorsOf(changed)).toEqual([missing]);
  expect(errorsOf({ ...changed, adjustments: [{ ...burn, month: "2026-01", delta: "-100" }] })).toEqual([missing]);
});

test("a revision that was written before a month was served, and deployed after it, has its day raised", () => {
  const late = { ...original, published_at: "2025-05-20", adjustments: [{ ...burn, month: "2025-06" }] };
  expect(errorsOf(late)).toEqual([
    "2025-06-01T00:00:00Z: was served before an adjustment changed it, but published_at is 2025-05-20: set it to the day of the deployment",
  ]);
  expect(errorsOf({ ...late, published_at: "2025-06-01" })).toEqual([]);
});

test.each([
  [
    "another maximum",
    { max_supply: "2000", buckets: [bucket({ allocation: "2000", genesis: "1000", phases })] },
    "was published with max_supply 1000, now 2000",
  ],
  [
    "other decimals",
    { token: { symbol: "XYZ", name: "Example", decimals: 6 } },
    "was published with 8 decimals, now 6",
  ],
  ["another step day", { step_day: 2 }, "was published, but the schedule has no step there any more"],
])("%s is reported", (_what, changes, message) => {
  expect(errorsOf({ ...original, ...changes })).toContainEqual(expect.stringContaining(message));
});

test.each([
  ["month,circulating\n", "line 1: must be effective_from"],
  [`${published.text}2025-06-01T00:00:00Z,400,40000000000,1000,8\n`, "line 7: is out of order"],
  [`${published.text}2025-07-01,400,4e10,1000,8\n`, "line 7: is not a row of figures"],
])("a file that is not the published past is refused: %o", (text, error) => {
  expect(parsePublished(text).errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining(error),
  ]);
});
