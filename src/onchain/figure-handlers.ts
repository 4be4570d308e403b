import { LAST_GOOD_SECONDS } from "../base/last-good.ts";
import { type ChainFigureRow, decimalsOf, unitOf } from "../figures.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import { bareDigits, bareReply, type FigureHandler } from "../supply/figure-format.ts";
import type { Schedule } from "../supply/schedule.ts";
import { maxAgeOfDay } from "../supply/validity.ts";
import type { CachedCopy } from "../swr/cached-copy.ts";
import { cacheHeaders, type FreshnessPolicy, unavailable } from "../swr/cached-value.ts";
import { figureIn, readingForFigures, servedFigure } from "./chain-figures.ts";
import type { Reading } from "./reading.ts";

/** Policy of readings: while one may be served, it is served at once and renewed in the background. */
export function readingFreshness(freshSeconds: number): FreshnessPolicy {
  return { freshSeconds, revalidateSeconds: LAST_GOOD_SECONDS, maxStaleSeconds: LAST_GOOD_SECONDS, sharedSeconds: 30 };
}

/** Header with the ledger version of all chain figures in a body. */
export function ledgerVersionHeader({ ledgerVersion }: Pick<Reading, "ledgerVersion">): Record<string, string> {
  return { "X-Ledger-Version": String(ledgerVersion) };
}

/** Builds the reply of a chain figure in the same forms as the scheduled figures; 503 when it is older than its bound. */
export function chainFigure(
  schedule: Schedule,
  row: ChainFigureRow,
  readings: Pick<CachedCopy<Reading>, "read">,
): FigureHandler {
  const subject = `${row.title} is`;
  return async (form, context) => {
    const current = await readings.read(context);
    if (current.kind === "unavailable") return unavailable(subject, current);
    const { nowMs } = context;
    const amountIn = (reading: Reading) => figureIn(reading, row, schedule, nowMs);
    const reading = readingForFigures(current, (value) => [amountIn(value)]);
    const figure = servedFigure(reading, amountIn(reading.value));
    if (figure.kind === "unavailable") return unavailable(subject, figure);
    const amount = { baseUnits: figure.value, decimals: decimalsOf(row, reading.value.decimals), unit: unitOf(row) };
    const ETag = `"${bareDigits(amount, form)}-v${CURRENT_VERSION}-${form}"`;
    // A figure that follows from the schedule too changes at a step or with a day, so no copy may outlive the day.
    const seconds = Math.min(maxAgeOfDay(schedule, nowMs), figure.policy.sharedSeconds);
    return bareReply(amount, form, { ...cacheHeaders(figure, seconds), ...ledgerVersionHeader(reading.value), ETag });
  };
}
