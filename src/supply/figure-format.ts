import { type BaseUnits, tokenText, wholeTokens } from "../chain/amount.ts";
import { preferredMediaType } from "../http/content-negotiation.ts";
import { invalidParameter } from "../http/failure.ts";
import type { Handler, RequestContext } from "../http/handler.ts";
import { type QueryParams, withQuery } from "../http/query-params.ts";
import { ok, type Reply } from "../http/reply.ts";

const BARE_FORMATS = ["number", "plain", "result"] as const;

/** The form of a figure: `number` is a bare JSON number; `-exact` has the decimals, without it whole tokens. */
export type BareForm = (typeof BARE_FORMATS)[number] | `${(typeof BARE_FORMATS)[number]}-exact`;

const OFFERED = ["application/json", "text/plain"];

/** A figure in the requested form: `?format=`, else the Accept header. `names` are its other parameters. */
export function bareFigure(
  names: readonly string[],
  handler: (form: BareForm, context: RequestContext, params: QueryParams) => ReturnType<Handler>,
): Handler {
  return withQuery([...names, "format", "decimals"], (params, context) => {
    const accepted = preferredMediaType(context.request.headers.get("Accept"), OFFERED);
    const requested = params["format"] ?? (accepted === "text/plain" ? "plain" : "number");
    const format = BARE_FORMATS.find((each) => each === requested);
    if (format === undefined) return invalidParameter(`Parameter format must be one of ${BARE_FORMATS.join(", ")}.`);
    const { decimals } = params;
    if (decimals === undefined) return handler(format, context, params);
    if (decimals === "exact") return handler(`${format}-exact`, context, params);
    return invalidParameter("Parameter decimals must be exact; without it the figure is in whole tokens.");
  });
}

/** The reply of a figure, printed from an integer: no sign, exponent or trailing zero. */
export function bareReply(
  amount: { readonly baseUnits: BaseUnits; readonly decimals: number },
  form: BareForm,
  headers: Readonly<Record<string, string>>,
): Reply {
  const digits = bareDigits(amount, form);
  return ok(form.startsWith("result") ? `{"result":"${digits}"}` : digits, {
    "Content-Type": form.startsWith("plain") ? "text/plain; charset=utf-8" : "application/json",
    Vary: "Accept",
    ...headers,
  });
}

export function bareDigits(
  { baseUnits, decimals }: { readonly baseUnits: BaseUnits; readonly decimals: number },
  form: BareForm,
): string {
  return form.endsWith("-exact") ? tokenText(baseUnits, decimals) : wholeTokens(baseUnits, decimals);
}

/** Makes one value for each form, on first use. */
export function perForm<Value>(make: (form: BareForm) => Value): (form: BareForm) => Value {
  const made = new Map<BareForm, Value>();
  return (form) => {
    const value = made.get(form) ?? make(form);
    made.set(form, value);
    return value;
  };
}
