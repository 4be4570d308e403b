import { type BaseUnits, tokenText, wholeTokens } from "../chain/amount.ts";
import type { Unit } from "../figures.ts";
import { type BareFormat, bareFormat, bareNumber } from "../http/bare-number.ts";
import { type Failure, invalidParameter } from "../http/failure.ts";
import type { Handler, RequestContext } from "../http/handler.ts";
import { type QueryParams, withQuery } from "../http/query-params.ts";
import type { Reply } from "../http/reply.ts";

/**
 * The form of a figure; `-exact` has the decimals, without it whole tokens. `base_units` is for registered addresses: no
 * parameter asks for it.
 */
export type BareForm = BareFormat | `${BareFormat}-exact` | "base_units";

/** A figure's outcome in a form that is known. */
export type FigureInForm = (form: BareForm, context: RequestContext) => ReturnType<Handler>;

/** A figure in the requested form. `names` are its other parameters. */
export function bareFigure(
  names: readonly string[],
  handler: (form: BareForm, context: RequestContext, params: QueryParams) => ReturnType<Handler>,
): Handler {
  return withQuery([...names, "format", "decimals"], (params, context) => {
    const format = bareFormat(params["format"], context.request);
    if (typeof format !== "string") return format;
    const { decimals } = params;
    if (decimals === undefined) return handler(format, context, params);
    if (decimals === "exact") return handler(`${format}-exact`, context, params);
    return invalidParameter("Parameter decimals must be exact; without it the figure is in whole tokens.");
  });
}

interface Amount {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
  /** Absent: tokens. */
  readonly unit?: Unit | undefined;
}

/** Greatest number that every JSON reader keeps exact; a text has no bound. */
const MAX_JSON_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether JSON readers would round a number with these digits before its point. */
export function isRounded(digits: string): boolean {
  return BigInt(digits.split(".", 1)[0] ?? "") > MAX_JSON_NUMBER;
}

/** The reply of a figure, printed from an integer: no sign, exponent or trailing zero. */
export function bareReply(amount: Amount, form: BareForm, headers: Readonly<Record<string, string>>): Reply | Failure {
  const format = form.startsWith("result") ? "result" : form.startsWith("number") ? "number" : "plain";
  const digits = bareDigits(amount, form);
  if (format === "number" && isRounded(digits)) return { kind: "not_found", message: TOO_GREAT };
  return bareNumber(digits, format, headers);
}

const TOO_GREAT = `The figure is more than ${MAX_JSON_NUMBER}, which JSON readers round: request it as text, with ?format=plain or ?format=result.`;

/** Percent have their decimals in every form. */
export function bareDigits({ baseUnits, decimals, unit }: Amount, form: BareForm): string {
  if (form === "base_units") return String(baseUnits);
  return form.endsWith("-exact") || unit === "percent"
    ? tokenText(baseUnits, decimals)
    : wholeTokens(baseUnits, decimals);
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
