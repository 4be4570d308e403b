import { type Surface, toWire } from "./failure.ts";
import type { Outcome } from "./handler.ts";

/** Header fields that are built once and sent many times. The same object means the same fields, for ever. */
export type HeaderSet = Readonly<Record<string, string>>;

const SECURITY_FIELDS: HeaderSet = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Fields that are lists: what several sets say of them is joined, never replaced. */
const LISTS: ReadonlySet<string> = new Set(["Vary", "Link"]);

/**
 * The only place that builds a Response: what the answer says of itself, then `shared` (what every answer of this kind
 * carries), then `own` (what only this caller gets). HEAD keeps every field and drops the body.
 */
export function respond(
  outcome: Outcome,
  surface: Surface,
  method: string,
  shared: readonly HeaderSet[],
  own: HeaderSet,
): Response {
  const { status, headers, body } = outcome.kind === "reply" ? outcome : toWire(outcome, surface);
  const init = { status, headers: builtFields(headers, shared) };
  const response = new Response(method === "HEAD" || status === 204 || status === 304 ? null : body, init);
  for (const name in own) response.headers.set(name, own[name] ?? "");
  return response;
}

interface Built {
  readonly shared: readonly HeaderSet[];
  readonly headers: Headers;
}

const built = new WeakMap<HeaderSet, Built>();
const seen = new WeakSet<HeaderSet>();

/** A Headers object is copied in half the time that a record takes to read: worth building for what is sent again. */
function builtFields(said: HeaderSet, shared: readonly HeaderSet[]): HeadersInit {
  const known = built.get(said);
  if (known !== undefined && isSame(known.shared, shared)) return known.headers;
  const fields = merged(said, SECURITY_FIELDS, ...shared);
  if (!seen.has(said)) {
    seen.add(said);
    return fields;
  }
  const headers = new Headers(fields);
  built.set(said, { shared, headers });
  return headers;
}

function isSame(one: readonly HeaderSet[], other: readonly HeaderSet[]): boolean {
  return one.length === other.length && one.every((set, index) => set === other[index]);
}

function merged(...sets: readonly HeaderSet[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const set of sets) {
    for (const name in set) {
      const value = set[name] ?? "";
      const before = LISTS.has(name) ? fields[name] : undefined;
      fields[name] = before === undefined ? value : `${before}, ${value}`;
    }
  }
  return fields;
}
