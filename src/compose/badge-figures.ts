import { FIGURES, unitOf } from "../figures.ts";
import type { GetRoute, Handler } from "../http/handler.ts";
import type { BadgeFigure } from "../publish/badges/badge-handlers.ts";
import { apyMessage, percentMessage, supplyMessage } from "../publish/badges/message.ts";
import type { Schedule } from "../supply/schedule.ts";

/** Lists the figures that have badges, by the name in the badge's path. A badge uses the figure's own route. */
export function badgeFigures(routes: readonly GetRoute[], { token }: Schedule): ReadonlyMap<string, BadgeFigure> {
  const rows: readonly (readonly [name: string, path: string | null, Omit<BadgeFigure, "handler">])[] = [
    ...FIGURES.flatMap(({ name, path, badge: label, source }) => {
      if (path === null || label === null) return [];
      const isPercent = unitOf({ name }) === "percent";
      const message = isPercent ? percentMessage : supplyMessage(source === "stable" ? "tokens" : token.symbol);
      return [[path.slice("/api/".length), path, { label, message }] as const];
    }),
    ["apy", "/api/rates", { label: `${token.symbol} APY`, message: apyMessage }],
  ];
  return new Map(
    rows.flatMap(([name, path, badge]) => {
      const route = routes.find((each) => each.path === path)?.handler;
      // Requested as text, because a JSON number has a largest value.
      const handler: Handler | undefined =
        route && name !== "apy" ? (context) => route({ ...context, query: "format=plain" }) : route;
      return handler === undefined ? [] : [[name, { ...badge, handler }] as const];
    }),
  );
}

/** Makes the badge of a yield product from the product's own path; null: this deployment has no products. */
export function productBadge(routes: readonly GetRoute[]): ((id: string) => BadgeFigure) | null {
  const handler = routes.find(({ path }) => path === "/api/rates/:id")?.handler;
  if (handler === undefined) return null;
  return (id) => ({
    label: `${id} APY`,
    message: apyMessage,
    handler: (context) => handler({ ...context, params: { id: encodeURIComponent(id) } }),
  });
}
