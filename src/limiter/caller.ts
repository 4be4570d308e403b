import type { Caller } from "./decision.ts";

/** Reads the caller from the front's own header. */
export function callerOf(request: Request, header: string): Caller {
  return { key: request.headers.get(header) ?? "missing", region: "default" };
}
