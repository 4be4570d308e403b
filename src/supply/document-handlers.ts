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

/** A chain figure, or the reason why it is not known. */
type FigureOrReason = { readonly value: BaseUnits } | { readonly reason: string };

/** Chain figures of one reading for `/api/supply`. */
export interface OnChainFigures {
  readonly figures: Readonly<
    Record<"total" | "circulating_on_chain" | "circulating_above_plan" | "burned", FigureOrReason>
  >;
  /** Headers with the reading's age and version; empty when there is no reading. */
  readonly headers: Readonly<Record<string, string>>;
  /** Version of each chain of the token; absent when the token is on one chain. */
  readonly ledger_versions?: Readonly<Record<string, string>> | null;
}

/** Reads the chain figures. Never rejects. */
export type ReadOnChain = (when: RequestTime) => Promise<OnChainFigures>;

/** Maximum `max-age` of a response with a chain figure. */
const CHAIN_SECONDS = 30;

/** Handles `/api/supply`: maximum, total, circulating, locked, burned and on-chain amounts in one object. */
export function supplyObject(schedule: UnlockSchedule, tagOf: EntityTags, readOnChain: ReadOnChain): Handler {
  /** Cache of the scheduled part, which saves 15 microseconds per request. */
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
    const view = (figure: FigureOrReason): AmountView | null =>
      "value" in figure ? amountView(figure.value, schedule.token.decimals) : null;
    const total = view(read.total);
    const figures = {
      circulating_on_chain: view(read.circulating_on_chain),
      circulating_above_plan: view(read.circulating_above_plan),
      burned: view(read.burned),
    };
    const body = JSON.stringify({ max, total, ...rest, ...figures, ...versions, unavailable });
    // `Last-Modified` is absent: the total changes between steps, so only the tag identifies the response.
    return ok(body, {
      "Content-Type": "application/json",
      "Cache-Control": publicFor(maxAgeAt(schedule, nowMs, CHAIN_SECONDS)),
      ...headers,
      ETag: tagOf(step, `chain-${fnv1aHex(JSON.stringify([total, figures, unavailable, ...Object.values(versions)]))}`),
    });
  };
}

/** A document that is derived from the schedule alone. */
export interface DerivedDocument {
  /** Name of the document in ETags. */
  readonly form: string;
  readonly type: string;
  /** Whether the document changes at steps; absent: it is constant. */
  readonly changesAtStep?: true;
  /** Writes the document. `step`: undefined before the start. */
  readonly write: (step: SupplyStep | undefined) => string;
}

/** Handles a document of the schedule. It is served before the start too, because the schedule is already published. */
export function scheduleDocument(schedule: UnlockSchedule, tagOf: EntityTags, document: DerivedDocument): Handler {
  const { form, type, changesAtStep, write } = document;
  const memo = replyMemo(schedule);
  return ({ nowMs }): Outcome =>
    memo(nowMs, () => {
      const step = stepAt(schedule, nowMs);
      const ETag = tagOf(changesAtStep ? step : undefined, form);
      return ok(write(step), { ...stepHeaders(schedule, step, nowMs), "Content-Type": type, ETag });
    });
}
