/**
 * Writes one structured log line. `event` names the kind of event (listed in docs/operations.md). Never contains a
 * secret, an upstream URL or a caller's address.
 */
export type Log = (event: string, detail: Readonly<Record<string, unknown>>) => void;

/** What an operator must act on, and what is no sign of trouble. Every other event is a warning. */
const ERRORS: readonly string[] = [
  "misconfigured",
  "unexpected",
  "upstreams_down",
  "limiter_unreachable",
  "shield_error",
  "home_unreachable",
  "store_refuses",
  "store_damaged",
  "check_failed",
  "alert_not_delivered",
  "heartbeat_not_delivered",
];
const INFORMATION: readonly string[] = ["health"];

/** A log of JSON lines at the console's levels, by which the platform groups issues and filters. */
export function logTo(console: Readonly<Record<"log" | "warn" | "error", (line: string) => void>>): Log {
  return (event, detail) => {
    const level = ERRORS.includes(event) ? "error" : INFORMATION.includes(event) ? "log" : "warn";
    console[level](JSON.stringify({ event, ...detail }));
  };
}
