import type { Reply } from "./reply.ts";

/**
 * Turns a reply into 304 when the client's copy is current (RFC 9110 section 13.2.2). If-None-Match decides if it is
 * present, else If-Modified-Since. Only for 200 replies to GET and HEAD whose body is not a stream.
 */
export function applyConditional(reply: Reply, request: Request): Reply {
  const { status, headers, body } = reply;
  if (status !== 200) return reply;
  const ifNoneMatch = request.headers.get("If-None-Match");
  const isCurrent = ifNoneMatch === null ? isUnmodifiedSince(headers, request) : matches(ifNoneMatch, headers["ETag"]);
  if (!isCurrent || body instanceof ReadableStream) return reply;
  if (request.method !== "GET" && request.method !== "HEAD") return reply;
  // Keep all headers of the 200, also the type: a runtime that compresses a reply without a type would add its own
  // Content-Encoding.
  return { kind: "reply", status: 304, headers, body: null };
}

function matches(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(",").some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

/**
 * Accepts only the exact date that this reply has. A later one was made up by the client, whose copy may be of a
 * revision since replaced or rolled back. A reply with an Age is a reading, parts of which may be newer than the date.
 */
function isUnmodifiedSince({ Age, "Last-Modified": lastModified }: Reply["headers"], request: Request): boolean {
  if (lastModified === undefined || Age !== undefined) return false;
  return request.headers.get("If-Modified-Since") === lastModified;
}

/** Strips the mark of a weak tag, because tags are compared weakly (RFC 9110 section 13.1.2). */
function opaqueTag(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
