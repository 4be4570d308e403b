import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { allocationsNow } from "./allocations-now.ts";
import { drawingNow } from "./drawing-now.ts";
import type { Content } from "./markup.ts";
import { partsOf } from "./overview.ts";
import type { Timeline } from "./timeline.ts";
import { upcomingOf } from "./upcoming.ts";

/** Returns the texts and numbers below the first view's figures, for the script to replace those of the build. */
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
