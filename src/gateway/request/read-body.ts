import { MAX_BODY_BYTES } from "../../chain/media-types.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { ByteBudget } from "../byte-budget.ts";
import { declaredLength, fill, joinChunks, readChunks, withSignal } from "./byte-stream.ts";
import type { Endpoint } from "./endpoints.ts";
import { incompleteBody, lengthRequired, tooLarge } from "./node-errors.ts";

/** Bodies of reads are small: a table key or view arguments. Transactions may publish code. */
const MAX_READ_BODY_BYTES = 1_048_576;

/** The maximum body size of an endpoint, in bytes. */
export function maxBodyBytes({ body }: Pick<Endpoint, "body">): number {
  return body === "transaction" || body === "json" ? MAX_BODY_BYTES : MAX_READ_BODY_BYTES;
}

/** A request's whole body, and its share of the memory that large bodies have. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  /** To be called once, when the request is answered. */
  readonly release: () => void;
}

/** Reads the whole body of a request under a deadline and a memory budget; with 0 bytes allowed, drops it. */
export type ReadBody = (request: Request, maxBytes: number) => Promise<RequestBody | NodeFailure>;

/** The limits of reading a body, besides its size. */
export interface BodyLimits {
  /** Aborts at the deadline, or when the sender disconnects. */
  readonly signal: AbortSignal;
  /** Shared by all large bodies that are read or in use. */
  readonly largeBodies: ByteBudget;
  /** Runs `then` after so many milliseconds unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
}

/** The whole body of a request, at most `maxBytes`. As on the node, a declared length is required. */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
  limits: BodyLimits,
): Promise<RequestBody | NodeFailure> {
  const declared = request.headers.get("Content-Length");
  if (declared === null && (request.body === null || request.headers.has("Transfer-Encoding")))
    return discardBody(request, limits.signal, lengthRequired());
  if (declared !== null && Number(declared) > maxBytes) return discardBody(request, limits.signal, tooLarge(maxBytes));
  try {
    const body = await collectWithinBudget(request, maxBytes, limits);
    if (body === undefined) return tooLarge(maxBytes);
    return { bytes: joinChunks(body.chunks), release: body.release };
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

/** Larger bodies need a reservation: several at once would fill the isolate's memory. */
const LARGE_BYTES = 262_144;

/**
 * Reads a whole body; undefined when it exceeds `maxBytes`. Before a body becomes large it waits until the shared
 * memory has room for all of it, so that backpressure delays the sender. Rejects when the connection breaks or the
 * signal aborts.
 */
export async function collectWithinBudget(
  message: Request | Response,
  maxBytes: number,
  limits: BodyLimits,
): Promise<CollectedBody | undefined> {
  const declared = declaredLength(message);
  const bytes = Math.min(declared ?? maxBytes, maxBytes);
  let reserved = 0;
  const release = (): void => limits.largeBodies.release(reserved);
  const reserve = async (): Promise<void> => {
    while (reserved === 0 && !limits.signal.aborted) {
      if (limits.largeBodies.tryReserve(bytes)) reserved = bytes;
      else await new Promise<void>((resolve) => limits.after(RESERVE_POLL_MS, resolve));
    }
  };
  try {
    const chunks =
      declared === null || declared > maxBytes
        ? await readPieces(message, maxBytes, limits.signal, reserve)
        : await readDeclared(message, declared, limits.signal, reserve);
    const length = chunks?.reduce((sum, chunk) => sum + chunk.byteLength, 0) ?? 0;
    if (chunks !== undefined) return { chunks, length, release };
  } catch (cause) {
    release();
    throw cause;
  }
  release();
  return undefined;
}

/**
 * In one buffer of that size, which is not allocated for a sender that only declares it. Undefined when it is longer.
 */
async function readDeclared(
  { body }: Request | Response,
  declared: number,
  signal: AbortSignal,
  reserve: () => Promise<void>,
): Promise<Uint8Array[] | undefined> {
  if (body === null) return [];
  const reader: ReadableStreamBYOBReader = body.getReader({ mode: "byob" });
  let whole = await fill(reader, new Uint8Array(Math.min(declared, LARGE_BYTES)), 0, signal);
  if (declared > LARGE_BYTES && whole.byteLength === LARGE_BYTES) {
    await withSignal(reserve(), signal);
    const room = new Uint8Array(declared);
    room.set(whole);
    whole = await fill(reader, room, LARGE_BYTES, signal);
  }
  const surplus = await fill(reader, new Uint8Array(1), 0, signal);
  if (surplus.byteLength === 0) return [whole];
  await reader.cancel();
  return undefined;
}

async function readPieces(
  message: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  reserve: () => Promise<void>,
): Promise<Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const isWhole = await readChunks(message, maxBytes, signal, async (chunk) => {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > LARGE_BYTES) await reserve();
    return true;
  });
  return isWhole ? chunks : undefined;
}
