import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { allocationsOf } from "./allocations.ts";
import { belowOf } from "./below.ts";
import { drawingOf } from "./drawing.ts";
import type { Content } from "./markup.ts";
import { overviewOf } from "./overview.ts";
import type { Timeline } from "./timeline.ts";
import { upcomingHead } from "./upcoming.ts";

/** Texts and numbers that follow from the schedule at an instant, by the ids of the elements that have them. */
export function scheduledView(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return {
    ...overviewOf(schedule, nowMs),
    ...drawingOf(schedule, timeline, nowMs),
    "allocation-rows": allocationsOf(schedule, timeline, nowMs),
    "upcoming-head": upcomingHead(schedule),
    ...belowOf(schedule, timeline, nowMs),
  };
}
