import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast } from "../../../../page/build/color.ts";
import { htmlOf, withContents } from "../../../../page/build/markup.ts";
import { cliffsOf } from "../../../../page/view/cliffs.ts";
import { drawingOf } from "../../../../page/view/drawing.ts";
import { drawingNow, drawnNow } from "../../../../page/view/drawing-now.ts";
import { placesOf } from "../../../../page/view/drawing-places.ts";
import { INK_PERCENT } from "../../../../page/view/drawing-texts.ts";
import { type Content, SVG_TAGS } from "../../../../page/view/markup.ts";
import { timelineOf } from "../../../../page/view/timeline.ts";
import brand from "../../../fixtures/brand.json" with { type: "json" };
import { cliff, installments, phased, valid } from "../../supply/schedules.ts";

/** A schedule of two decimals that starts on 2025-01-01 without an amount at launch. */
const scheduleOf = (buckets: Parameters<typeof phased>[0], genesis = 0) =>
  valid(phased(buckets, genesis, { token: { symbol: "XYZ", name: "Example", decimals: 2 }, start: "2025-01-01" }));

const TEAM = { team: [installments(24, 13, 24)], investors: [cliff(12, 6)] };

describe("cliffs", () => {
  test("are the first jumps of allocations that had nothing before, the largest first", () => {
    expect(cliffsOf(scheduleOf(TEAM))).toEqual([
      { index: 6, length: { count: 6, unit: "month" }, labels: ["Bucket investors"], amount: 1_200n },
      { index: 13, length: { count: 12, unit: "month" }, labels: ["Bucket team"], amount: 100n },
    ]);
  });

  test("are none of a vesting day by day that begins later, nor of what circulates at launch", () => {
    const daily = { kind: "linear", amount: "10", from: "2025-02-01", to: "2026-02-01" };
    expect(cliffsOf(scheduleOf({ team: [daily] }))).toEqual([]);
    expect(cliffsOf(scheduleOf(TEAM, 5))).toEqual([]);
  });
});

describe("the drawing", () => {
  const schedule = scheduleOf(TEAM);
  const timeline = timelineOf(schedule);
  /** The finding as a page has it that was built at the start and is open at an instant. */
  const titleAt = (nowMs: number) => {
    const built = (drawingOf(schedule, timeline, Date.UTC(2025, 0, 1))["drawing-title"] ?? []).map(htmlOf).join("");
    return withContents(built, { "drawing-verb": drawingNow(timeline, nowMs)["drawing-verb"] ?? [] }).replaceAll(
      /<[^>]+>/g,
      "",
    );
  };

  test("says what it shows, before and after it has come", () => {
    expect(titleAt(Date.UTC(2025, 1, 1))).toBe("All of 36 XYZ is unlocked by January 2028");
    expect(titleAt(Date.UTC(2028, 1, 1))).toBe("All of 36 XYZ has been unlocked since January 2028");
  });

  test("places notes where neither today's line nor its value is, and hides what they reach later", () => {
    const html = (drawingOf(schedule, timeline, Date.UTC(2025, 0, 1))["drawing"] ?? []).map(htmlOf).join("");
    const notes = [...html.matchAll(/data-reached="([^"]*)"/g)].map(([, at = ""]) => at.split(",").map(Number));
    expect(notes.length).toBeGreaterThan(0);
    const reached = (month: number) => {
      const { left = -1 } = drawnNow(timeline, Date.UTC(2025, month, 1)) ?? {};
      return notes.some(([first = 0, last = 0]) => first <= left && left <= last);
    };
    expect(reached(0)).toBe(false);
    expect(reached(6), "today is at the cliff").toBe(true);
    expect(reached(36), "today is past every note").toBe(false);
    expect(reached(40), "the drawing has ended").toBe(false);
  });

  test.each([
    ["a cliff that is paid at its end", [cliff(12, 6)], "Jul 2025: 6-month cliff ends"],
    ["quarterly installments from month 15", [installments(24, 15, 8, 3)], "Apr 2026: after a 12-month cliff"],
    ["yearly installments from month 24", [installments(24, 24, 2, 12)], "Jan 2027: after a 12-month cliff"],
  ])("notes %s with the month of the first unlock", (_, phases, note) => {
    const noted = scheduleOf({ team: phases, others: [installments(36, 1, 36)] });
    const html = (drawingOf(noted, timelineOf(noted), Date.UTC(2025, 0, 1))["drawing"] ?? []).map(htmlOf).join("");
    const notes = [...html.matchAll(/class="cliff-note".*?<tspan[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(notes).toEqual([note]);
  });

  test("every element of the drawing is one that the page's script can make again", () => {
    const tags = new Set<string>();
    const visit = (content: Content): void => {
      if (typeof content === "string") return;
      if (content.tag === "svg" || tags.has("svg")) tags.add(content.tag);
      content.children.forEach(visit);
    };
    const { drawing = [] } = drawingOf(schedule, timeline, 0);
    const [svg] = drawing;
    if (svg !== undefined) visit(svg);
    Object.values(drawingNow(timeline, Date.UTC(2026, 1, 1)))
      .flat()
      .filter((one) => typeof one !== "string" && one.tag !== "span")
      .forEach(visit);
    expect(tags).toContain("use");
    expect([...tags].filter((tag) => !SVG_TAGS.has(tag))).toEqual([]);
  });

  test("draws each band down to the axis, as many steps wide as the schedule has", () => {
    const html = (drawingOf(schedule, timeline, 0)["drawing"] ?? []).map(htmlOf).join("");
    const paths = [...html.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, d = ""]) => d);
    expect(paths).toHaveLength(3);
    for (const d of paths) {
      const wide = [...d.matchAll(/h(\d+)/g)].reduce((sum, [, tread]) => sum + Number(tread), 0);
      expect(wide).toBe(timeline.steps.length);
    }
  });

  test("has its day's total at the place of now, whatever the schedule", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(70), (count, month) => {
        const drawn = timelineOf(scheduleOf({ one: [installments(1_000, 1, count)] }));
        // The last step is drawn 30.44 days long, and February is shorter.
        const nowMs = Date.UTC(2025, month, 4);
        const now = drawingNow(drawn, nowMs)["drawing-now"] ?? [];
        const veil = (drawingNow(drawn, nowMs)["drawing-veil"] ?? []).map(htmlOf).join("");
        expect(now.length > 0).toBe(month <= count);
        const [, x = ""] = /x="([\d.]+)%"/.exec(veil) ?? [];
        const { left } = placesOf(drawn);
        expect(Number(x)).toBeGreaterThanOrEqual(Math.min(100, left(month)));
        if (month > count) expect(Number(x)).toBe(100);
      }),
    );
  });

  test("names the bands in inks of at least 5.5:1 on both grounds", () => {
    const mix = (one: string, other: string): string => {
      const part = (at: number): string => {
        const [a, b] = [one, other].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number];
        return Math.round((a * INK_PERCENT + b * (100 - INK_PERCENT)) / 100)
          .toString(16)
          .padStart(2, "0");
      };
      return `#${[1, 3, 5].map(part).join("")}`;
    };
    for (const { text, background } of [brand.colors.light, brand.colors.dark])
      for (const color of brand.colors.series)
        expect(contrast(mix(color, text), background), color).toBeGreaterThanOrEqual(5.5);
  });
});
