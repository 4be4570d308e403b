import type { Reply } from "./reply.ts";

/**
 * Turns a reply into 304 when the client's copy is current (RFC 9110 section 13.2.2): If-None-Match decides when
 * present, else If-Modified-Since. Only for 200 replies to GET and HEAD whose body is not a stream.
 */
export function applyConditional(reply: Reply, request: Request): Reply {
  if (reply.status !== 200 || (request.method !== "GET" && request.method !== "HEAD")) return reply;
  if (reply.body instanceof ReadableStream) return reply;
  const ifNoneMatch = request.headers.get("If-None-Match");
  const isCurrent =
    ifNoneMatch === null ? isUnmodifiedSince(reply, request) : matches(ifNoneMatch, reply.headers["ETag"]);
  if (!isCurrent) return reply;
  const { "Content-Type": _type, ...headers } = reply.headers;
  return { kind: "reply", status: 304, headers, body: null };
}

function matches(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(",").some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

function isUnmodifiedSince(reply: Reply, request: Request): boolean {
  const ifModifiedSince = request.headers.get("If-Modified-Since");
  if (ifModifiedSince === null) return false;
  const since = Date.parse(ifModifiedSince);
  const modified = Date.parse(reply.headers["Last-Modified"] ?? "");
  return !Number.isNaN(since) && !Number.isNaN(modified) && modified <= since;
}

/** Both kinds of tag are compared weakly (RFC 9110 section 13.1.2). */
function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
