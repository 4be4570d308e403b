import { memoByObject } from "../base/memo.ts";
import { failureReply, type Surface } from "./failure.ts";
import type { Outcome } from "./handler.ts";

/** Response headers that are built once and sent many times. A given object never changes its headers. */
export type HeaderSet = Readonly<Record<string, string>>;

const SECURITY_HEADERS: HeaderSet = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** List headers: values from several sets are joined, not replaced (RFC 9110 section 5.3). */
const LISTS: ReadonlySet<string> = new Set(["Vary", "Link"]);

/**
 * Builds the Response, as the only place that does: the outcome's own headers, then `shared` (equal for every response
 * of this kind), then `perCaller`. HEAD keeps all headers and drops the body.
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

const reuseOf = memoByObject((_headers: HeaderSet): Reuse => ({ isFirst: true, shared: [], headers: null }));

/**
 * Merges headers. Copying a Headers object takes half the time of reading a record, so one is built when a set is sent
 * a second time.
 */
function headersOf(headers: HeaderSet, shared: readonly HeaderSet[]): HeadersInit {
  const reuse = reuseOf(headers);
  if (reuse.headers !== null && isSame(reuse.shared, shared)) return reuse.headers;
  const merged = merge(headers, SECURITY_HEADERS, ...shared);
  if (reuse.isFirst) {
    reuse.isFirst = false;
    return merged;
  }
  reuse.shared = shared;
  reuse.headers = new Headers(merged);
  return reuse.headers;
}

function isSame(one: readonly HeaderSet[], others: readonly HeaderSet[]): boolean {
  return one.length === others.length && one.every((set, index) => set === others[index]);
}

function merge(...sets: readonly HeaderSet[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) {
    for (const name in set) {
      const value = set[name] ?? "";
      const existing = LISTS.has(name) ? merged[name] : undefined;
      merged[name] = existing === undefined ? value : `${existing}, ${value}`;
    }
  }
  return merged;
}
