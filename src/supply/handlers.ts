import { wholeTokens } from "../chain/amount.ts";
import { isFailure } from "../http/failure.ts";
import type { Handler, Reply } from "../http/handler.ts";
import { parseQuery } from "../http/query-params.ts";
import { ok } from "../http/reply.ts";
import { allocationsView } from "./allocations.ts";
import { type SupplyStep, stepAt } from "./circulating.ts";
import { type OnChainTotal, type ScheduleDocument, scheduleDocument, supplyObject } from "./document-handlers.ts";
import { type EntityTags, entityTags, stepHeaders } from "./etag.ts";
import { unlockEventRoutes } from "./event-handlers.ts";
import { type BareFormat, bareFigure, bareFormat } from "./figure-format.ts";
import { notStarted, requestedStep, withoutPeriod } from "./period-query.ts";
import { type Lifetime, lifetimeAt, publicFor, ReplyCache } from "./reply-cache.ts";
import { BUCKET_UNITS, type BucketUnit, scheduleCsv, scheduleView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";

export interface SupplyPorts {
  readonly schedule: Schedule;
  /** Undefined: the figure is null, with a reason. */
  readonly onChainTotal?: OnChainTotal;
}

/** The paths that need only the schedule. */
export function supplyRoutes({ schedule, onChainTotal }: SupplyPorts): {
  readonly path: string;
  readonly handler: Handler;
}[] {
  const tagOf = entityTags(schedule);
  const document = (path: string, written: ScheduleDocument) => ({
    path,
    handler: written.changesAtStep
      ? withoutPeriod(scheduleDocument(schedule, tagOf, written))
      : scheduleDocument(schedule, tagOf, written),
  });
  return [
    { path: "/api/max-supply", handler: maxSupply(schedule, tagOf) },
    { path: "/api/circulating-supply", handler: circulatingSupply(schedule, tagOf) },
    { path: "/api/supply", handler: withoutPeriod(supplyObject(schedule, tagOf, onChainTotal)) },
    document("/api/unlock-schedule", {
      form: "json",
      type: "application/json",
      changesAtStep: false,
      write: () => JSON.stringify(scheduleView(schedule)),
    }),
    { path: "/api/unlock-schedule.csv", handler: scheduleCsvHandler(schedule, tagOf) },
    document("/api/allocations", {
      form: "allocations",
      type: "application/json",
      changesAtStep: true,
      write: (step) => JSON.stringify(allocationsView(schedule, step)),
    }),
    ...unlockEventRoutes(schedule, tagOf),
  ];
}

function scheduleCsvHandler(schedule: Schedule, tagOf: EntityTags): Handler {
  const inUnit = (unit: BucketUnit): Handler =>
    scheduleDocument(schedule, tagOf, {
      form: `csv-${unit}`,
      type: "text/csv; charset=utf-8",
      changesAtStep: false,
      write: () => scheduleCsv(schedule, unit),
    });
  const handlers = { base_units: inUnit("base_units"), tokens: inUnit("tokens") };
  return (context) => {
    const params = parseQuery(context.query, ["unit"]);
    if (isFailure(params)) return params;
    const unit = BUCKET_UNITS.find((known) => known === (params["unit"] ?? "base_units"));
    if (unit !== undefined) return handlers[unit](context);
    return { kind: "invalid_input", message: `Parameter unit must be one of ${BUCKET_UNITS.join(", ")}.` };
  };
}

/** The maximum never changes within a version; a day bounds the effect of a mistake. */
const MAX_SUPPLY_SECONDS = 86_400;

function maxSupply({ maxSupply: amount, token }: Schedule, tagOf: EntityTags): Handler {
  const digits = wholeTokens(amount, token.decimals);
  const replyIn = (format: BareFormat): Reply => {
    return bare(digits, format, { "Cache-Control": publicFor(MAX_SUPPLY_SECONDS), ETag: tagOf(undefined, format) });
  };
  const replies = { number: replyIn("number"), plain: replyIn("plain"), result: replyIn("result") };
  return ({ query, request }) => {
    const params = parseQuery(query, ["format"]);
    if (isFailure(params)) return params;
    const format = bareFormat(request, params["format"]);
    return typeof format === "string" ? replies[format] : format;
  };
}

function circulatingSupply(schedule: Schedule, tagOf: EntityTags): Handler {
  const replies = new ReplyCache();
  const figure = (step: SupplyStep, format: BareFormat, lifetime: Lifetime, nowMs: number): Reply =>
    bare(wholeTokens(step.circulating, schedule.token.decimals), format, {
      ...stepHeaders(step, lifetime, nowMs),
      ETag: tagOf(step, format),
    });
  return ({ query, request, nowMs }) => {
    const params = parseQuery(query, ["month", "date", "format"]);
    if (isFailure(params)) return params;
    const format = bareFormat(request, params["format"]);
    if (typeof format !== "string") return format;
    const isCurrent = params["month"] === undefined && params["date"] === undefined;
    const cached = isCurrent ? replies.at(format, nowMs) : undefined;
    if (cached !== undefined) return cached;
    const current = stepAt(schedule, nowMs);
    const lifetime = lifetimeAt(current, nowMs, schedule);
    if (isCurrent && current === undefined) return notStarted(schedule, nowMs);
    if (isCurrent && current !== undefined)
      return replies.set(format, lifetime, figure(current, format, lifetime, nowMs));
    // The figure of another period only changes with a new revision, so it may be cached as long as today's.
    const requested = requestedStep(schedule, params);
    return isFailure(requested) ? requested : figure(requested, format, lifetime, nowMs);
  };
}

function bare(digits: string, format: BareFormat, headers: Record<string, string>): Reply {
  const { body, headers: own } = bareFigure(digits, format);
  return ok(body, { ...own, ...headers });
}
