import { parseStored, storedText } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { BoundedMap } from "../../base/memo.ts";
import type { CachedResponse } from "../model/node-types.ts";

/** A cache of responses as its users see it. Contains values only, never a promise. */
export type ResponseMemory = Pick<BoundedMap<string, CachedResponse>, "get" | "set">;

/** Cost of a value besides its body: key, fields and map entry, rounded up generously. */
const OVERHEAD_BYTES = 1_024;

/** Makes an LRU cache of responses that is bounded by bytes. */
export function responseLru(maxBytes: number): BoundedMap<string, CachedResponse> {
  return new BoundedMap(maxBytes, (key, { body }) => body.byteLength + 2 * key.length + OVERHEAD_BYTES);
}

/** Makes a namespace of a cache for one of several users, who share its bound. */
export function scopeOf(memory: ResponseMemory, name: string): ResponseMemory {
  return {
    get: (key) => memory.get(`${name} ${key}`),
    set: (key, value) => memory.set(`${name} ${key}`, value),
  };
}

/** Cache of the data centre (Cache API). It may be slow or absent; any failure is a miss. */
export interface SharedCache {
  readonly match: (key: string) => Promise<CachedResponse | undefined>;
  readonly put: (key: string, value: CachedResponse) => Promise<void>;
}

interface SharedCachePorts {
  readonly cache: Pick<Cache, "match" | "put">;
  /** Part of every key, from the deployment's settings, so that responses of another chain are never found. */
  readonly salt: string;
  /** Origin of the deployment, so that entries of other hosts are never found; null before the first request. */
  readonly origin: () => string | null;
  readonly log: Log;
}

/** Fields of an entry beside its body. */
type StoredHead = Omit<CachedResponse, "body"> & { readonly bytes: number };

/** Path of entries, which matches no route. Its number is raised when the form of an entry changes. */
const CACHE_PATH = "/__values/8/";
const HEAD_FIELD = "X-Value";
/** Longest time for which a response at the tip is of use. */
const TIP_SECONDS = 1;

/** Makes the cache. Look-ups never carry the caller's headers. */
export function sharedCache({ cache, salt, origin, log }: SharedCachePorts): SharedCache {
  const using = async <T>(key: string, work: (entry: Request) => Promise<T>): Promise<T | undefined> => {
    const host = origin();
    if (host === null) return undefined;
    try {
      return await work(new Request(`${host}${CACHE_PATH}${salt}${encodeURIComponent(key)}`));
    } catch (cause) {
      log("cache_error", { cause: String(cause) });
      return undefined;
    }
  };
  return {
    match: (key) =>
      using(key, async (entry) => {
        const response = await cache.match(entry);
        const head = response?.headers.get(HEAD_FIELD) ?? null;
        const stored = parseStored<StoredHead>(decodeURIComponent(head ?? ""));
        if (response === undefined || stored === undefined) return undefined;
        const { bytes, ...fields } = stored;
        const body = new Uint8Array(await response.arrayBuffer());
        // A truncated body, as from a process that was killed, counts as a miss.
        return body.byteLength === bytes ? { ...fields, body } : undefined;
      }),
    put: async (key, value) => {
      await using(key, async (entry) => {
        const maxAge = value.retention === "until-tip" ? TIP_SECONDS : Math.ceil(value.seconds);
        const { body, ...fields } = value;
        const head = encodeURIComponent(storedText({ ...fields, bytes: body.byteLength } satisfies StoredHead));
        const headers = { "Cache-Control": `public, max-age=${maxAge}`, [HEAD_FIELD]: head };
        await cache.put(entry, new Response(body, { headers }));
      });
    },
  };
}
