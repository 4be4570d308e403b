/** Longest pause that a server's Retry-After can cause. */
const MAX_REST_MS = 60_000;

/**
 * Pause that `Retry-After` asks for, in seconds or until a time (RFC 9110 section 10.2.3); null when it asks for none.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = headers.get("Retry-After")?.trim() ?? "";
  const restMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return restMs > 0 ? Math.min(restMs, MAX_REST_MS) : null;
}
