import { expect, test } from "vitest";
import { groupedTokens } from "../../../src/chain/amount.ts";
import { scheduleNews } from "../../../src/supply/news.ts";
import { BURN, bucket, file, onePhase, valid } from "./schedules.ts";

/** Published on 15 January 2026; unlocks a hundredth on the first of each month from March 2025 on. */
const schedule = valid(onePhase({ kind: "installments", first_month: 1, count: 100, every_months: 1 }));
const idsAt = (instant: string): string[] => scheduleNews(schedule, Date.parse(instant)).map(({ id }) => id);

test.each([
  ["2025-02-28T23:59:59.999Z", []],
  ["2025-03-01T00:00:00.000Z", ["unlock/2025-03-01"]],
  ["2025-04-30T00:00:00.000Z", ["unlock/2025-03-01", "unlock/2025-04-01"]],
])("at %s the news are %j: nothing of the future", (instant, ids) => {
  expect(idsAt(instant)).toEqual(ids);
});

test.each([
  ["2026-01-14T23:59:59.999Z", false],
  ["2026-01-15T00:00:00.000Z", true],
])("at %s the revision is news: %s", (instant, isNews) => {
  expect(idsAt(instant).includes("revision/1")).toBe(isNews);
});

test("amounts in titles are whole tokens in groups, rounded down, and exact below one token", () => {
  const titles = ([10n, 199_999_999n, 123_456_799_999_999n] as const).map((amount) => groupedTokens(amount, 8));
  expect(titles).toEqual(["0.0000001", "1", "1,234,567"]);
});

test("an entry has its amount, its share, what circulates since and a link to its day", () => {
  const [entry] = scheduleNews(schedule, Date.parse("2025-03-01"));
  expect(entry).toEqual({
    id: "unlock/2025-03-01",
    title: "10 XYZ unlocked (1 % of the maximum)",
    updatedAtMs: Date.parse("2025-03-01"),
    summary: "10 XYZ circulate since 2025-03-01.",
    link: "/api/unlock-events?from=2025-03-01&to=2025-03-01",
  });
});

test("a revision names its adjustments, from when on they apply, and whether published months change", () => {
  const newsOf = (...adjustments: readonly object[]) =>
    scheduleNews(valid(file({ buckets: [bucket()], adjustments })), Date.parse("2026-01-15"));
  const summaryOf = (...adjustments: readonly object[]) => newsOf(...adjustments)[0]?.summary;
  expect(newsOf(BURN).at(-1)?.title).toBe("1 XYZ removed (0.1 % of the maximum)");
  const published = "Published on 2026-01-15; sources: https://example.org/tokenomics.";
  const said = " burn: -1 XYZ of community from 2025-03-01 on";
  expect(summaryOf()).toBe(published);
  expect(summaryOf(BURN)).toBe(`${published}${said}.`);
  expect(summaryOf({ ...BURN, published_at: "2025-02-28" })).toBe(`${published}${said}, no published month changes.`);
  expect(summaryOf({ ...BURN, published_at: "2025-03-01" })).toBe(
    `${published}${said}, which changes published months.`,
  );
  expect(summaryOf(...Array.from({ length: 7 }, () => BURN))).toBe(
    `${published}${`${said}.`.repeat(5)} And 2 earlier adjustments.`,
  );
});
