import { JSON_TYPE } from "../chain/media-types.ts";
import type { Config } from "../config.ts";
import type { Failure } from "../http/failure.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { CallFaucet } from "./faucet.ts";
import type { NodeRouteOptions } from "./handlers.ts";
import type { FetchListing } from "./ports.ts";
import { readChunks } from "./request/byte-stream.ts";
import { type ReadBody, readRequestBody } from "./request/read-body.ts";
import { type LabelledSender, upstreamSenders, userAgentOf } from "./upstream/senders.ts";

/** Bindings through which upstreams are reached. */
export interface NodeBindings {
  /** The embedded node; undefined where there is none. */
  readonly NODE?: Fetcher;
  readonly NODE_API_KEY?: string;
}

/** Memory for large upstream bodies while they are read. */
const LARGE_BODIES = new ByteBudget(24 * 1_048_576);

export function now(): number {
  return Date.now();
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds);
  return () => clearTimeout(timer);
}

/** The result, or `fallback` when the work fails or takes too long. */
export async function within<T>(milliseconds: number, work: PromiseLike<T>, fallback: T): Promise<T> {
  let cancel = (): void => undefined;
  const late = new Promise<T>((resolve) => {
    cancel = after(milliseconds, () => resolve(fallback));
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return fallback;
  } finally {
    cancel();
  }
}

/** Senders for the configured upstreams, in the operator's order. */
export function sendersOf({ NODE, NODE_API_KEY }: NodeBindings, config: Config): LabelledSender[] {
  return upstreamSenders({
    nodeUrls: config.nodeUrls,
    apiKey: NODE_API_KEY,
    fetchUrl: (url, init) => fetch(url, init),
    fetchEmbedded: NODE === undefined ? undefined : (url, init) => NODE.fetch(url, { ...init }),
    after,
    largeBodies: LARGE_BODIES,
    userAgent: userAgentOf(config),
  });
}

/** One request to the embedded node; null where there is none. */
export function embeddedNode({ NODE }: NodeBindings): CallFaucet | null {
  return NODE === undefined ? null : (path, init) => NODE.fetch(`http://node${path}`, init);
}

export function dataCentre(): Cache {
  return caches.default;
}

/** With a declared length, because without one the runtime ends the response normally when its stream fails. */
export const passOn: NodeRouteOptions["passOn"] = ({ length, stream }, waitUntil) => {
  const { readable, writable } = new FixedLengthStream(length);
  // The caller sees the failure as a broken connection.
  waitUntil(stream.pipeTo(writable).catch(() => undefined));
  return readable;
};

/** Large request bodies of one isolate share this much memory while they are read. */
const MAX_REQUEST_BODIES_BYTES = 16 * 1_048_576;
const REQUEST_BODY_DEADLINE_MS = 30_000;

export function bodyReader(): ReadBody {
  const largeBodies = new ByteBudget(MAX_REQUEST_BODIES_BYTES);
  return async (request, maxBytes) => {
    const deadline = new AbortController();
    const cancel = after(REQUEST_BODY_DEADLINE_MS, () => deadline.abort());
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      return await readRequestBody(request, maxBytes, { signal, largeBodies, after });
    } finally {
      cancel();
    }
  };
}

export async function fetchListing(
  { NODE }: NodeBindings,
  userAgent: string,
  ...[source, { deadlineMs, maxBytes }, take]: Parameters<FetchListing>
): ReturnType<FetchListing> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  const down: Failure = { kind: "unavailable", message: "The listing does not answer.", retryAfterSeconds: 60 };
  const init = {
    redirect: "manual",
    signal: abort.signal,
    headers: { Accept: JSON_TYPE, "User-Agent": userAgent },
  } as const;
  try {
    const response =
      source.kind === "url" ? await fetch(source.url, init) : await NODE?.fetch(`http://node${source.path}`, init);
    if (response === undefined) return down;
    const { status } = response;
    if (status !== 200) await response.body?.cancel();
    else if (!(await readChunks(response, maxBytes, abort.signal, take))) return down;
    return { kind: "answer", status };
  } catch {
    return down;
  } finally {
    clearTimeout(timer);
  }
}
