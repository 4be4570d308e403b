import type { Reply } from "./reply.ts";

/**
 * Turns a reply into 304 when the client's copy is current (RFC 9110 section 13.2.2): If-None-Match decides when
 * present, else If-Modified-Since. Only for 200 replies to GET and HEAD whose body is not a stream.
 */
export function applyConditional(reply: Reply, request: Request): Reply {
  const { status, headers: own, body } = reply;
  if (status !== 200) return reply;
  const ifNoneMatch = request.headers.get("If-None-Match");
  const isCurrent = ifNoneMatch === null ? isUnmodifiedSince(own, request) : matches(ifNoneMatch, own["ETag"]);
  if (!isCurrent || body instanceof ReadableStream) return reply;
  if (request.method !== "GET" && request.method !== "HEAD") return reply;
  const { "Content-Type": _type, ...headers } = own;
  return { kind: "reply", status: 304, headers, body: null };
}

function matches(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(",").some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

/** With an age it is a reading: parts of it may be newer than its date, so only its tag says whether it has changed. */
function isUnmodifiedSince({ Age, "Last-Modified": lastModified }: Reply["headers"], request: Request): boolean {
  if (lastModified === undefined || Age !== undefined) return false;
  const ifModifiedSince = request.headers.get("If-Modified-Since");
  if (ifModifiedSince === null) return false;
  // Comparisons with NaN are false: a field that is not a date is ignored.
  return httpDateMs(lastModified) <= httpDateMs(ifModifiedSince);
}

/** RFC 9110 section 5.6.7: the form that is sent, and the two obsolete ones, which must be accepted too. */
const HTTP_DATES: readonly RegExp[] = [
  /^(?<name>\w{3}), (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?<name>\w{3})\w{3,6}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^(?<name>\w{3}) (?<month>\w{3}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** NaN for any other text, for which `Date.parse` has a reading of its own. */
function httpDateMs(text: string): number {
  const { name, day, month, year, time } = HTTP_DATES.map((form) => form.exec(text)?.groups).find(Boolean) ?? {};
  // Nothing served here was modified in another century than this one.
  const date = `${name}, ${day?.replace(" ", "0")} ${month} ${year?.padStart(4, "20")} ${time} GMT`;
  const ms = Date.parse(date);
  // The parser accepts the 31st of November and any name of a day.
  return new Date(ms).toUTCString() === date ? ms : Number.NaN;
}

/** Both kinds of tag are compared weakly (RFC 9110 section 13.1.2). */
function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
