import type { BaseUnits } from "../chain/amount.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { Handler, Outcome } from "../http/handler.ts";
import { ok, publicFor, type Reply } from "../http/reply.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type SupplyStep, stepAt } from "./circulating.ts";
import type { Supply } from "./onchain.ts";
import { SUPPLY_FRESHNESS } from "./onchain-handlers.ts";
import { notStarted } from "./period-query.ts";
import { amountView, beforeStartView, supplyView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";
import { type EntityTags, maxAgeAt, replyMemo, stepHeaders } from "./validity.ts";

/** The chain's total, or why it is unknown. Never rejects. */
export type OnChainTotal = (when: RequestTime) => Promise<CachedValue<Supply> | Unavailable>;

/** `/api/supply`: all figures in one object. */
export function supplyObject(schedule: Schedule, tagOf: EntityTags, onChainTotal: OnChainTotal): Handler {
  /** Saves 15 microseconds a request. */
  let scheduled: { readonly index: number; readonly view: ReturnType<typeof supplyView> } | undefined;
  return async (context) => {
    const { nowMs } = context;
    const step = stepAt(schedule, nowMs);
    if (step === undefined) return supplyBeforeStart(schedule, nowMs);
    if (scheduled?.index !== step.index) scheduled = { index: step.index, view: supplyView(schedule, step) };
    const { max, ...rest } = scheduled.view;
    const current = await onChainTotal(context);
    const total = inTokens(schedule, current);
    const isKnown = typeof total === "bigint";
    const body = JSON.stringify({
      max,
      total: isKnown ? amountView(total, schedule.token.decimals) : null,
      ...rest,
      unavailable: isKnown ? {} : { total },
    });
    // Without `Last-Modified`: the total changes between steps, so only the tag identifies the response.
    return ok(body, {
      "Content-Type": "application/json",
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, SUPPLY_FRESHNESS.sharedSeconds)),
      ...(isKnown && current.kind === "cached" ? ageHeaders(current) : {}),
      ETag: tagOf(step, isKnown ? `total-${total}` : `none-${fnv1aHex(total)}`),
    });
  };
}

/** The total in the schedule's base units, or the reason why there is none. */
function inTokens({ token }: Schedule, current: CachedValue<Supply> | Unavailable): BaseUnits | string {
  if (current.kind === "unavailable") return current.reason;
  const { baseUnits, decimals } = current.value;
  return decimals === token.decimals ? baseUnits : `Decimals differ: chain ${decimals}, schedule ${token.decimals}.`;
}

/** An Error object with the figures known before the start: the maximum and the first unlock. */
function supplyBeforeStart(schedule: Schedule, nowMs: number): Reply {
  const { message, retryAfterSeconds } = notStarted(schedule, nowMs);
  const body = { message, error_code: "service_unavailable", ...beforeStartView(schedule) };
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "Retry-After": String(retryAfterSeconds),
  };
  return { kind: "reply", status: 503, headers, body: JSON.stringify(body) };
}

/** A document derived from the schedule alone. */
export interface ScheduleDocument {
  /** Distinguishes its tags from those of other documents. */
  readonly form: string;
  readonly type: string;
  /** The document changes at a step; otherwise it is constant. */
  readonly changesAtStep?: true;
  /** undefined: before the start. */
  readonly write: (step: SupplyStep | undefined) => string;
}

/** Serves a document of the schedule. Also served before the start, because it is already published. */
export function scheduleDocument(schedule: Schedule, tagOf: EntityTags, document: ScheduleDocument): Handler {
  const { form, type, changesAtStep, write } = document;
  const memo = replyMemo(schedule);
  return ({ nowMs }): Outcome =>
    memo(nowMs, () => {
      const step = stepAt(schedule, nowMs);
      const ETag = tagOf(changesAtStep ? step : undefined, form);
      return ok(write(step), { ...stepHeaders(schedule, step, nowMs), "Content-Type": type, ETag });
    });
}
