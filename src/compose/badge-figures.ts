import type { BadgeFigure } from "../badges/handlers.ts";
import { apyMessage, supplyMessage } from "../badges/message.ts";
import type { Route } from "../routes.ts";
import type { Schedule } from "../supply/schedule.ts";

/** The figures available as badges, by their name in the badge's path. Each uses its own route. */
export function badgeFigures(routes: readonly Route[], { token }: Schedule): ReadonlyMap<string, BadgeFigure> {
  const tokens = supplyMessage(token.symbol);
  const rows: readonly (readonly [string, string, string, BadgeFigure["message"]])[] = [
    ["circulating-supply", "/api/circulating-supply", "circulating supply", tokens],
    ["max-supply", "/api/max-supply", "maximum supply", tokens],
    ["total-supply", "/api/total-supply", "total supply", tokens],
    ["stable-supply", "/api/stable-supply", "stable token supply", supplyMessage("tokens")],
    ["apy", "/api/rates", `${token.symbol} APY`, apyMessage],
  ];
  return new Map(
    rows.flatMap(([name, path, label, message]) => {
      const handler = routes.find((route) => route.path === path)?.handler;
      return handler === undefined ? [] : [[name, { label, handler, message }] as const];
    }),
  );
}
