import { preferredMediaType } from "../http/content-negotiation.ts";
import type { Failure } from "../http/failure.ts";

/** The format of a figure. `number` is the default: the bare digits as a JSON number. */
export type BareFormat = "number" | "plain" | "result";

const BARE_FORMATS: readonly BareFormat[] = ["number", "plain", "result"];

const OFFERED = ["application/json", "text/plain"];

/** The requested format of a figure: `?format=`, else the Accept header. */
export function bareFormat(request: Request, requested: string | undefined): BareFormat | Failure {
  if (requested === undefined)
    return preferredMediaType(request.headers.get("Accept"), OFFERED) === "text/plain" ? "plain" : "number";
  return (
    BARE_FORMATS.find((format) => format === requested) ?? {
      kind: "invalid_input",
      message: `Parameter format must be one of ${BARE_FORMATS.join(", ")}.`,
    }
  );
}

/** Body and headers of a figure. `digits` are whole tokens, printed from an integer: no sign, point or exponent. */
export function bareFigure(
  digits: string,
  format: BareFormat,
): { readonly body: string; readonly headers: Record<string, string> } {
  return {
    body: format === "result" ? `{"result":"${digits}"}` : digits,
    headers: {
      "Content-Type": format === "plain" ? "text/plain; charset=utf-8" : "application/json",
      Vary: "Accept",
    },
  };
}
