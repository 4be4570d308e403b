import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allSteps } from "../../../../src/supply/circulating.ts";
import { parseSchedule, parseScheduleText } from "../../../../tools/schedule/parse-schedule.ts";
import { BURN, bucket, errorsOf, file, onePhase, table, valid, wallet } from "../../supply/schedules.ts";
import { WRONG_MEANINGS, WRONG_SHAPES } from "./refused.ts";

const ONE_TOO_MANY = {
  ...file({ $schema: "./schema.json", max_supply: "1000000000" }),
  buckets: [
    {
      id: "community",
      label: "Community",
      category: "community",
      allocation: "383700001",
      genesis: "100000000",
      phases: [{ kind: "installments", amount: "283700000", first_month: 1, count: 48, every_months: 1 }],
    },
    {
      id: "backers",
      label: "Backers",
      category: "investors",
      allocation: "216300000",
      genesis: "0",
      phases: [
        { kind: "cliff", amount: "54075000", month: 12 },
        { kind: "installments", amount: "162225000", first_month: 13, count: 24, every_months: 1 },
      ],
    },
    {
      id: "reserve",
      label: "Reserve",
      category: "treasury",
      allocation: "400000000",
      genesis: "0",
      phases: [{ kind: "never", amount: "400000000" }],
    },
  ],
  adjustments: [{ ...BURN, month: "2026-03", delta: "-1250" }],
};

test("an allocation that is one token more than its parts is refused, naming the place and both sums", () => {
  expect(errorsOf(ONE_TOO_MANY)).toEqual([
    "buckets[0].allocation: 383700001 is not genesis + phases, 383700000",
    "buckets: allocations add up to 1000000001, not to max_supply 1000000000",
  ]);
});

test("the same schedule with the allocation corrected is accepted", () => {
  const fixed = JSON.stringify(ONE_TOO_MANY).replace("383700001", "383700000");
  expect(errorsOf(JSON.parse(fixed))).toEqual([]);
});

describe("a refusal names the place", () => {
  test.each([...WRONG_SHAPES, ...WRONG_MEANINGS])("for %s", (_what, json, error) => {
    const errors = errorsOf(json);
    expect(errors.filter((text) => text.startsWith(error))).toHaveLength(1);
  });
});

test("who publishes, and how a bucket's figures are known, are kept; left out they are absent", () => {
  const known = bucket({ source: "https://example.org/grant", precision: "on_chain" });
  const schedule = valid(file({ publisher: "Example Foundation", buckets: [known] }));
  expect(schedule.publisher).toBe("Example Foundation");
  expect(schedule.plan).toMatchObject({ buckets: [{ source: "https://example.org/grant", precision: "on_chain" }] });
  // The hash of a published revision is over the members of the schedule.
  expect(valid(file())).not.toHaveProperty("publisher");
});

test("every error of a file is reported at once", () => {
  expect(errorsOf(file({ start: "2023-04-31", step_day: 31, max_supply: "1e3" }))).toHaveLength(3);
});

test("text that is not JSON is an error of the file", () => {
  expect(parseScheduleText("{")).toMatchObject({ kind: "errors", errors: [{ path: "" }] });
});

test.each([
  ['{\n  // ours\n  "revision": 1\n}', "is not JSON: line 2 has a comment, which JSON does not allow: remove it"],
  ['{\n  "a": "https://x.example//y",\n  "b": 1, /* ours */\n}', "is not JSON: line 3 has a comment"],
  ['{ "a": "http://x.example", }', "is not JSON: Expected double-quoted property name"],
  [Buffer.from('\uFEFF{ "a": 1 }', "utf16le").toString("utf8"), "is not JSON: it looks like UTF-16; save it as UTF-8"],
])("%j is explained", (text, message) => {
  expect(parseScheduleText(text)).toMatchObject({ errors: [{ message: expect.stringContaining(message) }] });
});

