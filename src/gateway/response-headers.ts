import { memoByObject } from "../base/memo.ts";
import { BODY_HEADERS, cursorHeaders, ENCRYPTION_KEY, ledgerHeaders } from "../chain/ledger-headers.ts";
import type { Reply } from "../http/reply.ts";
import { isStorable } from "./cache/freshness.ts";
import type { GatewayResult } from "./gateway.ts";
import type { CachedResponse } from "./model/node-types.ts";

export interface ReplyOptions {
  /** Prefix of the node's headers, such as `X-NODE-`. */
  readonly headerPrefix: string;
  /** Whether immutable responses may be cached without revalidation. Outside production a chain may be reset. */
  readonly isProduction: boolean;
}

interface LastHit {
  reply: Reply | null;
  ageSeconds: number;
  version: bigint | null;
}

/** Reply of the last hit: it is built once per second and tip, not per request. */
const lastHitOf = memoByObject((_value: CachedResponse): LastHit => ({ reply: null, ageSeconds: 0, version: null }));

/** Builds the public reply of a response, before anything specific to the caller is added. */
export function replyOf(served: GatewayResult, options: ReplyOptions): Reply {
  const { value, ageMs, ledger } = served;
  if (served.source !== "memory") return buildReply(served, options);
  const ageSeconds = Math.floor(ageMs / 1_000);
  const version = ledger?.version ?? null;
  const last = lastHitOf(value);
  if (last.reply !== null && last.ageSeconds === ageSeconds && last.version === version) return last.reply;
  const reply = buildReply({ ...served, ageMs: ageSeconds * 1_000 }, options);
  Object.assign(last, { reply, ageSeconds, version });
  return reply;
}

function buildReply(served: GatewayResult, { headerPrefix: prefix, isProduction }: ReplyOptions): Reply {
  const { value, target, source, ledger, attempts } = served;
  const upstreamMs = attempts.reduce((total, { milliseconds }) => total + milliseconds, 0);
  const headers: Record<string, string> = {
    "Content-Type": value.contentType,
    "Cache-Control": cacheControl(value, isProduction),
    "Cache-Status": cacheStatus(served),
    "Server-Timing":
      source === "upstream" ? `cache;desc=${source}, upstream;dur=${upstreamMs}` : `cache;desc=${source}`,
    Vary: "Accept",
  };
  if (ledger !== null) Object.assign(headers, ledgerHeaders(ledger, prefix));
  // The encryption key belongs to the epoch in which the response was read, so a timeless response leaves it out.
  const extras = Object.entries(value.extras).filter(([suffix]) => suffix !== ENCRYPTION_KEY || !value.timeless);
  for (const [suffix, text] of extras)
    for (const name of suffix === BODY_HEADERS.cursor ? cursorHeaders(prefix) : [prefix + suffix]) headers[name] = text;
  if (value.retention !== "no-store") headers["Age"] = String(Math.floor(Math.max(0, served.ageMs) / 1_000));
  if (value.status === 200 && target.mode === "read" && isStorable(value)) headers["ETag"] = value.etag;
  return { kind: "reply", status: value.status, headers, body: value.body };
}

/**
 * Browsers may store a response at the tip but must revalidate it, because it must not hide a commit that its user has
 * seen.
 */
function cacheControl(value: CachedResponse, isProduction: boolean): string {
  if (value.status >= 400 || value.retention === "no-store") return "no-store";
  switch (value.retention) {
    case "immutable":
      return isProduction ? `public, max-age=${value.seconds}, immutable` : "no-cache";
    case "ttl":
      return `public, max-age=${Math.floor(value.seconds)}`;
    case "until-tip":
      return "no-cache";
  }
}

function cacheStatus({ value, target, source, ageMs }: GatewayResult): string {
  if (source === "stale") return `edge; hit; ttl=-${Math.ceil(ageMs / 1_000)}; detail=upstream-down`;
  const ttl = value.retention === "until-tip" ? "" : `; ttl=${Math.max(0, Math.floor(value.seconds - ageMs / 1_000))}`;
  if (source !== "collapsed" && source !== "upstream") return `edge; hit${ttl}; detail=${source}`;
  if (target.mode !== "read") return `edge; fwd=bypass; fwd-status=${value.status}`;
  const collapsed = source === "collapsed" ? "; collapsed" : "";
  return `edge; fwd=miss${collapsed}; fwd-status=${value.status}${isStorable(value) ? "; stored" : ""}`;
}
