import type { Reply } from "./handler.ts";

/**
 * Answers 304 when the caller already holds this reply (RFC 9110 section 13): If-None-Match decides when present,
 * else If-Modified-Since. Only for 200 answers to GET and HEAD.
 */
export function applyConditional(reply: Reply, request: Request): Reply {
  if (reply.status !== 200 || (request.method !== "GET" && request.method !== "HEAD")) return reply;
  const wanted = request.headers.get("If-None-Match");
  const fresh = wanted === null ? notModifiedSince(reply, request) : matches(wanted, reply.headers["ETag"]);
  if (!fresh) return reply;
  const { "Content-Type": _type, ...headers } = reply.headers;
  return { kind: "reply", status: 304, headers, body: null };
}

function matches(wanted: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (wanted.trim() === "*") return true;
  const opaque = weakless(etag);
  return wanted.split(",").some((candidate) => weakless(candidate.trim()) === opaque);
}

function notModifiedSince(reply: Reply, request: Request): boolean {
  const since = Date.parse(request.headers.get("If-Modified-Since") ?? "");
  const modified = Date.parse(reply.headers["Last-Modified"] ?? "");
  return !Number.isNaN(since) && !Number.isNaN(modified) && modified <= since;
}

function weakless(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
