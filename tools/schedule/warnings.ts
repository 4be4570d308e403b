import type { Phase, Schedule } from "../../src/supply/schedule.ts";
import { dayText } from "../../src/utc.ts";
import type { ScheduleError } from "./schedule-result.ts";

const MAX_SYMBOL_CHARACTERS = 20;

/** Valid settings that are probably mistakes. */
export function scheduleWarnings(schedule: Schedule, nowMs: number): ScheduleError[] {
  const { publishedAt, token, plan, calendar } = schedule;
  const warnings: ScheduleError[] = [];
  if (publishedAt > dayText(nowMs)) warnings.push({ path: "published_at", message: `${publishedAt} is in the future` });
  warnings.push(...placeholderSources(schedule));
  if (token.symbol.length > MAX_SYMBOL_CHARACTERS)
    warnings.push({ path: "token.symbol", message: `has ${token.symbol.length} characters` });
  const buckets = plan.kind === "buckets" ? plan.buckets : [];
  buckets.forEach(({ phases }, index) => {
    phases.forEach((phase, at) => {
      const path = `buckets[${index}].phases[${at}]`;
      if (phase.kind === "linear" && phase.fromMs < calendar.startMs)
        warnings.push({ path: `${path}.from`, message: `${dayText(phase.fromMs)} is before the start` });
      const overlapping = phases.findIndex((other, before) => before < at && overlaps(phase, other));
      if (overlapping !== -1) warnings.push({ path, message: `overlaps phases[${overlapping}]` });
    });
  });
  return warnings;
}

/** Sources that `new` writes when it is given none. Allowed while a schedule is tried, not when it is published. */
export function placeholderSources({ sources }: Schedule): ScheduleError[] {
  return sources.flatMap(({ url }, index) =>
    /(^|\.)example\.(org|com|net)$/.test(new URL(url).hostname)
      ? [
          {
            path: `sources[${index}].url`,
            message: `${url} is a placeholder: name the page that publishes the schedule`,
          },
        ]
      : [],
  );
}

/** Two rules of one kind that unlock over the same time: usually a duplicate. */
function overlaps(one: Phase, other: Phase): boolean {
  if (one.kind === "monthly" && other.kind === "monthly")
    return one.firstMonth <= lastOf(other) && other.firstMonth <= lastOf(one);
  if (one.kind === "linear" && other.kind === "linear") return one.fromMs < other.toMs && other.fromMs < one.toMs;
  return false;
}

function lastOf({ firstMonth, count, everyMonths }: Extract<Phase, { kind: "monthly" }>): number {
  return firstMonth + (count - 1) * everyMonths;
}
