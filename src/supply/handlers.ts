import { applyConditional } from "../http/conditional.ts";
import type { Handler, Reply } from "../http/handler.ts";
import { parseQuery } from "../http/query-params.ts";
import { wholeTokens } from "./amount.ts";
import { type SupplyStep, stepAt } from "./circulating.ts";
import { type OnChainTotal, scheduleDocument, supplyObject } from "./document-handlers.ts";
import { type EntityTags, entityTags, stepHeaders } from "./etag.ts";
import { type BareFormat, bareFigure, bareFormat } from "./figure-format.ts";
import { isFailure, notStarted, requestedStep } from "./period-query.ts";
import { type Lifetime, lifetimeAt, ReplyCache } from "./reply-cache.ts";
import { scheduleCsv, scheduleView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";

export interface SupplyPorts {
  readonly schedule: Schedule;
  /** Left out: the figure is null and says that it is not served. */
  readonly onChainTotal?: OnChainTotal;
}

/** The paths that the schedule answers. */
export function supplyRoutes({ schedule, onChainTotal }: SupplyPorts): {
  readonly path: string;
  readonly handler: Handler;
}[] {
  const tagOf = entityTags(schedule);
  const json = { form: "json", type: "application/json", write: () => JSON.stringify(scheduleView(schedule)) };
  const csv = { form: "csv", type: "text/csv; charset=utf-8", write: () => scheduleCsv(schedule) };
  return [
    { path: "/api/max-supply", handler: maxSupply(schedule, tagOf) },
    { path: "/api/circulating-supply", handler: circulatingSupply(schedule, tagOf) },
    { path: "/api/supply", handler: supplyObject(schedule, tagOf, onChainTotal) },
    { path: "/api/unlock-schedule", handler: scheduleDocument(schedule, tagOf, json) },
    { path: "/api/unlock-schedule.csv", handler: scheduleDocument(schedule, tagOf, csv) },
  ];
}

/** The maximum never changes under a version; a day bounds how long a mistake could live. */
const MAX_SUPPLY_SECONDS = 86_400;

function maxSupply({ maxSupply: amount, token }: Schedule, tagOf: EntityTags): Handler {
  const digits = wholeTokens(amount, token.decimals);
  const replyIn = (format: BareFormat): Reply => {
    const { cacheControl } = lifetimeAt(undefined, 0, MAX_SUPPLY_SECONDS);
    return bare(digits, format, { "Cache-Control": cacheControl, ETag: tagOf(undefined, format) });
  };
  const replies = { number: replyIn("number"), plain: replyIn("plain"), result: replyIn("result") };
  return ({ query, request }) => {
    const values = parseQuery(query, ["format"]);
    if (isFailure(values)) return values;
    const format = bareFormat(request, values["format"]);
    return typeof format === "string" ? applyConditional(replies[format], request) : format;
  };
}

function circulatingSupply(schedule: Schedule, tagOf: EntityTags): Handler {
  const shelf = new ReplyCache();
  const figure = (standing: SupplyStep, format: BareFormat, lifetime: Lifetime, nowMs: number): Reply =>
    bare(wholeTokens(standing.circulating, schedule.token.decimals), format, {
      ...stepHeaders(standing, lifetime, nowMs),
      ETag: tagOf(standing, format),
    });
  return ({ query, request, nowMs }) => {
    const values = parseQuery(query, ["month", "date", "format"]);
    if (isFailure(values)) return values;
    const format = bareFormat(request, values["format"]);
    if (typeof format !== "string") return format;
    const isCurrent = values["month"] === undefined && values["date"] === undefined;
    const kept = isCurrent ? shelf.at(format, nowMs) : undefined;
    if (kept !== undefined) return applyConditional(kept, request);
    const current = stepAt(schedule, nowMs);
    const lifetime = lifetimeAt(current, nowMs);
    if (isCurrent && current === undefined) return notStarted(schedule, nowMs);
    if (isCurrent && current !== undefined)
      return applyConditional(shelf.keep(format, lifetime, figure(current, format, lifetime, nowMs)), request);
    // Only a new revision changes the figure of another period: a copy may live as long as one of today's.
    const asked = requestedStep(schedule, values);
    return isFailure(asked) ? asked : applyConditional(figure(asked, format, lifetime, nowMs), request);
  };
}

function bare(digits: string, format: BareFormat, fields: Record<string, string>): Reply {
  const { body, headers } = bareFigure(digits, format);
  return { kind: "reply", status: 200, headers: { ...headers, ...fields }, body };
}
