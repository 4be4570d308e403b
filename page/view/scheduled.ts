import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { allocationsOf } from "./allocations.ts";
import type { Content } from "./markup.ts";
import { overviewOf } from "./overview.ts";
import type { Timeline } from "./timeline.ts";
import { upcomingOf } from "./upcoming.ts";

/**
 * Texts and numbers that follow from the schedule at an instant, by their elements' ids. The build writes them, and the
 * script replaces them by the present ones.
 */
export function scheduledView(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return { ...overviewOf(schedule, nowMs), ...belowOf(schedule, timeline, nowMs) };
}

/** Texts and numbers below the first view. */
export function belowOf(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  return {
    ...upcomingOf(schedule, timeline, nowMs),
    "allocation-rows": allocationsOf(schedule, timeline, nowMs),
  };
}
