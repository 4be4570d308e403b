import { fnv1aHex } from "../hash/fnv1a.ts";
import type { Reply } from "./handler.ts";

export function ok(body: Reply["body"], headers: Readonly<Record<string, string>>): Reply {
  return { kind: "reply", status: 200, headers, body };
}

/** A strong entity tag of a body (RFC 9110 section 8.8.3); `name` distinguishes documents. */
export function bodyTag(name: string, body: string): string {
  return `"${name}-${fnv1aHex(body)}-${body.length.toString(36)}"`;
}
