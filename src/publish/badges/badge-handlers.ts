import { decodeSegment } from "../../chain/parameters.ts";
import type { GetRoute, Handler } from "../../http/handler.ts";
import { type Reply, tagged } from "../../http/reply.ts";
import { type Badge, badgeSvg } from "./svg.ts";

/** A figure that is available as a badge. */
export interface BadgeFigure {
  readonly label: string;
  /** Handler of the figure's path. */
  readonly handler: Handler;
  /** Makes the badge's text from the body of a 200; undefined when there is nothing to display. */
  readonly message: (body: string) => string | undefined;
}

/** Prefix of a product's id, as in corrections of the history. */
const PRODUCT_PREFIX = "apy:";
const COLOR = "#14506e";
const UNAVAILABLE_COLOR = "#7a3b00";
const RETRY_SECONDS = 30;
const NO_HOST = "https://host.invalid/";

/**
 * Routes of `/api/badge/{figure}.json` (schema of a shields.io endpoint badge) and `/badge/{figure}.svg`. A badge
 * displays the response of the figure's path; `apy:{id}` is the badge of a product. An unavailable figure is an Error
 * object in JSON and "unavailable" in the image, both with status 503.
 */
export function badgeRoutes(
  figures: ReadonlyMap<string, BadgeFigure>,
  productBadge: ((id: string) => BadgeFigure) | null = null,
): GetRoute[] {
  const badgeHandler = (type: string, write: (badge: Badge) => string): Handler => {
    return async (context) => {
      const name = decodeSegment(context.params["figure"] ?? "");
      const id = name.startsWith(PRODUCT_PREFIX) ? name.slice(PRODUCT_PREFIX.length) : null;
      const figure = id === null ? figures.get(name) : productBadge?.(id);
      if (figure === undefined)
        return {
          kind: "not_found",
          message: `There is no badge of that name; badges: ${[...figures.keys()].join(", ")}.`,
        };
      const { label } = figure;
      // Asks for the figure's default form, whatever formats and hosts this caller's request names, and whatever copies
      // it has.
      const outcome = await figure.handler({ ...context, query: "", request: new Request(NO_HOST) });
      if (outcome.kind !== "reply") return outcome;
      const message = typeof outcome.body === "string" ? figure.message(outcome.body) : undefined;
      if (message === undefined)
        return { kind: "unavailable", message: `${label} has no value now.`, retryAfterSeconds: RETRY_SECONDS };
      const body = write({ label, message, color: COLOR });
      // A badge is cacheable as long as its figure, and has the figure's age.
      const validity = Object.entries(outcome.headers).filter(([name]) => VALIDITY.includes(name));
      return tagged("badge", body, type, Object.fromEntries(validity));
    };
  };
  const image = badgeHandler(SVG_TYPE, badgeSvg);
  return [
    {
      path: "/api/badge/:figure.json",
      handler: badgeHandler("application/json", (badge) => JSON.stringify({ schemaVersion: 1, ...badge })),
    },
    {
      path: "/badge/:figure.svg",
      handler: async (context) => {
        const outcome = await image(context);
        return outcome.kind === "unavailable" ? unavailableImage(outcome.retryAfterSeconds) : outcome;
      },
    },
  ];
}

const SVG_TYPE = "image/svg+xml; charset=utf-8";
const VALIDITY: readonly string[] = ["Cache-Control", "Age", "X-Ledger-Version"];

/**
 * Builds the image of an unavailable figure. Browsers display an image even with an error status, and caches do not
 * store it.
 */
function unavailableImage(retryAfterSeconds: number): Reply {
  return {
    kind: "reply",
    status: 503,
    headers: { "Content-Type": SVG_TYPE, "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) },
    body: badgeSvg({ label: "figure", message: "unavailable", color: UNAVAILABLE_COLOR }),
  };
}
