import { invalidParameter, isFailure } from "../http/failure.ts";
import type { GetRoute, Handler, Outcome, ReadAsset } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";
import { publicFor } from "../http/reply.ts";
import { allocationsView } from "./allocations.ts";
import { type SupplyStep, stepAt, stepOf } from "./circulating.ts";
import { type ReadOnChain, scheduleDocument, supplyObject } from "./document-handlers.ts";
import { unlockEventRoutes } from "./event-handlers.ts";
import { bareFigureHandler, bareReply, type FigureForm, type FigureHandler, memoPerForm } from "./figure-format.ts";
import { notStarted, requestedStep } from "./period-query.ts";
import { BUCKET_UNITS, type BucketUnit, scheduleCsv, scheduleView } from "./representations.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "./schedule.ts";
import { type EntityTags, entityTags, replyMemo, stepHeaders } from "./validity.ts";

/** Makes the routes that need only the schedule file: those of the maximum and of an unlock schedule. */
export function supplyRoutes(schedule: Schedule, readOnChain: ReadOnChain, readAsset: ReadAsset): GetRoute[] {
  const { max_supply } = scheduledFigures(schedule);
  return [
    ...(max_supply === undefined
      ? []
      : [{ path: "/api/max-supply", period: "any", handler: bareFigureHandler([], max_supply) } as const]),
    ...(hasUnlocks(schedule) ? unlockRoutes(schedule, readOnChain, readAsset) : []),
  ];
}

function unlockRoutes(schedule: UnlockSchedule, readOnChain: ReadOnChain, readAsset: ReadAsset): GetRoute[] {
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
    {
      path: "/api/circulating-supply",
      period: "month and date",
      handler: periodHandler(schedule, circulatingSupply(schedule, tagOf)),
    },
    { path: "/api/supply", handler: supplyObject(schedule, tagOf, readOnChain) },
    { path: "/api/unlock-schedule", period: "any", handler: json },
    { path: "/api/unlock-schedule.csv", period: "any", handler: scheduleCsvHandler(schedule, tagOf) },
    { path: "/api/allocations", handler: allocations },
    ...unlockEventRoutes(schedule, tagOf, readAsset),
  ];
}

function scheduleCsvHandler(schedule: UnlockSchedule, tagOf: EntityTags): Handler {
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

/** `max-age` of the maximum. It never changes within a version; a day bounds the effect of a mistake. */
const MAX_SUPPLY_SECONDS = 86_400;

/** Makes the figures that need only the schedule, with their current values. */
export function scheduledFigures(
  schedule: Schedule,
): Readonly<Partial<Record<"max_supply" | "circulating_supply", FigureHandler>>> {
  const tagOf = entityTags(schedule);
  const { maxSupply: baseUnits, token } = schedule;
  return {
    ...(baseUnits !== null && { max_supply: maxSupply({ baseUnits, decimals: token.decimals }, tagOf) }),
    ...(hasUnlocks(schedule) && { circulating_supply: circulatingSupply(schedule, tagOf) }),
  };
}

function maxSupply(amount: Parameters<typeof bareReply>[0], tagOf: EntityTags): FigureHandler {
  return memoPerForm((form) =>
    bareReply(amount, form, {
      "Cache-Control": publicFor(MAX_SUPPLY_SECONDS),
      ETag: tagOf(undefined, form),
    }),
  );
}

function circulatingSupply(schedule: UnlockSchedule, tagOf: EntityTags): FigureHandler {
  const memos = memoPerForm(() => replyMemo(schedule));
  return (form, { nowMs }) => {
    if (nowMs < schedule.calendar.startMs) return notStarted(schedule, nowMs);
    const current = () => stepAt(schedule, nowMs) ?? stepOf(schedule, 0);
    return memos(form)(nowMs, () => stepReply(schedule, tagOf, current(), form, nowMs));
  };
}

/** Handles a figure of a requested period; without a parameter the current figure is served. */
function periodHandler(schedule: UnlockSchedule, current: FigureHandler): Handler {
  const tagOf = entityTags(schedule);
  return bareFigureHandler(["month", "date"], (form, context, params) => {
    if (params["month"] === undefined && params["date"] === undefined) return current(form, context);
    // The figure of another period changes only with a new revision, so it may be cached as long as the current one.
    const requested = requestedStep(schedule, params);
    return isFailure(requested) ? requested : stepReply(schedule, tagOf, requested, form, context.nowMs);
  });
}

function stepReply(
  schedule: UnlockSchedule,
  tagOf: EntityTags,
  step: SupplyStep,
  form: FigureForm,
  nowMs: number,
): Outcome {
  return bareReply({ baseUnits: step.circulating, decimals: schedule.token.decimals }, form, {
    ...stepHeaders(schedule, step, nowMs),
    ETag: tagOf(step, form),
  });
}
