import { memoByObject } from "../base/memo.ts";
import { failureReply, type Surface } from "./failure.ts";
import type { Outcome } from "./handler.ts";

/** Response headers that are built once and sent many times. The same object always contains the same headers. */
export type HeaderSet = Readonly<Record<string, string>>;

const SECURITY_HEADERS: HeaderSet = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** List headers: values from several sets are joined, not replaced (RFC 9110 section 5.3). */
const LISTS: ReadonlySet<string> = new Set(["Vary", "Link"]);

/**
 * The only place that builds a Response: the outcome's own headers, then `shared` (equal for every response of this
 * kind), then `perCaller`. HEAD keeps all headers and drops the body.
 */
export function respond(
  outcome: Outcome,
  surface: Surface,
  method: string,
  shared: readonly HeaderSet[],
  perCaller: HeaderSet,
): Response {
  const { status, headers, body } = outcome.kind === "reply" ? outcome : failureReply(outcome, surface);
  const init = { status, headers: headersOf(headers, shared) };
  const response = new Response(method === "HEAD" || status === 204 || status === 304 ? null : body, init);
  for (const name in perCaller) response.headers.set(name, perCaller[name] ?? "");
  return response;
}

interface Reuse {
  isFirst: boolean;
  shared: readonly HeaderSet[];
  headers: Headers | null;
}

const reuseOf = memoByObject((_own: HeaderSet): Reuse => ({ isFirst: true, shared: [], headers: null }));

/**
 * Copying a Headers object takes half the time of reading a record, so one is built when headers are sent a second
 * time.
 */
function headersOf(own: HeaderSet, shared: readonly HeaderSet[]): HeadersInit {
  const reuse = reuseOf(own);
  if (reuse.headers !== null && isSame(reuse.shared, shared)) return reuse.headers;
  const merged = merge(own, SECURITY_HEADERS, ...shared);
  if (reuse.isFirst) {
    reuse.isFirst = false;
    return merged;
  }
  reuse.shared = shared;
  reuse.headers = new Headers(merged);
  return reuse.headers;
}

function isSame(one: readonly HeaderSet[], other: readonly HeaderSet[]): boolean {
  return one.length === other.length && one.every((set, index) => set === other[index]);
}

function merge(...sets: readonly HeaderSet[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) {
    for (const name in set) {
      const value = set[name] ?? "";
      const before = LISTS.has(name) ? merged[name] : undefined;
      merged[name] = before === undefined ? value : `${before}, ${value}`;
    }
  }
  return merged;
}
