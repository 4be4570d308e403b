import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { bareFigure, bareFormat } from "../http/bare.ts";
import { conditional } from "../http/conditional.ts";
import type { Failure } from "../http/failure.ts";
import { type QueryValues, readQuery } from "../http/query.ts";
import type { Ask, Handler, Outcome, Reply } from "../http/reply.ts";
import { CURRENT_VERSION } from "../http/version.ts";
import { type BaseUnits, wholeTokens } from "./amount.ts";
import { type Lifetime, lifetimeAt, ReplyShelf } from "./lifetime.ts";
import { dayText, instantText, monthEndMs, monthText, parseDay } from "./months.ts";
import type { Schedule } from "./schedule.ts";
import { type Standing, standingAt } from "./standing.ts";
import { amountView, scheduleCsv, scheduleView, supplyView } from "./views.ts";

/** What exists on chain now, or why nobody knows: a sentence for the caller. */
export type OnChainFigure =
  | {
      readonly kind: "figure";
      readonly baseUnits: BaseUnits;
      /** Age and Cache-Status of the reading. */
      readonly fields: Readonly<Record<string, string>>;
    }
  | { readonly kind: "missing"; readonly reason: string };

export interface SupplyPorts {
  readonly schedule: Schedule;
  /** Never rejects. Left out: the figure is null and says that it is not served. */
  readonly onChainTotal?: (ask: Ask) => Promise<OnChainFigure>;
}

const MAX_SUPPLY_SECONDS = 86_400;
/** An answer that misses a figure is asked for again soon. */
const INCOMPLETE_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** The supply paths that the schedule alone answers, and `/api/supply`. */
export function supplyRoutes(ports: SupplyPorts): { readonly path: string; readonly handler: Handler }[] {
  const tagOf = entityTags(ports.schedule);
  return [
    { path: "/api/max-supply", handler: maxSupply(ports.schedule, tagOf) },
    { path: "/api/circulating-supply", handler: circulatingSupply(ports.schedule, tagOf) },
    { path: "/api/supply", handler: supply(ports, tagOf) },
    {
      path: "/api/unlock-schedule",
      handler: document(ports.schedule, tagOf, "application/json", () => JSON.stringify(scheduleView(ports.schedule))),
    },
    {
      path: "/api/unlock-schedule.csv",
      handler: document(ports.schedule, tagOf, "text/csv; charset=utf-8", () => scheduleCsv(ports.schedule)),
    },
  ];
}

type EntityTags = (standing: Standing | undefined, form: string) => string;

/** A strong tag: schedule content, API version, step, form. Anything that can change the body changes one of them. */
function entityTags(schedule: Schedule): EntityTags {
  const content = JSON.stringify(schedule, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  const hash = digest(content);
  return (standing, form) => {
    const step = standing === undefined ? "all" : dayText(standing.effectiveFromMs);
    return `"${hash}-v${CURRENT_VERSION}-${step}-${form}"`;
  };
}

function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, 16);
}

function maxSupply({ maxSupply: amount, token }: Schedule, tagOf: EntityTags): Handler {
  const digits = wholeTokens(amount, token.decimals);
  const shelf = new ReplyShelf();
  return (ask) => {
    const values = readQuery(ask.query, ["format"]);
    if (isFailure(values)) return values;
    const format = bareFormat(ask.request, values["format"]);
    if (typeof format !== "string") return format;
    const kept = shelf.at(format, 0);
    if (kept !== undefined) return conditional(kept, ask.request);
    const { body, headers } = bareFigure(digits, format);
    const lifetime = lifetimeAt(undefined, 0, MAX_SUPPLY_SECONDS);
    const fields = { ...headers, "Cache-Control": lifetime.cacheControl, ETag: tagOf(undefined, format) };
    return conditional(shelf.keep(format, lifetime, ok(body, fields)), ask.request);
  };
}

function circulatingSupply(schedule: Schedule, tagOf: EntityTags): Handler {
  const shelf = new ReplyShelf();
  const figure = (
    standing: Standing,
    format: "number" | "plain" | "result",
    lifetime: Lifetime,
    nowMs: number,
  ): Reply => {
    const { body, headers } = bareFigure(wholeTokens(standing.circulating, schedule.token.decimals), format);
    return ok(body, { ...headers, ...stepFields(standing, lifetime, nowMs), ETag: tagOf(standing, format) });
  };
  return (ask) => {
    const values = readQuery(ask.query, ["month", "date", "format"]);
    if (isFailure(values)) return values;
    const format = bareFormat(ask.request, values["format"]);
    if (typeof format !== "string") return format;
    const asked = values["month"] !== undefined || values["date"] !== undefined;
    const kept = asked ? undefined : shelf.at(format, ask.nowMs);
    if (kept !== undefined) return conditional(kept, ask.request);
    const current = standingAt(schedule, ask.nowMs);
    // A copy of another period's figure may live as long as one of today's: only a new revision changes it.
    const lifetime = lifetimeAt(current, ask.nowMs);
    if (asked) {
      const standing = standingAsked(schedule, values);
      if (isFailure(standing)) return standing;
      return conditional(figure(standing, format, lifetime, ask.nowMs), ask.request);
    }
    if (current === undefined) return notStarted(schedule, ask.nowMs);
    return conditional(shelf.keep(format, lifetime, figure(current, format, lifetime, ask.nowMs)), ask.request);
  };
}

