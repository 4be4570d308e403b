import { dayText, instantText } from "../base/utc.ts";
import { tokenText } from "../chain/amount.ts";
import type { RequestedDays } from "../http/query-params.ts";
import { csvLine } from "./csv.ts";
import { amountView, percentText } from "./representations.ts";
import type { UnlockSchedule } from "./schedule.ts";
import { isRestated, type UnlockEvent } from "./unlock-events.ts";

/** Builds the body of `/api/unlock-events`. */
export function unlockEventsView(
  schedule: UnlockSchedule,
  events: readonly UnlockEvent[],
  { from, to }: RequestedDays,
) {
  const { token, maxSupply, revision } = schedule;
  return {
    token,
    max_supply: amountView(maxSupply, token.decimals),
    schedule_revision: revision,
    from: from ?? null,
    to: to ?? null,
    count: events.length,
    data: events.map((event) => unlockEventView(schedule, event)),
  };
}

function unlockEventView(schedule: UnlockSchedule, { atMs, amount, cumulative, parts }: UnlockEvent) {
  const { token, maxSupply } = schedule;
  return {
    at: instantText(atMs),
    amount: amountView(amount, token.decimals),
    cumulative: amountView(cumulative, token.decimals),
    percent_of_max: percentText(amount, maxSupply),
    percent_of_circulating: cumulative === amount ? null : percentText(amount, cumulative - amount),
    buckets: parts.map(({ bucket, kind, amount: part, adjustment }) => ({
      id: bucket.id,
      label: bucket.label,
      category: bucket.category,
      kind,
      amount: amountView(part, token.decimals),
      source: adjustment?.source ?? null,
      adjustment: adjustment?.kind ?? null,
      restated: adjustment === null ? null : isRestated(schedule, adjustment),
    })),
  };
}

const CSV_HEADER =
  "at,bucket,label,category,kind,amount,amount_base_units,cumulative,cumulative_base_units,token,decimals\n";

/**
 * Writes the body of `/api/unlock-events.csv` (RFC 4180): a row for each bucket and kind, or for each event if only
 * totals exist.
 */
export function unlockEventsCsv({ token }: UnlockSchedule, events: readonly UnlockEvent[]): string {
  const { symbol, decimals } = token;
  const lines = events.flatMap(({ atMs, amount, cumulative, parts }) =>
    (parts.length === 0 ? [{ bucket: undefined, kind: "", amount }] : parts).map((part) => [
      instantText(atMs),
      part.bucket?.id ?? "",
      part.bucket?.label ?? "",
      part.bucket?.category ?? "",
      part.kind,
      tokenText(part.amount, decimals),
      String(part.amount),
      tokenText(cumulative, decimals),
      String(cumulative),
      symbol,
      String(decimals),
    ]),
  );
  return CSV_HEADER + lines.map(csvLine).join("");
}

/** Returns the events in a range of days, the first and the last included. */
export function eventsBetween(events: readonly UnlockEvent[], { from, to }: RequestedDays): readonly UnlockEvent[] {
  return events.filter(({ atMs }) => {
    const day = dayText(atMs);
    return (from === undefined || day >= from) && (to === undefined || day <= to);
  });
}
