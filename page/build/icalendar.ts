import { fnv1aHex } from "../../src/base/hash/fnv1a.ts";
import { dayText, parseDay } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { identityOf } from "../../src/supply/identity.ts";
import { eventTitle } from "../../src/supply/news.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { type UnlockEvent, unlockEvents } from "../../src/supply/unlock-events.ts";

/** Most bytes of a content line before folding (RFC 5545 section 3.1). */
const MAX_LINE_BYTES = 75;

/**
 * Makes the body of `/api/unlock-events.ics` (RFC 5545): one VEVENT per unlock. `UID` depends only on the schedule and
 * the day. `SEQUENCE` is the schedule's revision, so that a new revision updates subscribed calendars.
 */
export function unlockCalendar(schedule: UnlockSchedule): string {
  const { token } = schedule;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//edge-api//unlock events//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escapeText(`${token.name} (${token.symbol}) unlocks`)}`,
    `X-WR-CALNAME:${escapeText(`${token.name} (${token.symbol}) unlocks`)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
    ...unlockEvents(schedule).flatMap((event) => eventLines(schedule, event)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function eventLines(schedule: UnlockSchedule, event: UnlockEvent) {
  const { token, revision, publishedAt, methodology, sources } = schedule;
  const { decimals, symbol } = token;
  const parts = event.parts.map(
    ({ bucket, kind, amount, adjustment }) =>
      `${bucket.label}: ${tokenText(amount, decimals)} ${symbol} (${adjustment?.kind ?? kind})`,
  );
  const circulating = `Circulating from then on: ${tokenText(event.cumulative, decimals)} ${symbol}`;
  const url = methodology ?? sources[0]?.url;
  return [
    "BEGIN:VEVENT",
    `UID:${dayText(event.atMs)}-${symbol.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-${fnv1aHex(identityOf(schedule))}@unlock-events.edge-api`,
    `SEQUENCE:${revision}`,
    `DTSTAMP:${utc(parseDay(publishedAt) ?? event.atMs)}`,
    `DTSTART:${utc(event.atMs)}`,
    `SUMMARY:${escapeText(eventTitle(schedule, event.amount, "unlock"))}`,
    `DESCRIPTION:${escapeText([...parts, circulating].join("\n"))}`,
    ...(url === undefined ? [] : [`URL:${url}`]),
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** Writes an instant as date with UTC time (RFC 5545 section 3.3.5, form 2). */
function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Escapes a TEXT value (RFC 5545 section 3.3.11). */
function escapeText(value: string): string {
  return value.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** Folds a line after 75 bytes, never inside a character; continuation lines begin with a space. */
function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let out = "";
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > MAX_LINE_BYTES) {
      out += "\r\n ";
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return out;
}
