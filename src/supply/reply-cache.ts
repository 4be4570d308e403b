import type { Reply } from "../http/reply.ts";
import type { SupplyStep } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";

/** Trackers poll every minute; a new revision of the schedule reaches them within five. */
const MAX_SECONDS = 300;

/** A period in which a response and its lifetime stay the same. */
export interface Lifetime {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly cacheControl: string;
}

/** `max-age` of a response while `step` is in force. No cached copy outlives the next step, or the start. */
export function lifetimeAt(
  step: SupplyStep | undefined,
  nowMs: number,
  { calendar }: Pick<Schedule, "calendar">,
  maxSeconds = MAX_SECONDS,
): Lifetime {
  const nextMs = step === undefined ? calendar.startMs : step.nextStepMs;
  const fromMs = step?.effectiveFromMs ?? nowMs;
  if (nextMs === null) return { fromMs, untilMs: Number.POSITIVE_INFINITY, cacheControl: publicFor(maxSeconds) };
  const seconds = Math.floor((nextMs - nowMs) / 1000);
  if (seconds >= maxSeconds)
    return { fromMs, untilMs: nextMs - maxSeconds * 1000 + 1, cacheControl: publicFor(maxSeconds) };
  return {
    fromMs: nextMs - (seconds + 1) * 1000 + 1,
    untilMs: Math.min(nextMs, nextMs - seconds * 1000 + 1),
    cacheControl: publicFor(seconds),
  };
}

export function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/** Complete replies, reused while nothing in them changes: a hit costs a look-up and two comparisons. */
export class ReplyCache {
  readonly #entries = new Map<string, { readonly lifetime: Lifetime; readonly reply: Reply }>();

  at(key: string, nowMs: number): Reply | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || nowMs < entry.lifetime.fromMs || nowMs >= entry.lifetime.untilMs) return undefined;
    return entry.reply;
  }

  /** `key` must come from a small, fixed set, so that callers cannot grow the cache. */
  set(key: string, lifetime: Lifetime, reply: Reply): Reply {
    this.#entries.set(key, { lifetime, reply });
    return reply;
  }
}
