import { isRecord, parseJson } from "../../json.ts";
import type { Log } from "../../log.ts";
import { BoundedMap } from "../../memo.ts";
import { deserializeLedger, serializeLedger } from "../model/ledger.ts";
import type { CachedResponse, Retention } from "../model/node-types.ts";

/** A cache of responses as its users see it. Contains values only, never a promise. */
export type ResponseMemory = Pick<BoundedMap<string, CachedResponse>, "get" | "set">;

/** Cost of a value besides its body: key, fields and map entry, rounded up generously. */
const OVERHEAD_BYTES = 1_024;

/** A byte-bounded LRU cache of responses. */
export function responseLru(maxBytes: number): BoundedMap<string, CachedResponse> {
  return new BoundedMap(maxBytes, (key, { body }) => body.byteLength + 2 * key.length + OVERHEAD_BYTES);
}

/** A namespace of a cache for one of several users, who share its bound. */
export function scopeOf(memory: ResponseMemory, name: string): ResponseMemory {
  return {
    get: (key) => memory.get(`${name} ${key}`),
    set: (key, value) => memory.set(`${name} ${key}`, value),
  };
}

/** The data centre's cache (Cache API): may be slow or absent. Any failure is a miss. */
export interface SharedCache {
  readonly match: (key: string) => Promise<CachedResponse | undefined>;
  readonly put: (key: string, value: CachedResponse) => Promise<void>;
}

interface SharedCachePorts {
  readonly cache: Pick<Cache, "match" | "put">;
  /** Of the deployment's settings: responses of another chain are never found. */
  readonly salt: string;
  /** The deployment's own origin, so that entries of other hosts are never found; null before the first request. */
  readonly origin: () => string | null;
  readonly log: Log;
}

/** Matches no route. */
const CACHE_PATH = "/__values/";
const HEAD_FIELD = "X-Value";
/** A tip response is of no use for longer. */
const TIP_SECONDS = 1;

/** Look-ups never carry the caller's headers. */
export function sharedCache({ cache, salt, origin, log }: SharedCachePorts): SharedCache {
  const using = async <T>(key: string, work: (entry: Request) => Promise<T>): Promise<T | undefined> => {
    const own = origin();
    if (own === null) return undefined;
    try {
      return await work(new Request(`${own}${CACHE_PATH}${salt}${encodeURIComponent(key)}`));
    } catch (cause) {
      log("cache_error", { cause: String(cause) });
      return undefined;
    }
  };
  return {
    match: (key) =>
      using(key, async (entry) => {
        const found = await cache.match(entry);
        const head = found?.headers.get(HEAD_FIELD) ?? null;
        if (found === undefined || head === null) return undefined;
        return deserializeResponse(decodeURIComponent(head), new Uint8Array(await found.arrayBuffer()));
      }),
    put: async (key, value) => {
      await using(key, async (entry) => {
        const maxAge = value.retention === "until-tip" ? TIP_SECONDS : Math.ceil(value.seconds);
        const head = encodeURIComponent(serializeHead(value));
        const headers = { "Cache-Control": `public, max-age=${maxAge}`, [HEAD_FIELD]: head };
        await cache.put(entry, new Response(value.body, { headers }));
      });
    },
  };
}

/** Raised whenever the meaning of the line changes, so that older entries are ignored. */
const FORMAT_VERSION = 4;
const RETENTIONS: readonly Retention[] = ["immutable", "until-tip", "ttl", "no-store"];

/** Everything but the body, as one line of JSON. */
function serializeHead({ body: _body, ledger, point: _point, ...rest }: CachedResponse): string {
  return JSON.stringify({ form: FORMAT_VERSION, ...rest, ledger: ledger === null ? null : serializeLedger(ledger) });
}

/** Undefined for an entry of another format or a damaged one. */
function deserializeResponse(head: string, body: Uint8Array): CachedResponse | undefined {
  const fields = parseJson(head);
  if (!isRecord(fields) || fields["form"] !== FORMAT_VERSION) return undefined;
  const { status, contentType, etag, retention: text, seconds, storedAtMs, era, timeless, extras, ledger } = fields;
  const retention = RETENTIONS.find((known) => known === text);
  if (retention === undefined || typeof contentType !== "string" || typeof etag !== "string") return undefined;
  if (typeof status !== "number" || typeof seconds !== "number" || typeof storedAtMs !== "number") return undefined;
  if (typeof era !== "number" || typeof timeless !== "boolean" || !isTexts(extras)) return undefined;
  if (ledger !== null && !isRecord(ledger)) return undefined;
  const read = ledger === null ? null : deserializeLedger(ledger);
  const point = read === null ? null : { era, version: read.version };
  const value = { status, contentType, etag, retention, seconds, storedAtMs, era, timeless, extras };
  return { ...value, ledger: read, point, body };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === "string");
}
