/** A server is left alone for as long as it says, but no longer. */
const MAX_REST_MS = 60_000;

/** What `Retry-After` asks for, in seconds or until a time (RFC 9110 section 10.2.3); null when it asks for nothing. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = headers.get("Retry-After")?.trim() ?? "";
  const restMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return restMs > 0 ? Math.min(restMs, MAX_REST_MS) : null;
}
