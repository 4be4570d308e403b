import { type Surface, wireOf } from "./failure.ts";
import type { Outcome } from "./reply.ts";

const SECURITY_FIELDS = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/**
 * The only place that builds a Response. Order matters: what the answer says of itself, then what is added for this
 * caller; `Vary` is joined, never replaced. HEAD keeps every field and drops the body.
 */
export function respond(
  outcome: Outcome,
  surface: Surface,
  method: string,
  perCaller: Readonly<Record<string, string>>,
): Response {
  const { status, headers, body } = outcome.kind === "reply" ? outcome : wireOf(outcome, surface);
  const fields: Record<string, string> = { ...headers, ...SECURITY_FIELDS, ...perCaller };
  const vary = headers["Vary"];
  if (vary !== undefined && perCaller["Vary"] !== undefined) fields["Vary"] = `${vary}, ${perCaller["Vary"]}`;
  const link = headers["Link"];
  if (link !== undefined && perCaller["Link"] !== undefined) fields["Link"] = `${link}, ${perCaller["Link"]}`;
  return new Response(method === "HEAD" || status === 204 || status === 304 ? null : body, { status, headers: fields });
}
