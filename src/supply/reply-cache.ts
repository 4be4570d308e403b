import type { Reply } from "../http/handler.ts";
import type { SupplyStep } from "./circulating.ts";

/** Trackers poll every minute; a new revision of the schedule reaches them within five. */
const MAX_SECONDS = 300;

/** A span in which an answer and the whole seconds that a copy of it may live stay the same. */
export interface Lifetime {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly cacheControl: string;
}

/** No copy outlives the next step: the age allowed shrinks to nothing as it comes near. */
export function lifetimeAt(standing: SupplyStep | undefined, nowMs: number, maxSeconds = MAX_SECONDS): Lifetime {
  const nextMs = standing?.nextStepMs ?? null;
  const fromMs = standing?.effectiveFromMs ?? nowMs;
  if (nextMs === null) return { fromMs, untilMs: Number.POSITIVE_INFINITY, cacheControl: publicFor(maxSeconds) };
  const seconds = Math.floor((nextMs - nowMs) / 1000);
  if (seconds >= maxSeconds)
    return { fromMs, untilMs: nextMs - maxSeconds * 1000, cacheControl: publicFor(maxSeconds) };
  return {
    fromMs: nextMs - (seconds + 1) * 1000 + 1,
    untilMs: nextMs - seconds * 1000,
    cacheControl: publicFor(seconds),
  };
}

function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/** Keeps whole replies while nothing in them changes, so that a poll costs a look-up and two comparisons. */
export class ReplyCache {
  readonly #kept = new Map<string, { readonly lifetime: Lifetime; readonly reply: Reply }>();

  at(key: string, nowMs: number): Reply | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || nowMs < kept.lifetime.fromMs || nowMs >= kept.lifetime.untilMs) return undefined;
    return kept.reply;
  }

  /** `key` comes from a fixed, small set: the shelf does not grow with what callers ask. */
  keep(key: string, lifetime: Lifetime, reply: Reply): Reply {
    this.#kept.set(key, { lifetime, reply });
    return reply;
  }
}
