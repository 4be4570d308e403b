import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { allocationsNow } from "./allocations-now.ts";
import { drawingNow } from "./drawing-now.ts";
import type { Content } from "./markup.ts";
import { partsOf } from "./overview.ts";
import type { Timeline } from "./timeline.ts";
import { upcomingOf } from "./upcoming.ts";

/** Texts and numbers below the first view's figures that the script replaces by those of the present. */
export function belowOf(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return {
    ...partsOf(schedule, nowMs),
    ...drawingNow(timeline, nowMs),
    ...upcomingOf(schedule, timeline, nowMs),
    ...allocationsNow(schedule, timeline, nowMs),
  };
}