test("a file of 17 MB is refused with one line, not with a million", () => {
  const text = `{${Array.from({ length: 1_400_000 }, (_none, index) => `"k${index}":0`).join()}}`;
  expect(text.length).toBeGreaterThan(17_000_000);
  const message = `has ${text.length} characters; a schedule has at most 1048576`;
  expect(parseScheduleText(text)).toEqual({ kind: "errors", errors: [{ path: "", message }] });
});

test.each(["9", undefined])("decimals %j are one error: no amount is blamed for its digits", (decimals) => {
  const token = { symbol: "X", name: "X", decimals };
  expect(errorsOf(JSON.parse(JSON.stringify(file({ token, max_supply: "1000.5" }))))).toEqual([
    expect.stringMatching(/^token.decimals: /),
  ]);
});

test("a list of 200,000 phases is judged like any other: by what would be served", () => {
  const phases = Array.from({ length: 200_000 }, () => ({ kind: "cliff", amount: "0", month: 1 }));
  expect(errorsOf(file({ buckets: [bucket({ phases })] }))).toEqual([
    expect.stringContaining("buckets: /api/allocations would have up to 5"),
  ]);
});

test.each([
  ["another pool", { address: "0xde", holds: "stake_pool" }],
  ["the same address on another chain", { chain: "ethereum", address: "0xdd", holds: "stake_pool" }],
  ["the account of the pool", { address: "0xdd", holds: "account" }],
  ["another delegation to it", { address: "0xa2", holds: "delegation", pool: "0xdd" }],
])("a delegation may be listed beside %s", (_what, beside) => {
  const delegation = wallet("0xa1", { holds: "delegation", pool: "0xdd" });
  const wallets = [delegation, { ...wallet("0xa1"), ...beside }].map((each) => ({ ...each, category: "team" }));
  expect(errorsOf(file({ wallets }))).toEqual([]);
});

test("a duplicate key is an error, because JSON.parse keeps only the last", () => {
  const text = JSON.stringify(file()).replace('"genesis":"1000"', '"genesis":"1000","label":"}, [x","genesis":"1000"');
  expect(parseScheduleText(text)).toEqual({
    kind: "errors",
    errors: [
      { path: "buckets[0].label", message: "is duplicate" },
      { path: "buckets[0].genesis", message: "is duplicate" },
    ],
  });
  expect(parseScheduleText(JSON.stringify(file())).kind).toBe("schedule");
});

test("with any value in any place, a file is refused by name or has figures; the parser never throws", () => {
  const places = placesOf(ONE_TOO_MANY);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
      const result = parseSchedule(replaced(ONE_TOO_MANY, place, value));
      if (result.kind === "schedule") expect(allSteps(result.schedule).length).toBeGreaterThan(0);
      else for (const { message } of result.errors) expect(message).toMatch(/^[\x20-\uFFFF]{5,}$/);
    }),
    { numRuns: 1000 },
  );
});

type Place = readonly (string | number)[];

function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...place, key]))];
}

function replaced(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === String(key) ? replaced(item, rest, other) : item));
  const entries = Object.entries(value ?? {});
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? replaced(item, rest, other) : item]));
}

describe("the end of a schedule", () => {
  test.each([
    ["a day before the step", 15, 1],
    ["on the step itself", 16, 1],
    ["a day after it", 17, 2],
  ])("installments by days whose last is %s", (_when, firstDay, lastIndex) => {
    // The start is 13 February: day 16 is 1 March, the first step.
    const json = onePhase({ kind: "installments", first_day: firstDay, count: 1, every_days: 1 });
    expect(valid(json).lastIndex).toBe(lastIndex);
  });

  test("a table's figure may stay the same from month to month, but not decrease", () => {
    expect(errorsOf(table(["2025-02", "5"], ["2025-03", "5"]))).toEqual([]);
    expect(errorsOf(table(["2025-02", "5"], ["2025-03", "4.99999999"]))).toEqual([
      "table[1].circulating: 4.99999999 falls below 5 of the month before; a burn or a correction needs a bucket: npm run schedule -- convert",
    ]);
  });
});