/** `month`: in force at its end. `date`: in force at its first instant. */
function standingAsked(schedule: Schedule, { month, date }: QueryValues): Standing | Failure {
  if (month !== undefined && date !== undefined)
    return invalid("Parameters month and date exclude one another: give one of them.");
  const name = month === undefined ? "date" : "month";
  const instantMs = month === undefined ? parseDay(date ?? "") : monthEndMs(month);
  if (instantMs === undefined)
    return invalid(
      name === "month"
        ? "Parameter month must be a month as YYYY-MM, for example 2026-03."
        : "Parameter date must be a day that exists as YYYY-MM-DD, for example 2026-03-31.",
    );
  const { startMs } = schedule.calendar;
  const first = name === "month" ? monthText(startMs) : dayText(startMs);
  return (
    standingAt(schedule, instantMs) ?? invalid(`Parameter ${name} must not be before the schedule's start, ${first}.`)
  );
}

function supply({ schedule, onChainTotal }: SupplyPorts, tagOf: EntityTags): Handler {
  return async (ask) => {
    const standing = standingAt(schedule, ask.nowMs);
    if (standing === undefined) return notStarted(schedule, ask.nowMs);
    const total = (await onChainTotal?.(ask)) ?? { kind: "missing", reason: "This deployment reads no chain." };
    const complete = total.kind === "figure";
    const body = JSON.stringify({
      ...supplyView(schedule, standing),
      total: complete ? amountView(total.baseUnits, schedule.token.decimals) : null,
      unavailable: complete ? {} : { total: total.reason },
    });
    const lifetime = lifetimeAt(standing, ask.nowMs, complete ? undefined : INCOMPLETE_SECONDS);
    const { "Last-Modified": step, ...fields } = stepFields(standing, lifetime, ask.nowMs);
    // What is on chain changes between steps: then the tag alone tells one answer from another.
    const dated = onChainTotal === undefined && step !== undefined ? { "Last-Modified": step } : {};
    const aged = complete ? total.fields : {};
    const tag = tagOf(standing, complete ? `total-${total.baseUnits}` : `none-${digest(total.reason)}`);
    return conditional(
      ok(body, { "Content-Type": "application/json", ...fields, ...dated, ...aged, ETag: tag }),
      ask.request,
    );
  };
}

/** A document of the whole schedule, written once. Served before the start too: it is what is published. */
function document(schedule: Schedule, tagOf: EntityTags, type: string, write: () => string): Handler {
  const shelf = new ReplyShelf();
  let text: string | undefined;
  return (ask: Ask): Outcome => {
    const kept = shelf.at(type, ask.nowMs);
    if (kept !== undefined) return conditional(kept, ask.request);
    text ??= write();
    const standing = standingAt(schedule, ask.nowMs);
    const lifetime = lifetimeAt(standing, ask.nowMs);
    const fields =
      standing === undefined ? { "Cache-Control": lifetime.cacheControl } : stepFields(standing, lifetime, ask.nowMs);
    const reply = ok(text, {
      "Content-Type": type,
      ...fields,
      ETag: tagOf(undefined, type === "application/json" ? "json" : "csv"),
    });
    return conditional(standing === undefined ? reply : shelf.keep(type, lifetime, reply), ask.request);
  };
}

/** `Last-Modified` is the step; of a step still to come there is none (RFC 9110 section 8.8.2.1). */
function stepFields(standing: Standing, lifetime: Lifetime, nowMs: number): Record<string, string> {
  const fields: Record<string, string> = { "Cache-Control": lifetime.cacheControl };
  if (standing.effectiveFromMs <= nowMs) fields["Last-Modified"] = new Date(standing.effectiveFromMs).toUTCString();
  return fields;
}

function notStarted({ calendar }: Schedule, nowMs: number): Failure {
  return {
    kind: "unavailable",
    message: `The schedule starts at ${instantText(calendar.startMs)}; there is no figure before.`,
    retryAfterSeconds: Math.min(DAY_SECONDS, Math.ceil((calendar.startMs - nowMs) / 1000)),
  };
}

function ok(body: string, headers: Record<string, string>): Reply {
  return { kind: "reply", status: 200, headers, body };
}

function invalid(message: string): Failure {
  return { kind: "invalid_input", message };
}

function isFailure(value: QueryValues | Standing | Failure): value is Failure {
  return "kind" in value && typeof value.kind === "string";
}
