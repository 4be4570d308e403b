import { invalidParameter, isFailure } from "../http/failure.ts";
import type { GetRoute, Handler, Outcome, ReadAsset } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";
import { publicFor } from "../http/reply.ts";
import { allocationsView } from "./allocations.ts";
import { type SupplyStep, stepAt, stepOf } from "./circulating.ts";
import { type ReadOnChain, scheduleDocument, supplyObject } from "./document-handlers.ts";
import { unlockEventRoutes } from "./event-handlers.ts";
import { type BareForm, bareFigure, bareReply, perForm } from "./figure-format.ts";
import { notStarted, requestedStep } from "./period-query.ts";
import { BUCKET_UNITS, type BucketUnit, scheduleCsv, scheduleView } from "./representations.ts";
import type { Schedule } from "./schedule.ts";
import { type EntityTags, entityTags, replyMemo, stepHeaders } from "./validity.ts";

/** The paths that need only the schedule. */
export function supplyRoutes(schedule: Schedule, readOnChain: ReadOnChain, readAsset: ReadAsset): GetRoute[] {
  const tagOf = entityTags(schedule);
  const json = scheduleDocument(schedule, tagOf, {
    form: "json",
    type: "application/json",
    write: () => JSON.stringify(scheduleView(schedule)),
  });
  const allocations = scheduleDocument(schedule, tagOf, {
    form: "allocations",
    type: "application/json",
    changesAtStep: true,
    write: (step) => JSON.stringify(allocationsView(schedule, step)),
  });
  return [
    { path: "/api/max-supply", period: "any", handler: maxSupply(schedule, tagOf) },
    { path: "/api/circulating-supply", period: "month and date", handler: circulatingSupply(schedule, tagOf) },
    { path: "/api/supply", handler: supplyObject(schedule, tagOf, readOnChain) },
    { path: "/api/unlock-schedule", period: "any", handler: json },
    { path: "/api/unlock-schedule.csv", period: "any", handler: scheduleCsvHandler(schedule, tagOf) },
    { path: "/api/allocations", handler: allocations },
    ...unlockEventRoutes(schedule, tagOf, readAsset),
  ];
}

function scheduleCsvHandler(schedule: Schedule, tagOf: EntityTags): Handler {
  const inUnit = (unit: BucketUnit): Handler =>
    scheduleDocument(schedule, tagOf, {
      form: `csv-${unit}`,
      type: "text/csv; charset=utf-8",
      write: () => scheduleCsv(schedule, unit),
    });
  const handlers = { base_units: inUnit("base_units"), tokens: inUnit("tokens") };
  return withQuery(["unit"], ({ unit = "base_units" }, context) => {
    const known = BUCKET_UNITS.find((each) => each === unit);
    if (known === undefined) return invalidParameter(`Parameter unit must be one of ${BUCKET_UNITS.join(", ")}.`);
    return handlers[known](context);
  });
}

/** The maximum never changes within a version; a day bounds the effect of a mistake. */
const MAX_SUPPLY_SECONDS = 86_400;

function maxSupply({ maxSupply: baseUnits, token }: Schedule, tagOf: EntityTags): Handler {
  const replyIn = perForm((form) =>
    bareReply({ baseUnits, decimals: token.decimals }, form, {
      "Cache-Control": publicFor(MAX_SUPPLY_SECONDS),
      ETag: tagOf(undefined, form),
    }),
  );
  return bareFigure([], replyIn);
}

function circulatingSupply(schedule: Schedule, tagOf: EntityTags): Handler {
  const memos = perForm(() => replyMemo(schedule));
  const figure = (step: SupplyStep, form: BareForm, nowMs: number): Outcome =>
    bareReply({ baseUnits: step.circulating, decimals: schedule.token.decimals }, form, {
      ...stepHeaders(schedule, step, nowMs),
      ETag: tagOf(step, form),
    });
  return bareFigure(["month", "date"], (form, { nowMs }, params) => {
    if (params["month"] === undefined && params["date"] === undefined) {
      if (nowMs < schedule.calendar.startMs) return notStarted(schedule, nowMs);
      return memos(form)(nowMs, () => figure(stepAt(schedule, nowMs) ?? stepOf(schedule, 0), form, nowMs));
    }
    // The figure of another period only changes with a new revision, so it may be cached as long as today's.
    const requested = requestedStep(schedule, params);
    return isFailure(requested) ? requested : figure(requested, form, nowMs);
  });
}
