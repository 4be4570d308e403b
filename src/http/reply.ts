import { fnv1aHex } from "../base/hash/fnv1a.ts";

/**
 * A response as plain data, without per-caller headers (rate limit, CORS, request id). It may be stored unless its body
 * is a stream.
 */
export interface Reply {
  readonly kind: "reply";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export function ok(body: Reply["body"], headers: Readonly<Record<string, string>>): Reply {
  return { kind: "reply", status: 200, headers, body };
}

export function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/** Builds a 200 with the entity tag of its body; see {@link bodyTag}. */
export function tagged(name: string, body: string, type: string, headers: Readonly<Record<string, string>>): Reply {
  return ok(body, { "Content-Type": type, ETag: bodyTag(name, body), ...headers });
}

/** Strong entity tag of a body (RFC 9110 section 8.8.3); `name` distinguishes documents. */
export function bodyTag(name: string, body: string): string {
  return `"${name}-${fnv1aHex(body)}-${body.length.toString(36)}"`;
}
