import type { Schedule } from "../../src/supply/schedule.ts";
import { allocationsOf } from "./allocations.ts";
import type { Content } from "./markup.ts";
import { overviewOf } from "./overview.ts";
import type { Timeline } from "./timeline.ts";
import { upcomingOf } from "./upcoming.ts";

/**
 * Everything in words and numbers that follows from the schedule at an instant, by the ids of the elements that have it:
 * what the build writes, and what the script replaces by what is true now.
 */
export function scheduledView(
  schedule: Schedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return { ...overviewOf(schedule, nowMs), ...belowOf(schedule, timeline, nowMs) };
}

/** The same without the first view. */
export function belowOf(
  schedule: Schedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return {
    ...upcomingOf(schedule, timeline, nowMs),
    "allocation-rows": allocationsOf(schedule, timeline, nowMs),
  };
}
