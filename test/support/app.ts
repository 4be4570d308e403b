import { type App, handle } from "../../src/app.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import type { TokenChain } from "../../src/families/token-chain.ts";
import { routeTable } from "../../src/routes.ts";
import { NO_CALLER } from "./no-caller.ts";

/** Parses settings that are known to be valid. */
export function configOf(settings: Readonly<Record<string, string>> = {}, chains: readonly TokenChain[] = []): Config {
  const parsed = parseConfig(settings, chains);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  return parsed.config;
}

/** Makes the edge with these routes, a clock that stands still, and a quota that is never used up. */
export function appOf(routes: Parameters<typeof routeTable>[0], more: Partial<App> = {}): App {
  const decision = { admitted: true, remaining: 59, resetSeconds: 60 };
  return {
    config: configOf(),
    routes: routeTable(routes),
    limiter: { open: () => ({ ...NO_CALLER, decision: () => decision }) },
    now: () => 1_800_000_000_000,
    newRequestId: () => "id-1",
    log: () => undefined,
    recordMetric: null,
    ...more,
  };
}

/** Sends a request to the app. */
export function ask(app: App, path: string, init: RequestInit = {}): Promise<Response> {
  return handle(app, new Request(`https://edge.test${path}`, init), () => undefined);
}
