import { type BaseUnits, tokenText, wholeTokens } from "../chain/amount.ts";
import type { Unit } from "../figures.ts";
import { type BareFormat, bareFormat, bareNumber } from "../http/bare-number.ts";
import { type Failure, invalidParameter } from "../http/failure.ts";
import type { Handler, RequestContext } from "../http/handler.ts";
import { type QueryParams, withQuery } from "../http/query-params.ts";
import type { Reply } from "../http/reply.ts";

/**
 * Form of a figure. `-exact` forms have the decimals, the others have whole tokens. `base_units` exists for registered
 * addresses only.
 */
export type FigureForm = BareFormat | `${BareFormat}-exact` | "base_units";

/** Answers a figure in a given form. */
export type FigureHandler = (form: FigureForm, context: RequestContext) => ReturnType<Handler>;

/** Makes the handler of a figure that chooses the form by the request. `names`: further parameters of the figure. */
export function bareFigureHandler(
  names: readonly string[],
  handler: (form: FigureForm, context: RequestContext, params: QueryParams) => ReturnType<Handler>,
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

interface FigureAmount {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
  /** Unit of the amount; absent: tokens. */
  readonly unit?: Unit | undefined;
}

/** Largest number that every JSON reader keeps exact; text has no bound. */
const MAX_JSON_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether JSON readers would round a number with these digits before its point. */
export function isRounded(digits: string): boolean {
  return BigInt(digits.split(".", 1)[0] ?? "") > MAX_JSON_NUMBER;
}

/** Builds the reply of a figure. Digits are written from an integer, so there is no sign, exponent or trailing zero. */
export function bareReply(
  amount: FigureAmount,
  form: FigureForm,
  headers: Readonly<Record<string, string>>,
): Reply | Failure {
  const format = form.startsWith("result") ? "result" : form.startsWith("number") ? "number" : "plain";
  const digits = bareDigits(amount, form);
  if (format === "number" && isRounded(digits)) return { kind: "not_found", message: TOO_LARGE };
  return bareNumber(digits, format, headers);
}

const TOO_LARGE = `The figure is more than ${MAX_JSON_NUMBER}, which JSON readers round: request it as text, with ?format=plain or ?format=result.`;

/** Writes the digits of a figure in a form. A percentage has its decimals in every form. */
export function bareDigits({ baseUnits, decimals, unit }: FigureAmount, form: FigureForm): string {
  if (form === "base_units") return String(baseUnits);
  return form.endsWith("-exact") || unit === "percent"
    ? tokenText(baseUnits, decimals)
    : wholeTokens(baseUnits, decimals);
}

/** Makes one value for each form, on first use. */
export function memoPerForm<Value>(make: (form: FigureForm) => Value): (form: FigureForm) => Value {
  const made = new Map<FigureForm, Value>();
  return (form) => {
    const value = made.get(form) ?? make(form);
    made.set(form, value);
    return value;
  };
}
