import { invalidParameter } from "../http/failure.ts";
import type { GetRoute, Handler } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";

/**
 * Refuses `month` and `date` on paths without these parameters: ignoring them would answer with the figures of another
 * period. Other unknown parameters are ignored, because trackers add their own.
 */
export function withPeriodsRefused(routes: readonly GetRoute[]): GetRoute[] {
  const taking = (period: GetRoute["period"]): string[] => {
    const paths = routes.filter((route) => route.period === period).map(({ path }) => path.replace(/:(\w+)/g, "{$1}"));
    return paths.length === 0 ? [] : [`${paths.join(", ")} ${paths.length === 1 ? "takes" : "take"} ${period}`];
  };
  const others = [...taking("month and date"), ...taking("date"), ...taking("from and to")].join("; ");
  return routes.map((route) => {
    const refused = refusedBy(route.period);
    return refused.length === 0 ? route : { ...route, handler: withoutPeriod(route.handler, refused, others) };
  });
}

function refusedBy(period: GetRoute["period"]): readonly string[] {
  if (period === "any" || period === "month and date") return [];
  return period === "date" ? ["month"] : ["month", "date"];
}

function withoutPeriod(handler: Handler, refused: readonly string[], others: string): Handler {
  return withQuery(refused, (params, context) => {
    const [name] = Object.keys(params);
    if (name === undefined) return handler(context);
    return invalidParameter(`Parameter ${name} is not allowed here: ${others}.`);
  });
}
