import { type Config, userAgentOf } from "../config.ts";
import { BodyMemory, type LargeBody } from "../http/body.ts";
import type { CallFaucet } from "./faucet.ts";
import { type ReadBody, readRequestBody } from "./request/body.ts";
import type { SendPorts } from "./upstream/client.ts";
import { type Sender, sendersFor } from "./upstream/client.ts";

/** Bindings through which upstreams are reached. */
export interface NodeBindings {
  /** The embedded node; undefined where there is none. */
  readonly NODE?: Fetcher;
  /** Keys of the upstreams in the order of `NODE_URLS`, separated by commas. A secret. */
  readonly NODE_API_KEY?: string;
}

/** All bodies that are under way in one isolate and not passed on as streams. */
const BODIES = new BodyMemory(32 * 1_048_576);

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

/** The configured upstreams, in the operator's order, and what calling them needs. */
export function sendersOf(
  { NODE, NODE_API_KEY = "" }: NodeBindings,
  config: Config,
): { readonly senders: Sender[]; readonly ports: SendPorts } {
  const ports = { after, memory: BODIES, withLength, userAgent: userAgentOf(config) };
  const senders = sendersFor({
    nodeUrls: config.nodeUrls,
    apiKeys: NODE_API_KEY.split(",").map((key) => key.trim()),
    fetchUrl: (url, init) => fetch(url, init),
    fetchEmbedded: NODE === undefined ? undefined : (url, init) => NODE.fetch(url, { ...init }),
  });
  return { senders, ports };
}

/** One request to the embedded node; null where there is none. */
export function embeddedNode({ NODE }: NodeBindings): CallFaucet | null {
  return NODE === undefined ? null : (path, init) => NODE.fetch(`http://node${path}`, init);
}

export function dataCentre(): Cache {
  return caches.default;
}

/**
 * With a declared length, because without one the runtime ends a message normally when its stream fails. The receiver
 * sees the failure as a broken connection.
 */
export function withLength({ length, stream }: LargeBody): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(length);
  stream.pipeTo(writable).catch(() => undefined);
  return readable;
}

const REQUEST_BODY_DEADLINE_MS = 30_000;

export const readBody: ReadBody = async (request, rule) => {
  const deadline = new AbortController();
  const drop = (): void => deadline.abort();
  const cancel = after(REQUEST_BODY_DEADLINE_MS, drop);
  request.signal.addEventListener("abort", drop, { once: true });
  try {
    return await readRequestBody(request, rule, BODIES, deadline);
  } finally {
    cancel();
    request.signal.removeEventListener("abort", drop);
  }
};
