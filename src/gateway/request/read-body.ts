import { MAX_BODY_BYTES } from "../../chain/media-types.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { ByteBudget } from "../byte-budget.ts";
import type { Endpoint } from "./endpoints.ts";
import { incompleteBody, lengthRequired, tooLarge } from "./node-errors.ts";

/** Bodies of reads are small: a table key or view arguments. Transactions may publish code. */
const MAX_READ_BODY_BYTES = 1_048_576;

/** The maximum body size of an endpoint, in bytes. */
export function maxBodyBytes({ body }: Pick<Endpoint, "body">): number {
  return body === "transaction" || body === "json" ? MAX_BODY_BYTES : MAX_READ_BODY_BYTES;
}

/** Reads the whole body of a request under a deadline and a memory budget; with 0 bytes allowed, drops it. */
export type ReadBody = (request: Request, maxBytes: number) => Promise<Uint8Array | NodeFailure>;

/** What bounds the reading of a body besides its size. */
export interface BodyLimits {
  /** Aborts at the deadline, or when the sender disconnects. */
  readonly signal: AbortSignal;
  /** Shared by all large bodies that are being read. */
  readonly largeBodies: ByteBudget;
  /** Runs `then` after so many milliseconds unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
}

/** The whole body of a request, at most `maxBytes`. As on the node, a declared length is required. */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
  limits: BodyLimits,
): Promise<Uint8Array | NodeFailure> {
  const declared = request.headers.get("Content-Length");
  if (declared === null && (request.body === null || request.headers.has("Transfer-Encoding")))
    return discardBody(request, limits.signal, lengthRequired());
  if (declared !== null && Number(declared) > maxBytes) return discardBody(request, limits.signal, tooLarge(maxBytes));
  try {
    return (await readWithinBudget(request, maxBytes, limits)) ?? tooLarge(maxBytes);
  } catch {
    // The caller disconnected or was too slow: there is nothing to log.
    return incompleteBody();
  }
}

/** Reads to the end and drops it: a client that still sends when its response ends sees a broken connection instead. */
async function discardBody(request: Request, signal: AbortSignal, failure: NodeFailure): Promise<NodeFailure> {
  await request.body?.pipeTo(new WritableStream(), { signal }).catch(() => undefined);
  return failure;
}

const RESERVE_POLL_MS = 25;

/** A whole body in pieces, and its share of the memory that large bodies have. */
export interface CollectedBody {
  readonly chunks: readonly Uint8Array[];
  readonly length: number;
  /** To be called once, when the pieces are no longer in use. */
  readonly release: () => void;
}

/** The whole body as one array; undefined when it exceeds `maxBytes`. See {@link collectWithinBudget}. */
async function readWithinBudget(
  message: Request | Response,
  maxBytes: number,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  const body = await collectWithinBudget(message, maxBytes, limits);
  if (body === undefined) return undefined;
  body.release();
  return concatBytes(body.chunks, body.length);
}

/** Larger bodies need a reservation: several at once would fill the isolate's memory. */
const LARGE_BYTES = 262_144;

/**
 * Reads a whole body; undefined when it exceeds `maxBytes`. Before a body becomes large it waits until the shared memory
 * has room for all of it, so that backpressure holds the sender. Rejects when the connection breaks or the signal aborts.
 */
export async function collectWithinBudget(
  message: Request | Response,
  maxBytes: number,
  { signal, largeBodies, after }: BodyLimits,
): Promise<CollectedBody | undefined> {
  const bytes = Math.min(declaredLength(message) ?? maxBytes, maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let reserved = 0;
  const release = (): void => largeBodies.add(-reserved);
  const take = async (chunk: Uint8Array): Promise<boolean> => {
    chunks.push(chunk);
    length += chunk.byteLength;
    while (length > LARGE_BYTES && reserved === 0 && !signal.aborted) {
      if (largeBodies.tryReserve(bytes)) reserved = bytes;
      else await new Promise<void>((resolve) => after(RESERVE_POLL_MS, resolve));
    }
    return true;
  };
  try {
    if (await readChunks(message, maxBytes, signal, take)) return { chunks, length, release };
  } catch (cause) {
    release();
    throw cause;
  }
  release();
  return undefined;
}

/** Null when it is not declared, or not that of the decoded body. */
export function declaredLength({ headers }: Request | Response): number | null {
  const text = headers.get("Content-Length");
  return text === null || headers.has("Content-Encoding") || !/^\d{1,15}$/.test(text) ? null : Number(text);
}

/**
 * Passes a body to `take` as it arrives, to its end or until `take` returns false. False when it is longer than
 * `maxBytes`. Rejects when the connection breaks or the signal aborts.
 */
export async function readChunks(
  message: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => boolean | Promise<boolean>,
): Promise<boolean> {
  if (message.body === null) return true;
  const reader: ReadableStreamDefaultReader<Uint8Array> = message.body.getReader();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("deadline")), { once: true });
  });
  let length = 0;
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), aborted]);
    if (done) return true;
    length += value.byteLength;
    const isTooLong = length > maxBytes;
    if (!isTooLong && (await Promise.race([take(value), aborted]))) continue;
    await reader.cancel();
    return !isTooLong;
  }
}

/** The pieces as one array. */
export function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
