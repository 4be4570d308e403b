import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { unlockCalendar } from "../../../page/build/icalendar.ts";
import { dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { allSteps, stepAt } from "../../../src/supply/circulating.ts";
import { unlockEventsCsv, unlockEventsView } from "../../../src/supply/unlock-event-formats.ts";
import { nextPlannedUnlock, unlockEvents } from "../../../src/supply/unlock-events.ts";
import arbitrum from "../../fixtures/schedule/examples/arbitrum.json" with { type: "json" };
import sui from "../../fixtures/schedule/examples/sui.json" with { type: "json" };
import { fileOf, sketch, withBurn } from "./generated-schedules.ts";
import { naiveCirculating, naiveSteps } from "./naive.ts";
import { BURN, bucket, cliff, file, installments, onePhase, table, valid } from "./schedules.ts";

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

const generated = fc.oneof(sketch.map(fileOf), { arbitrary: withBurn, weight: 5 });

describe("for every schedule", () => {
  test("the events up to an instant add up to the figure at that instant", () => {
    fc.assert(
      fc.property(generated, fc.nat(), fc.nat(), (json, pick, offset) => {
        const schedule = valid(json);
        const steps = allSteps(schedule);
        const step = steps[pick % steps.length];
        const instantMs = (step?.effectiveFromMs ?? 0) + (offset % 2_000_000_000);
        const before = unlockEvents(schedule).filter(({ atMs }) => atMs <= instantMs);
        expect(sumOf(before.map(({ amount }) => amount))).toBe(stepAt(schedule, instantMs)?.circulating);
        expect(before.at(-1)?.cumulative ?? 0n).toBe(stepAt(schedule, instantMs)?.circulating);
      }),
      { numRuns: 300 },
    );
  });

  test("the events agree with the naive implementation at every step", () => {
    fc.assert(
      fc.property(generated, (json) => {
        const schedule = valid(json);
        const last = dayText(allSteps(schedule).at(-1)?.effectiveFromMs ?? 0);
        const steps = naiveSteps(json.start, json.step_day, last);
        const byDay = new Map(unlockEvents(schedule).map((event) => [dayText(event.atMs), event.amount]));
        const expected = steps.map((_, index) => naiveCirculating(json, steps, index));
        expect(steps.map((day) => byDay.get(day) ?? 0n)).toEqual(
          expected.map((figure, index) => figure - (expected[index - 1] ?? 0n)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("an event is the sum of its parts, and only adjustments are negative", () => {
    fc.assert(
      fc.property(generated, (json) => {
        const wrong = unlockEvents(valid(json)).filter(
          ({ amount, parts }) =>
            sumOf(parts.map((part) => part.amount)) !== amount ||
            parts.some((part) => part.amount > 0n !== (part.kind !== "adjustment")),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

const eventsOf = (json: unknown) =>
  unlockEvents(valid(json)).map(({ atMs, amount, parts }) => [
    dayText(atMs),
    tokenText(amount, valid(json).token.decimals),
    parts.map(({ bucket: { id }, kind }) => `${id} ${kind}`).join(", "),
  ]);

test("kinds follow the rules: Arbitrum's start, cliff and monthly installments", () => {
  const events = eventsOf(arbitrum);
  expect(events[0]).toEqual(["2023-03-16", "1275000000", "users cliff, daos cliff"]);
  expect(events.find(([day]) => day === "2024-03-16")?.[2]).toBe("team cliff, investors cliff, foundation linear");
  expect(events.find(([day]) => day === "2024-04-16")?.[2]).toBe(
    "team installment, investors installment, foundation linear",
  );
});

test("a table has events without buckets, from its first figure on", () => {
  expect(eventsOf(sui).slice(0, 2)).toEqual([
    ["2023-05-03", "514649369.9487179", ""],
    ["2023-06-01", "67948717.948718", ""],
  ]);
});

const burned = file({
  revision: 7,
  token: { symbol: "X;Y", name: "Token, with\\ signs", decimals: 8 },
  buckets: [
    bucket({
      label: 'Ökosystem, "community" and a label long enough to be folded over several lines 🪙🪙🪙🪙🪙🪙🪙🪙🪙',
      genesis: "100",
      phases: [installments(900, 1, 3)],
    }),
  ],
  adjustments: [{ ...BURN, delta: "-1.5" }],
});

test("an unlock is a share of what circulated before it; of nothing there is no share", () => {
  const schedule = valid(onePhase({ kind: "installments", first_month: 1, count: 4, every_months: 1 }));
  const { data } = unlockEventsView(schedule, unlockEvents(schedule), { from: undefined, to: undefined });
  expect(data.map((event) => event.percent_of_circulating)).toEqual([null, "100", "50", "33.3333"]);
});

const SOURCES = [{ title: "Tokenomics", url: "https://example.org/tokenomics" }];

test.each([
  [undefined, null],
  ["2025-02-28", false],
  ["2025-03-01", true],
  ["2025-07-09", true],
])("an adjustment of March that was published on %s says restated: %s", (published_at, restated) => {
  const adjustments = [{ ...BURN, ...(published_at === undefined ? {} : { published_at }) }];
  const schedule = valid({ ...burned, adjustments });
  const { data } = unlockEventsView(schedule, unlockEvents(schedule), { from: undefined, to: undefined });
  const parts = data.flatMap(({ buckets }) => buckets);
  expect(parts.find(({ kind }) => kind === "adjustment")).toMatchObject({ adjustment: "burn", restated });
  expect(parts.filter(({ kind }) => kind !== "adjustment").every((part) => part.restated === null)).toBe(true);
});

describe("the calendar", () => {
  const schedule = valid(burned);
  const text = unlockCalendar(schedule);
  const events = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((component) => new ICAL.Event(component));

  test("has the same text and instants in an independent parser", () => {
    expect(events.map(({ startDate, summary }) => [startDate.toJSDate().toISOString(), summary])).toEqual([
      ["2025-02-13T00:00:00.000Z", "100 X;Y unlock (10 % of the maximum)"],
      ["2025-03-01T00:00:00.000Z", "298 X;Y unlock (29.85 % of the maximum)"],
      ["2025-04-01T00:00:00.000Z", "300 X;Y unlock (30 % of the maximum)"],
      ["2025-05-01T00:00:00.000Z", "300 X;Y unlock (30 % of the maximum)"],
    ]);
    expect(events[1]?.description.split("\n")).toEqual([
      `${schedule.plan.kind === "buckets" ? schedule.plan.buckets[0]?.label : ""}: 300 X;Y (installment)`,
      `${schedule.plan.kind === "buckets" ? schedule.plan.buckets[0]?.label : ""}: -1.5 X;Y (burn)`,
      "Circulating from then on: 398.5 X;Y",
    ]);
  });

  test("has stable UIDs across revisions and counts revisions in SEQUENCE", () => {
    const next = valid({ ...burned, revision: 8 });
    const sequences = (from: typeof schedule) => {
      const parsed = new ICAL.Component(ICAL.parse(unlockCalendar(from)));
      return parsed
        .getAllSubcomponents("vevent")
        .map((event) => [event.getFirstPropertyValue("uid"), event.getFirstPropertyValue("sequence")]);
    };
    expect(new Set(sequences(schedule).map(([uid]) => uid)).size).toBe(4);
    expect(sequences(next)).toEqual(sequences(schedule).map(([uid]) => [uid, 8]));
  });

  test("has other UIDs for another token of the same symbol", () => {
    const uids = (from: typeof schedule) => unlockCalendar(from).match(/UID:.*\r\n(?: .*\r\n)*/g) ?? [];
    const other = { ...schedule, token: { ...schedule.token, name: "Another" } };
    const known: readonly string[] = uids(schedule);
    expect(known).toHaveLength(4);
    expect([...uids(other)].filter((uid) => known.includes(uid))).toEqual([]);
  });

  test.each([
    ["its methodology", { methodology: "https://example.org/method" }, "https://example.org/method"],
    ["else its first source", {}, "https://example.org/tokenomics"],
  ])("links every event to %s", (_what, changes, url) => {
    const linked = valid({
      ...burned,
      ...changes,
      sources: [...SOURCES, { title: "B", url: "https://example.org/b" }],
    });
    const lines = unlockCalendar(linked).split("\r\n");
    expect(lines.filter((line) => line.startsWith("URL:"))).toEqual(Array(4).fill(`URL:${url}`));
  });

  test("folds lines at 75 bytes and ends every line with CRLF", () => {
    expect(text.endsWith("\r\n")).toBe(true);
    for (const line of text.split("\r\n")) {
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
    }
  });

  test("fills a line that is continued, and a line that continues one, to 75 bytes", () => {
    const label = "L".repeat(100);
    const long = valid(file({ buckets: [bucket({ label })] }));
    const lines = unlockCalendar(long).split("\r\n");
    const start = lines.findIndex((line) => line.startsWith("DESCRIPTION:"));
    expect(lines.slice(start, start + 2).map((line) => line.length)).toEqual([75, 75]);
    expect(lines[start + 1]?.[0]).toBe(" ");
  });
});

test("CSV cells with a comma or a quote are quoted", () => {
  const schedule = valid(burned);
  const [header, first] = unlockEventsCsv(schedule, unlockEvents(schedule)).split("\n");
  expect(header?.split(",")).toContain("decimals");
  expect(first).toContain('2025-02-13T00:00:00Z,community,"Ökosystem, ""community"" and a label');
  expect(first).toContain(",community,cliff,100,10000000000,100,10000000000,X;Y,8");
});

const ADJUSTED = valid(file({ buckets: [bucket({ genesis: "500", phases: [cliff(500, 3)] })], adjustments: [BURN] }));

describe("the next unlock", () => {
  const two = valid(
    file({
      max_supply: "2000",
      buckets: [
        bucket({ genesis: "0", phases: [cliff(1000, 3)] }),
        bucket({ id: "team", genesis: "0", phases: [cliff(1000, 5)] }),
      ],
    }),
  );

  test.each([
    ["2025-02-13", undefined, "2025-05-01", ["community"]],
    ["2025-05-01", undefined, "2025-07-01", ["team"]],
    ["2025-02-13", "team", "2025-07-01", ["team"]],
    ["2025-02-12", "community", "2025-05-01", ["community"]],
  ])("after %s, of bucket %s, is on %s, with its buckets", (after, id, day, buckets) => {
    const unlock = nextPlannedUnlock(two, Date.parse(after), id);
    expect(unlock).toMatchObject({ atMs: Date.parse(day), amount: 100_000_000_000n });
    expect(unlock?.buckets.map(({ bucket: { id: each } }) => each)).toEqual(buckets);
  });

  test.each([
    ["2025-07-01", undefined],
    ["2025-05-01", "community"],
  ])("is none after the last: %s %s", (after, id) => {
    expect(nextPlannedUnlock(two, Date.parse(after), id)).toBeUndefined();
  });

  test("ignores adjustments", () => {
    expect(nextPlannedUnlock(ADJUSTED, Date.parse("2025-02-13"))?.atMs).toBe(Date.parse("2025-05-01"));
  });
});

test("a step without unlocks is an event when the figure changes, and none when it does not", () => {
  expect(unlockEvents(ADJUSTED).map(({ atMs, amount }) => [dayText(atMs), tokenText(amount, 8)])).toEqual([
    ["2025-02-13", "500"],
    ["2025-03-01", "-1"],
    ["2025-05-01", "500"],
  ]);
  const figures = table(["2025-02", "400"], ["2025-03", "400"], ["2025-04", "401"]);
  expect(unlockEvents(valid(figures)).map(({ atMs, parts }) => [dayText(atMs), parts])).toEqual([
    ["2025-02-13", []],
    ["2025-04-01", []],
  ]);
});

test("an unlock of one base unit is the next one of a table", () => {
  const json = table(["2025-02", "400"], ["2025-03", "400.00000001"]);
  expect(nextPlannedUnlock(valid(json), Date.parse("2025-02-13"))).toMatchObject({
    atMs: Date.parse("2025-03-01"),
    amount: 1n,
  });
});
