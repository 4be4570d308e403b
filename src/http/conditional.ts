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
  // All fields of the 200, its type too: a runtime that encodes what has no type would name an encoding of its own.
  return { kind: "reply", status: 304, headers: own, body: null };
}

function matches(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(",").some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

/**
 * Only a date that was sent with this reply is evidence, and not of a reading (it has an age), parts of which may be
 * newer: a later one is the client's own, and the copy may be of a revision that was since replaced or rolled back.
 */
function isUnmodifiedSince({ Age, "Last-Modified": lastModified }: Reply["headers"], request: Request): boolean {
  if (lastModified === undefined || Age !== undefined) return false;
  return request.headers.get("If-Modified-Since") === lastModified;
}

/** Both kinds of tag are compared weakly (RFC 9110 section 13.1.2). */
function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
