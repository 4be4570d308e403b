import type { Log } from "../../log.ts";
import type { Region } from "../../placement/location-hint.ts";
import type { CachedResponse } from "../node-types.ts";
import { sharedSeconds } from "./freshness.ts";
import { deserializeResponse, serializeResponse } from "./serialize.ts";

export interface DataCentrePorts {
  readonly cache: Pick<Cache, "match" | "put">;
  /** Of the deployment's settings: responses of other upstreams are never found. */
  readonly salt: string;
  /** Null before the first request. */
  readonly place: () => Place | null;
  readonly now: () => number;
  readonly log: Log;
}

/** Where an isolate is: the deployment's own origin, and the region of its first caller. */
export interface Place {
  readonly origin: string;
  readonly region: Region;
}

/**
 * Path of cached responses in the data centre's cache, under the deployment's own origin: entries of other hosts are
 * never found. The path matches no route.
 */
const CACHE_PATH = "/__values/";

const HEAD_FIELD = "X-Value";

/** The data centre's cache. Look-ups never carry the caller's headers; any failure is a miss. */
export function dataCentreCache({ cache, salt, place, now, log }: DataCentrePorts) {
  const requestFor = (own: string, key: string): Request =>
    new Request(`${own}${CACHE_PATH}${salt}${encodeURIComponent(key)}`);
  return {
    cached: async (key: string): Promise<CachedResponse | undefined> => {
      const own = place()?.origin;
      if (own === undefined) return undefined;
      try {
        const found = await cache.match(requestFor(own, key));
        const head = found?.headers.get(HEAD_FIELD);
        if (found === undefined || head === null || head === undefined) return undefined;
        return deserializeResponse({ head: decodeURIComponent(head), body: new Uint8Array(await found.arrayBuffer()) });
      } catch (cause) {
        log("cache_error", { cause: String(cause) });
        return undefined;
      }
    },
    cache: async (key: string, value: CachedResponse): Promise<void> => {
      const own = place()?.origin;
      if (own === undefined) return;
      const { head, body } = serializeResponse(value);
      const fields = {
        "Cache-Control": `public, max-age=${sharedSeconds(value)}`,
        [HEAD_FIELD]: encodeURIComponent(head),
      };
      try {
        await cache.put(requestFor(own, key), new Response(body, { headers: fields }));
      } catch (cause) {
        log("cache_error", { cause: String(cause) });
      }
    },
    claim: async (name: string, milliseconds: number): Promise<boolean> => {
      const own = place()?.origin;
      if (own === undefined) return true;
      try {
        const claimed = await cache.match(requestFor(own, name));
        const sinceMs = claimed === undefined ? Number.POSITIVE_INFINITY : now() - Number(await claimed.text());
        if (sinceMs < milliseconds) return false;
        const fields = { "Cache-Control": `public, max-age=${Math.ceil(milliseconds / 1_000)}` };
        await cache.put(requestFor(own, name), new Response(String(now()), { headers: fields }));
      } catch (cause) {
        log("cache_error", { cause: String(cause) });
      }
      return true;
    },
  };
}
