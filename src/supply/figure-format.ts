import { preferredMediaType } from "../http/content-negotiation.ts";
import { invalidParameter } from "../http/failure.ts";
import type { Handler, RequestContext } from "../http/handler.ts";
import { type QueryParams, withQuery } from "../http/query-params.ts";
import { ok, type Reply } from "../http/reply.ts";

/** The format of a figure. `number` is the default: the bare digits as a JSON number. */
export type BareFormat = "number" | "plain" | "result";

const BARE_FORMATS: readonly BareFormat[] = ["number", "plain", "result"];

const OFFERED = ["application/json", "text/plain"];

/** A figure in the requested format: `?format=`, else the Accept header. `names` are its other parameters. */
export function bareFigure(
  names: readonly string[],
  handler: (format: BareFormat, context: RequestContext, params: QueryParams) => ReturnType<Handler>,
): Handler {
  return withQuery([...names, "format"], (params, context) => {
    const accepted = preferredMediaType(context.request.headers.get("Accept"), OFFERED);
    const requested = params["format"] ?? (accepted === "text/plain" ? "plain" : "number");
    const format = BARE_FORMATS.find((each) => each === requested);
    if (format === undefined) return invalidParameter(`Parameter format must be one of ${BARE_FORMATS.join(", ")}.`);
    return handler(format, context, params);
  });
}

/** The reply of a figure. `digits` are whole tokens, printed from an integer: no sign, point or exponent. */
export function bareReply(digits: string, format: BareFormat, headers: Readonly<Record<string, string>>): Reply {
  return ok(format === "result" ? `{"result":"${digits}"}` : digits, {
    "Content-Type": format === "plain" ? "text/plain; charset=utf-8" : "application/json",
    Vary: "Accept",
    ...headers,
  });
}
