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
  const others = [...taking("month and date"), ...taking("from and to")].join("; ");
  return routes.map((route) =>
    route.period === "any" || route.period === "month and date"
      ? route
      : { ...route, handler: withoutPeriod(route.handler, others) },
  );
}

function withoutPeriod(handler: Handler, others: string): Handler {
  return withQuery(["month", "date"], (params, context) => {
    const [name] = Object.keys(params);
    if (name === undefined) return handler(context);
    return invalidParameter(`Parameter ${name} is not allowed here: ${others}.`);
  });
}
