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

/** The data centre's cache; it may be slow or absent. Any failure is a miss. */
export interface DataCentreCache {
  readonly cached: (key: string) => Promise<CachedResponse | undefined>;
  readonly cache: (key: string, value: CachedResponse) => Promise<void>;
  /**
   * Claims a name for some time; false when another isolate of the data centre holds the claim, as far as its cache
   * knows.
   */
  readonly claim: (name: string, milliseconds: number) => Promise<boolean>;
}

/**
 * Path of cached responses in the data centre's cache, under the deployment's own origin: entries of other hosts are
 * never found. The path matches no route.
 */
const CACHE_PATH = "/__values/";

const HEAD_FIELD = "X-Value";

/** Look-ups never carry the caller's headers. */
export function dataCentreCache({ cache, salt, place, now, log }: DataCentrePorts): DataCentreCache {
  const using = async <T>(name: string, fallback: T, work: (entry: Request) => Promise<T>): Promise<T> => {
    const own = place()?.origin;
    if (own === undefined) return fallback;
    try {
      return await work(new Request(`${own}${CACHE_PATH}${salt}${encodeURIComponent(name)}`));
    } catch (cause) {
      log("cache_error", { cause: String(cause) });
      return fallback;
    }
  };
  return {
    cached: (key) =>
      using<CachedResponse | undefined>(key, undefined, async (entry) => {
        const found = await cache.match(entry);
        const head = found?.headers.get(HEAD_FIELD) ?? null;
        if (found === undefined || head === null) return undefined;
        return deserializeResponse({ head: decodeURIComponent(head), body: new Uint8Array(await found.arrayBuffer()) });
      }),
    cache: (key, value) =>
      using(key, undefined, async (entry) => {
        const { head, body } = serializeResponse(value);
        const maxAge = `public, max-age=${sharedSeconds(value)}`;
        const headers = { "Cache-Control": maxAge, [HEAD_FIELD]: encodeURIComponent(head) };
        await cache.put(entry, new Response(body, { headers }));
      }),
    claim: (name, milliseconds) =>
      using(name, true, async (entry) => {
        const claimed = await cache.match(entry);
        const sinceMs = claimed === undefined ? Number.POSITIVE_INFINITY : now() - Number(await claimed.text());
        if (sinceMs < milliseconds) return false;
        const headers = { "Cache-Control": `public, max-age=${Math.ceil(milliseconds / 1_000)}` };
        await cache.put(entry, new Response(String(now()), { headers }));
        return true;
      }),
  };
}
