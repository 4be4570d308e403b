import { after, now } from "../base/timers.ts";
import { type Config, userAgentOf } from "../config.ts";
import { BodyMemoryLimit, type LargeBody } from "../http/body.ts";
import { type ReadBody, readRequestBody } from "./request/body.ts";
import { type Exchange, exchangeOver, type Sender, sendersFor, type Transport } from "./upstream/client.ts";

/** Bindings through which upstreams are reached. */
export interface EmbeddedNodeBinding {
  /** The embedded node; undefined where there is none. */
  readonly NODE?: Fetcher;
}

/** Memory of buffered bodies under way in one isolate: of upstreams' responses, and of callers' uploads. */
const RESPONSES = new BodyMemoryLimit(16 * 1_048_576);
const UPLOADS = new BodyMemoryLimit(16 * 1_048_576);

/** Upstreams of a chain. */
export interface Upstreams {
  readonly senders: Sender[];
  readonly send: Exchange;
}

/**
 * Returns the configured upstreams in the operator's order, and exchanges over the connections of the calling request.
 */
export function sendersOf({ NODE }: EmbeddedNodeBinding, config: Config): Upstreams {
  const fetchEmbedded: Transport | undefined =
    NODE === undefined ? undefined : (url, init) => NODE.fetch(url, { ...init });
  return upstreamsOf(sendersFor(config.chains[0], fetchUrl, fetchEmbedded), config);
}

/** The upstreams of each further chain of the token, by its id. A chain without upstreams is not read. */
export function furtherSendersOf(config: Config): ReadonlyMap<string, Upstreams> {
  const [, ...further] = config.chains;
  return new Map(
    further.map((each) => [each.chain.id, upstreamsOf(sendersFor(each, fetchUrl, undefined, each.chain.id), config)]),
  );
}

const fetchUrl: Transport = (url, init) => fetch(url, init);

function upstreamsOf(senders: Sender[], config: Config): Upstreams {
  return {
    senders,
    send: exchangeOver(senders, {
      after,
      now,
      memory: RESPONSES,
      withLength: withLengthAndDeadline,
      userAgent: userAgentOf(config),
    }),
  };
}

export function dataCentre(): Cache {
  return caches.default;
}

/** Time within which a large body must have passed through. */
const MAX_STREAMED_MS = 120_000;

/**
 * Streams a body with its declared length. Without a length, the runtime would end the message normally when the stream
 * fails; with one, the receiver sees a broken connection. A stream that lasts too long is ended. Its timer
 * belongs to the isolate, because a timer in an object would keep the object awake.
 */
export function withLengthAndDeadline({ length, stream }: LargeBody): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(length);
  const late = new AbortController();
  const cancel = after(MAX_STREAMED_MS, () => late.abort());
  stream
    .pipeTo(writable, { signal: late.signal })
    .catch(() => undefined)
    .finally(cancel);
  return readable;
}

const REQUEST_BODY_DEADLINE_MS = 30_000;

export const readBody: ReadBody = async (request, maxBytes, { key, refused }) => {
  const deadline = new AbortController();
  const drop = (): void => deadline.abort();
  const cancel = after(REQUEST_BODY_DEADLINE_MS, drop);
  for (const signal of [request.signal, refused]) signal?.addEventListener("abort", drop, { once: true });
  try {
    return await readRequestBody(request, maxBytes, key, UPLOADS, deadline);
  } finally {
    cancel();
    request.signal.removeEventListener("abort", drop);
  }
};
