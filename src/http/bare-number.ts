import { prefersText } from "./content-negotiation.ts";
import { type Failure, invalidParameter } from "./failure.ts";
import { ok, type Reply } from "./reply.ts";

const BARE_FORMATS = ["number", "plain", "result"] as const;
export type BareFormat = (typeof BARE_FORMATS)[number];

/** Format of a bare number: that of `?format=`, else the one that the Accept header prefers. */
export function bareFormat(parameter: string | undefined, request: Request): BareFormat | Failure {
  if (parameter === undefined) return prefersText(request.headers.get("Accept")) ? "plain" : "number";
  const format = BARE_FORMATS.find((each) => each === parameter);
  return format ?? invalidParameter(`Parameter format must be one of ${BARE_FORMATS.join(", ")}.`);
}

/** Builds the reply with a bare number. `digits` is canonical: no exponent, no trailing zero of a fraction. */
export function bareNumber(digits: string, format: BareFormat, headers: Readonly<Record<string, string>>): Reply {
  return ok(format === "result" ? `{"result":"${digits}"}` : digits, {
    "Content-Type": format === "plain" ? "text/plain; charset=utf-8" : "application/json",
    Vary: "Accept",
    ...headers,
  });
}
