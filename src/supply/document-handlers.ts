import { fnv1aHex } from "../base/hash/fnv1a.ts";
import type { BaseUnits } from "../chain/amount.ts";
import type { Handler, Outcome } from "../http/handler.ts";
import { ok, publicFor } from "../http/reply.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type SupplyStep, stepAt } from "./circulating.ts";
import { notStarted } from "./period-query.ts";
import { type AmountView, amountView, beforeStartView, supplyView } from "./representations.ts";
import type { UnlockSchedule } from "./schedule.ts";
import { type EntityTags, maxAgeAt, replyMemo, stepHeaders } from "./validity.ts";

/** A figure of the chain, or why it is unknown. */
type ChainFigure = { readonly value: BaseUnits } | { readonly reason: string };

/** The figures of one reading of the chain. */
export interface OnChainFigures {
  readonly figures: Readonly<
    Record<"total" | "circulating_on_chain" | "circulating_above_plan" | "burned", ChainFigure>
  >;
  /** Age and version of the reading; empty where there is none. */
  readonly headers: Readonly<Record<string, string>>;
  /** The version of each chain that the token is on; absent: it is on one. */
  readonly ledger_versions?: Readonly<Record<string, string>> | null;
}

/** Never rejects. */
export type ReadOnChain = (when: RequestTime) => Promise<OnChainFigures>;

/** How long caches may keep what contains a figure of the chain. */
const CHAIN_SECONDS = 30;

/** `/api/supply`: maximum, total, circulating, locked, burned and on chain in one object. */
export function supplyObject(schedule: UnlockSchedule, tagOf: EntityTags, readOnChain: ReadOnChain): Handler {
  /** Saves 15 microseconds a request. */
  let scheduled: { readonly index: number; readonly view: ReturnType<typeof supplyView> } | undefined;
  return async (context) => {
    const { nowMs } = context;
    const step = stepAt(schedule, nowMs);
    if (step === undefined) return { ...notStarted(schedule, nowMs), knownMembers: beforeStartView(schedule) };
    if (scheduled?.index !== step.index) scheduled = { index: step.index, view: supplyView(schedule, step) };
    const { max, ...rest } = scheduled.view;
    const { figures: read, headers, ...versions } = await readOnChain(context);
    const unavailable: Record<string, string> = {};
    for (const [name, figure] of Object.entries(read)) if ("reason" in figure) unavailable[name] = figure.reason;
    const view = (figure: ChainFigure): AmountView | null =>
      "value" in figure ? amountView(figure.value, schedule.token.decimals) : null;
    const total = view(read.total);
    const figures = {
      circulating_on_chain: view(read.circulating_on_chain),
      circulating_above_plan: view(read.circulating_above_plan),
      burned: view(read.burned),
    };
    const body = JSON.stringify({ max, total, ...rest, ...figures, ...versions, unavailable });
    // Without `Last-Modified`: the total changes between steps, so only the tag identifies the response.
    return ok(body, {
      "Content-Type": "application/json",
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, CHAIN_SECONDS)),
      ...headers,
      ETag: tagOf(step, `chain-${fnv1aHex(JSON.stringify([total, figures, unavailable, ...Object.values(versions)]))}`),
    });
  };
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
export function scheduleDocument(schedule: UnlockSchedule, tagOf: EntityTags, document: ScheduleDocument): Handler {
  const { form, type, changesAtStep, write } = document;
  const memo = replyMemo(schedule);
  return ({ nowMs }): Outcome =>
    memo(nowMs, () => {
      const step = stepAt(schedule, nowMs);
      const ETag = tagOf(changesAtStep ? step : undefined, form);
      return ok(write(step), { ...stepHeaders(schedule, step, nowMs), "Content-Type": type, ETag });
    });
}
