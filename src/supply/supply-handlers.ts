import { invalidParameter, isFailure } from "../http/failure.ts";
import type { GetRoute, Handler, Outcome, ReadAsset } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";
import { publicFor } from "../http/reply.ts";
import { allocationsView } from "./allocations.ts";
import { dayAt, hasDayPhases, type SupplyStep, stepAt, stepOf } from "./circulating.ts";
import { type ReadOnChain, scheduleDocument, supplyObject } from "./document-handlers.ts";
import { unlockEventRoutes } from "./event-handlers.ts";
import { bareFigureHandler, bareReply, type FigureForm, type FigureHandler, memoPerForm } from "./figure-format.ts";
import { notStarted, requestedStep } from "./period-query.ts";
import { BUCKET_UNITS, type BucketUnit, scheduleCsv, scheduleView } from "./representations.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "./schedule.ts";
import { type EntityTags, entityTags, maxAgeAt, maxAgeOfDay, replyMemo, stepHeaders } from "./validity.ts";

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
      handler: periodHandler(schedule, MONTHLY),
    },
    ...(hasDayPhases(schedule)
      ? [
          {
            path: "/api/circulating-supply-daily",
            period: "date",
            handler: periodHandler(schedule, DAILY),
          } as const,
        ]
      : []),
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
): Readonly<Partial<Record<"max_supply" | "circulating_supply" | "circulating_supply_daily", FigureHandler>>> {
  const tagOf = entityTags(schedule);
  const { maxSupply: baseUnits, token } = schedule;
  return {
    ...(baseUnits !== null && { max_supply: maxSupply({ baseUnits, decimals: token.decimals }, tagOf) }),
    ...(hasUnlocks(schedule) && {
      circulating_supply: circulatingSupply(schedule, MONTHLY),
      ...(hasDayPhases(schedule) && { circulating_supply_daily: circulatingSupply(schedule, DAILY) }),
    }),
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

/** How often a figure of the schedule changes. */
interface Cadence {
  readonly at: typeof dayAt;
  readonly maxAge: typeof maxAgeOfDay;
}

const MONTHLY: Cadence = { at: stepAt, maxAge: maxAgeAt };
const DAILY: Cadence = { at: dayAt, maxAge: maxAgeOfDay };

function circulatingSupply(schedule: UnlockSchedule, cadence: Cadence): FigureHandler {
  const reply = stepReplies(schedule, cadence);
  const memos = memoPerForm(() => replyMemo(schedule, cadence.maxAge));
  return (form, { nowMs }) => {
    if (nowMs < schedule.calendar.startMs) return notStarted(schedule, nowMs);
    const current = () => cadence.at(schedule, nowMs) ?? stepOf(schedule, 0);
    return memos(form)(nowMs, () => reply(current(), form, nowMs));
  };
}

/** Handles a figure of a requested period; without a parameter the current figure is served. */
function periodHandler(schedule: UnlockSchedule, cadence: Cadence): Handler {
  const reply = stepReplies(schedule, cadence);
  const current = circulatingSupply(schedule, cadence);
  return bareFigureHandler(["month", "date"], (form, context, params) => {
    if (params["month"] === undefined && params["date"] === undefined) return current(form, context);
    // The figure of another period changes only with a new revision, so it may be cached as long as the current one.
    const requested = requestedStep(schedule, params, cadence.at);
    return isFailure(requested) ? requested : reply(requested, form, context.nowMs);
  });
}

function stepReplies(schedule: UnlockSchedule, { maxAge }: Cadence) {
  const tagOf = entityTags(schedule);
  return (step: SupplyStep, form: FigureForm, nowMs: number): Outcome =>
    bareReply({ baseUnits: step.circulating, decimals: schedule.token.decimals }, form, {
      ...stepHeaders(schedule, step, nowMs, maxAge(schedule, nowMs)),
      ETag: tagOf(step, form),
    });
}
