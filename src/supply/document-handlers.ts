import { applyConditional } from "../http/conditional.ts";
import type { Handler, Outcome, Reply, RequestContext } from "../http/handler.ts";
import type { BaseUnits } from "./amount.ts";
import { stepAt } from "./circulating.ts";
import { digest, type EntityTags, stepHeaders } from "./etag.ts";
import { notStarted } from "./period-query.ts";
import { lifetimeAt, ReplyCache } from "./reply-cache.ts";
import { amountView, supplyView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";

/** What exists on chain now, or why nobody knows: a sentence for the caller. */
export type OnChainFigure =
  | {
      readonly kind: "figure";
      readonly baseUnits: BaseUnits;
      /** Age and Cache-Status of the reading. */
      readonly fields: Readonly<Record<string, string>>;
    }
  | { readonly kind: "missing"; readonly reason: string };

/** Never rejects. */
export type OnChainTotal = (ask: RequestContext) => Promise<OnChainFigure>;

/** An answer that misses a figure is asked for again soon. */
const INCOMPLETE_SECONDS = 30;

/** `/api/supply`: every figure in one object. */
export function supplyObject(schedule: Schedule, tagOf: EntityTags, onChainTotal: OnChainTotal | undefined): Handler {
  let scheduled: { readonly index: number; readonly view: ReturnType<typeof supplyView> } | undefined;
  return async (ask) => {
    const { request, nowMs } = ask;
    const standing = stepAt(schedule, nowMs);
    if (standing === undefined) return notStarted(schedule, nowMs);
    if (scheduled?.index !== standing.index)
      scheduled = { index: standing.index, view: supplyView(schedule, standing) };
    const { max, ...rest } = scheduled.view;
    const total = (await onChainTotal?.(ask)) ?? { kind: "missing", reason: "This deployment reads no chain." };
    const complete = total.kind === "figure";
    const body = JSON.stringify({
      max,
      total: complete ? amountView(total.baseUnits, schedule.token.decimals) : null,
      ...rest,
      unavailable: complete ? {} : { total: total.reason },
    });
    const lifetime = lifetimeAt(standing, nowMs, complete ? undefined : INCOMPLETE_SECONDS);
    const { "Last-Modified": step, ...validity } = stepHeaders(standing, lifetime, nowMs);
    // What is on chain changes between steps: then the tag alone tells one answer from another.
    const dated = onChainTotal === undefined && step !== undefined ? { "Last-Modified": step } : {};
    const aged = complete ? total.fields : {};
    const form = complete ? `total-${total.baseUnits}` : `none-${digest(total.reason)}`;
    const headers = { "Content-Type": "application/json", ...validity, ...dated, ...aged, ETag: tagOf(standing, form) };
    return applyConditional(ok(body, headers), request);
  };
}

/** A document of the whole schedule, written once. Served before the start too: it is what is published. */
export function scheduleDocument(
  schedule: Schedule,
  tagOf: EntityTags,
  { form, type, write }: { readonly form: string; readonly type: string; readonly write: () => string },
): Handler {
  const shelf = new ReplyCache();
  let text: string | undefined;
  return ({ request, nowMs }): Outcome => {
    const kept = shelf.at(form, nowMs);
    if (kept !== undefined) return applyConditional(kept, request);
    text ??= write();
    const standing = stepAt(schedule, nowMs);
    const lifetime = lifetimeAt(standing, nowMs);
    const validity =
      standing === undefined ? { "Cache-Control": lifetime.cacheControl } : stepHeaders(standing, lifetime, nowMs);
    const reply = ok(text, { ...validity, "Content-Type": type, ETag: tagOf(undefined, form) });
    return applyConditional(standing === undefined ? reply : shelf.keep(form, lifetime, reply), request);
  };
}

function ok(body: string, headers: Record<string, string>): Reply {
  return { kind: "reply", status: 200, headers, body };
}
