import type { Handler } from "../http/reply.ts";

/** What the supply paths answer, by path. */
export function supplyHandlers(): Record<string, Handler> {
  return {};
}
