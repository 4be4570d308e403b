/**
 * Level of every event: `error` asks an operator to act, `warn` may explain a problem, `log` is routine.
 * docs/operations.md explains each event.
 */
export const EVENT_LEVELS = {
  misconfigured: "error",
  unexpected: "error",
  limiter_unreachable: "error",
  limiter_full: "warn",
  caller_without_address: "warn",
  upstream_error: "warn",
  node_refuses_call: "warn",
  upstreams_down: "error",
  chain_replaced: "warn",
  stale_served: "warn",
  shield_error: "error",
  home_unreachable: "error",
  clock_set_back: "warn",
  store_refuses: "error",
  store_damaged: "error",
  cache_error: "warn",
  figure_not_renewed: "warn",
  value_too_large: "warn",
  rates_rows_dropped: "warn",
  health_problem: "warn",
  health: "log",
  alert_not_delivered: "error",
  check_failed: "error",
  heartbeat_not_delivered: "error",
} as const satisfies Readonly<Record<string, "error" | "warn" | "log">>;

export type LogEvent = keyof typeof EVENT_LEVELS;

/** Writes one structured log line. Never contains a secret, an upstream URL or a caller's address. */
export type Log = (event: LogEvent, detail: Readonly<Record<string, unknown>>) => void;

/** Writes JSON lines at the console's levels, by which the platform groups and filters them. */
export function logTo(console: Readonly<Record<"log" | "warn" | "error", (line: string) => void>>): Log {
  return (event, detail) => console[EVENT_LEVELS[event]](JSON.stringify({ event, ...detail }));
}
