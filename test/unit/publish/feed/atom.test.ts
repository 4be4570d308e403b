import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { atomFeed, nameUri } from "../../../../src/publish/feed/atom.ts";
import { scheduleNews } from "../../../../src/supply/news.ts";
import { bucket, file, installments, valid } from "../../supply/schedules.ts";

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "entry" || name === "link" });
const schedule = valid(
  file({
    published_at: "2025-02-01",
    buckets: [bucket({ genesis: "100", phases: [installments(900, 1, 20)] })],
  }),
);

test("an independent parser reads every member, for any text", () => {
  const hostile = `<b>"R&D" ]]> \u0000\u0007\ud800 🪙`;
  const text = atomFeed("urn:uuid:1", "https://edge.test", hostile, [
    { id: "health/1", title: hostile, updatedAtMs: 0, summary: hostile, link: "/api/health?a=1&b=2" },
  ]);
  expect(XMLValidator.validate(text)).toBe(true);
  const { feed } = parser.parse(text);
  const clean = '<b>"R&D" ]]>  🪙';
  expect(feed).toMatchObject({ id: "urn:uuid:1", title: clean, updated: "1970-01-01T00:00:00Z" });
  expect(feed.entry).toMatchObject([{ id: "urn:uuid:1#health/1", title: clean, summary: clean }]);
  expect(feed.entry[0].link[0]["@_href"]).toBe("https://edge.test/api/health?a=1&b=2");
});

test("the schedule's entries are its revision and the last twelve unlocks, newest first", () => {
  const nowMs = Date.parse("2026-06-15T00:00:00Z");
  const { feed } = parser.parse(atomFeed("urn:uuid:1", "https://edge.test", "XYZ", scheduleNews(schedule, nowMs)));
  expect(feed.updated).toBe("2026-06-01T00:00:00Z");
  expect(feed.entry.map(({ updated }: { updated: string }) => updated.slice(0, 7))).toEqual([
    ...["2026-06", "2026-05", "2026-04", "2026-03", "2026-02", "2026-01"],
    ...["2025-12", "2025-11", "2025-10", "2025-09", "2025-08", "2025-07"],
    "2025-02",
  ]);
  expect(feed.entry[0]).toMatchObject({
    id: "urn:uuid:1#unlock/2026-06-01",
    title: "45 XYZ unlocked (4.5 % of the maximum)",
    summary: "820 XYZ circulate since 2026-06-01.",
  });
  expect(feed.entry.at(-1).id).toBe("urn:uuid:1#revision/1");
});

test("ids are unique and stay the same from day to day", () => {
  const ids = (day: string) => scheduleNews(schedule, Date.parse(day)).map(({ id }) => id);
  const [before, after] = [ids("2025-06-15"), ids("2025-07-15")];
  expect(new Set(after).size).toBe(after.length);
  expect(after.slice(0, before.length)).toEqual(before);
});

test("ids follow what the feed is about, never the host that it is read from", () => {
  const idsAt = (origin: string) => {
    const { feed } = parser.parse(
      atomFeed("urn:uuid:1", origin, "XYZ", scheduleNews(schedule, Date.parse("2026-06-15"))),
    );
    return [feed.id, ...feed.entry.map(({ id }: { id: string }) => id)];
  };
  expect(idsAt("https://edge-api.workers.dev")).toEqual(idsAt("http://api.token.example"));
});

test("a name has one URI, a UUID of version 8, and another name another one", async () => {
  const uri = await nameUri("edge-api XYZ");
  expect(uri).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect([await nameUri("edge-api XYZ"), await nameUri("edge-api ABC")]).toEqual([uri, expect.not.stringMatching(uri)]);
});
