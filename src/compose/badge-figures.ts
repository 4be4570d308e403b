import type { BadgeFigure } from "../badges/handlers.ts";
import { apyMessage, supplyMessage } from "../badges/message.ts";
import type { GetRoute } from "../http/handler.ts";
import type { Schedule } from "../supply/schedule.ts";

/** The figures available as badges, by their name in the badge's path. Each uses its own route. */
export function badgeFigures(routes: readonly GetRoute[], { token }: Schedule): ReadonlyMap<string, BadgeFigure> {
  const tokens = supplyMessage(token.symbol);
  const rows: readonly (readonly [string, string, BadgeFigure["message"], string?])[] = [
    ["circulating-supply", "circulating supply", tokens],
    ["max-supply", "maximum supply", tokens],
    ["circulating-supply-on-chain", "circulating on chain", tokens],
    ["burned-supply", "burned", tokens],
    ["total-supply", "total supply", tokens],
    ["stable-supply", "stable token supply", supplyMessage("tokens")],
    ["apy", `${token.symbol} APY`, apyMessage, "rates"],
  ];
  return new Map(
    rows.flatMap(([name, label, message, path = name]) => {
      const handler = routes.find((route) => route.path === `/api/${path}`)?.handler;
      return handler === undefined ? [] : [[name, { label, handler, message }] as const];
    }),
  );
}
