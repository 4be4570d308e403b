import { invalidParameter } from "../http/failure.ts";
import type { Handler } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";
import type { Route } from "../routes.ts";

/** The path that takes `month` and `date`, and those whose answer is the same, or complete, for every period. */
const ANY_PERIOD: ReadonlySet<string> = new Set([
  "/api/circulating-supply",
  "/api/max-supply",
  "/api/unlock-schedule",
  "/api/unlock-schedule.csv",
  "/api/unlock-events.ics",
  "/feed.atom",
  "/api/health",
]);

/**
 * Parameters that a path does not have are ignored, because trackers add their own. `month` and `date` are refused
 * instead: ignoring them would answer with the figures of another period than the requested one.
 */
export function withPeriodsRefused(route: Route): Route {
  return ANY_PERIOD.has(route.path) ? route : { ...route, handler: withoutPeriod(route.handler) };
}

function withoutPeriod(handler: Handler): Handler {
  return withQuery(["month", "date"], (params, context) => {
    const [name] = Object.keys(params);
    if (name === undefined) return handler(context);
    const others =
      "/api/circulating-supply takes month and date; " +
      "/api/history, /api/rates/{id}/history and /api/unlock-events take from and to";
    return invalidParameter(`Parameter ${name} is not allowed here: ${others}.`);
  });
}
