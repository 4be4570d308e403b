import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { bodyTag, ok, type Reply } from "../http/reply.ts";
import { type Badge, badgeSvg } from "./svg.ts";

/** A figure that is available as a badge. */
export interface BadgeFigure {
  readonly label: string;
  /** The figure's own handler. */
  readonly handler: Handler;
  /** The badge's text from the body of a 200; undefined when there is nothing to display. */
  readonly message: (body: string) => string | undefined;
}

const COLOR = "#14506e";
const UNAVAILABLE_COLOR = "#7a3b00";
const RETRY_SECONDS = 30;

/**
 * `/api/badge/{figure}.json` (the schema of a shields.io endpoint badge) and `/badge/{figure}.svg`. Both display the
 * response of the figure's own path. An unavailable figure is an Error object in JSON and "unavailable" in the image,
 * both with status 503.
 */
export function badgeRoutes(
  figures: ReadonlyMap<string, BadgeFigure>,
): { readonly path: string; readonly handler: Handler }[] {
  const read = async (context: RequestContext): Promise<Outcome | { kind: "badge"; badge: Badge; from: Reply }> => {
    const figure = figures.get(context.params["figure"] ?? "");
    if (figure === undefined) return { kind: "unknown_path" };
    // Always the figure's default form, whatever formats and copies this caller accepts.
    const outcome = await figure.handler({ ...context, query: "", request: new Request(context.request.url) });
    if (outcome.kind !== "reply" || typeof outcome.body !== "string") return outcome;
    const message = figure.message(outcome.body);
    if (message === undefined)
      return { kind: "unavailable", message: `${figure.label} has no value now.`, retryAfterSeconds: RETRY_SECONDS };
    return { kind: "badge", badge: { label: figure.label, message, color: COLOR }, from: outcome };
  };
  return [
    {
      path: "/api/badge/:figure.json",
      handler: async (context) => {
        const result = await read(context);
        if (result.kind !== "badge") return result;
        const { label, message, color } = result.badge;
        const body = JSON.stringify({ schemaVersion: 1, label, message, color });
        return badgeReply(body, "application/json", result.from);
      },
    },
    {
      path: "/badge/:figure.svg",
      handler: async (context) => {
        const result = await read(context);
        if (result.kind === "badge") return badgeReply(badgeSvg(result.badge), SVG_TYPE, result.from);
        return result.kind === "unavailable" ? unavailableImage(result.retryAfterSeconds) : result;
      },
    },
  ];
}

const SVG_TYPE = "image/svg+xml; charset=utf-8";

/** Cacheable as long as the figure itself, with the figure's age. */
function badgeReply(body: string, type: string, { headers: from }: Reply): Reply {
  const headers: Record<string, string> = { "Content-Type": type, ETag: bodyTag("badge", body) };
  for (const name of ["Cache-Control", "Age"]) {
    const value = from[name];
    if (value !== undefined) headers[name] = value;
  }
  return ok(body, headers);
}

/** Browsers display an image whatever its status; caches do not store it. */
function unavailableImage(retryAfterSeconds: number): Reply {
  return {
    kind: "reply",
    status: 503,
    headers: { "Content-Type": SVG_TYPE, "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) },
    body: badgeSvg({ label: "figure", message: "unavailable", color: UNAVAILABLE_COLOR }),
  };
}
