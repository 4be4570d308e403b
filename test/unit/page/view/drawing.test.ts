import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast } from "../../../../page/build/color.ts";
import { htmlOf } from "../../../../page/build/markup.ts";
import { cliffsOf } from "../../../../page/view/cliffs.ts";
import { drawingOf } from "../../../../page/view/drawing.ts";
import { drawingNow } from "../../../../page/view/drawing-now.ts";
import { placesOf } from "../../../../page/view/drawing-places.ts";
import { INK_PERCENT } from "../../../../page/view/drawing-texts.ts";
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
  const titleAt = (nowMs: number) => String(drawingOf(schedule, timeline, nowMs)["drawing-title"]);

  test("says what it shows, before and after it has come", () => {
    expect(titleAt(Date.UTC(2025, 1, 1))).toBe("All of 36 XYZ is unlocked by January 2028");
    expect(titleAt(Date.UTC(2028, 1, 1))).toBe("All of 36 XYZ is unlocked since January 2028");
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
        const nowMs = Date.UTC(2025, month, 1, 12);
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
