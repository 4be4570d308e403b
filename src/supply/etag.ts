import { fnv1aHex } from "../hash/fnv1a.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import { dayText } from "../utc.ts";
import type { SupplyStep } from "./circulating.ts";
import type { Lifetime } from "./reply-cache.ts";
import type { Schedule } from "./schedule.ts";

/** The tag of a response in one form; `step` is undefined where the response does not depend on it. */
export type EntityTags = (step: SupplyStep | undefined, form: string) => string;

/**
 * A strong tag of everything that can change the body: revision and content of the schedule, API version, step, form.
 */
export function entityTags(schedule: Schedule): EntityTags {
  const content = JSON.stringify(schedule, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  const hash = `r${schedule.revision}-${fnv1aHex(content)}`;
  return (step, form) => {
    const from = step === undefined ? "all" : dayText(step.effectiveFromMs);
    return `"${hash}-v${CURRENT_VERSION}-${from}-${form}"`;
  };
}

/** `Last-Modified` is the step's time; a future step and the time before the start have none (RFC 9110 section 8.8.2.1). */
export function stepHeaders(step: SupplyStep | undefined, lifetime: Lifetime, nowMs: number): Record<string, string> {
  const headers: Record<string, string> = { "Cache-Control": lifetime.cacheControl };
  if (step !== undefined && step.effectiveFromMs <= nowMs)
    headers["Last-Modified"] = new Date(step.effectiveFromMs).toUTCString();
  return headers;
}
