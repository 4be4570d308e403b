import { fnv1aHex } from "../hash/fnv1a.ts";
import type { Handler, Outcome } from "../http/handler.ts";
import { ok, publicFor, type Reply } from "../http/reply.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type SupplyStep, stepAt } from "./circulating.ts";
import type { Supply } from "./onchain.ts";
import { SUPPLY_FRESHNESS } from "./onchain-handlers.ts";
import { notStarted } from "./period-query.ts";
import { type AmountView, amountView, beforeStartView, supplyView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";
import { type EntityTags, maxAgeAt, replyMemo, stepHeaders } from "./validity.ts";

type Current = CachedValue<Supply> | Unavailable;

/** The chain's figures, or why they are unknown. Never rejects. */
export type OnChainFigures = (
  when: RequestTime,
) => Promise<{ readonly total: Current; readonly circulating: Current; readonly burned: Current }>;

/** `/api/supply`: all figures in one object. */
export function supplyObject(schedule: Schedule, tagOf: EntityTags, onChain: OnChainFigures): Handler {
  /** Saves 15 microseconds a request. */
  let scheduled: { readonly index: number; readonly view: ReturnType<typeof supplyView> } | undefined;
  return async (context) => {
    const { nowMs } = context;
    const step = stepAt(schedule, nowMs);
    if (step === undefined) return supplyBeforeStart(schedule, nowMs);
    if (scheduled?.index !== step.index) scheduled = { index: step.index, view: supplyView(schedule, step) };
    const { max, ...rest } = scheduled.view;
    const { total, circulating, burned } = await onChain(context);
    const read = { total, circulating_on_chain: circulating, burned };
    const unavailable: Record<string, string> = {};
    for (const [name, current] of Object.entries(read)) {
      const reason = whyUnknown(schedule, current);
      if (reason !== null) unavailable[name] = reason;
    }
    const view = (current: Current): AmountView | null =>
      current.kind === "unavailable" || whyUnknown(schedule, current) !== null
        ? null
        : amountView(current.value.baseUnits, schedule.token.decimals);
    const figures = { circulating_on_chain: view(circulating), burned: view(burned) };
    const body = JSON.stringify({ max, total: view(total), ...rest, ...figures, unavailable });
    // Without `Last-Modified`: the total changes between steps, so only the tag identifies the response.
    return ok(body, {
      "Content-Type": "application/json",
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, SUPPLY_FRESHNESS.sharedSeconds)),
      ...ageOf([total, circulating, burned].filter((current) => view(current) !== null)),
      ETag: tagOf(step, `chain-${fnv1aHex(JSON.stringify([view(total), figures, unavailable]))}`),
    });
  };
}

/** Why a figure is not known in the schedule's base units; null: it is. */
function whyUnknown({ token }: Schedule, current: Current): string | null {
  if (current.kind === "unavailable") return current.reason;
  const { decimals } = current.value;
  return decimals === token.decimals ? null : `Decimals differ: chain ${decimals}, schedule ${token.decimals}.`;
}

/** The age of the oldest figure. */
function ageOf(figures: readonly Current[]): Record<string, string> {
  const cached = figures.filter((current) => current.kind === "cached");
  const oldest = cached.sort((a, b) => b.ageSeconds - a.ageSeconds)[0];
  return oldest === undefined ? {} : ageHeaders(oldest);
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
