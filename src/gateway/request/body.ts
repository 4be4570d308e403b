import { concatBytes } from "../../chain/bytes.ts";
import type { Endpoint } from "../../chain/endpoints.ts";
import { MAX_BODY_BYTES } from "../../chain/media-types.ts";
import { type BodyMemoryLimit, collect, declaredLength, type LargeBody, unzipped } from "../../http/body.ts";
import type { NodeFailure } from "../../http/failure.ts";
import {
  badRequest,
  INCOMPLETE_BODY,
  LENGTH_REQUIRED,
  TOO_MANY_BODIES,
  tooLarge,
  wrongEncoding,
} from "./node-errors.ts";

/** Largest body of a read: a table key or view arguments. Transactions may be larger, because they may publish code. */
const MAX_READ_BODY_BYTES = 1_048_576;
/**
 * Largest body that is buffered. A larger transaction is passed on as it arrives, so that no sender occupies the memory
 * that others need.
 */
const MAX_BUFFERED_BYTES = 262_144;

/** Maximum body size of an endpoint. */
export function maxBodyBytes({ mode }: Pick<Endpoint, "mode">): number {
  return mode === "read" ? MAX_READ_BODY_BYTES : MAX_BODY_BYTES;
}

/** Sender of a body. */
export interface BodySender {
  /** Key of the caller. When memory is short, the caller with the most bytes loses a body. */
  readonly key: string;
  /** Signal that aborts when the limiter refuses the request. */
  readonly refused?: AbortSignal;
}

/** Reads the body of a request under a deadline; with 0 bytes allowed, drops it. */
export type ReadBody = (
  request: Request,
  maxBytes: number,
  sender: BodySender,
) => Promise<Uint8Array | LargeBody | NodeFailure>;

/**
 * Reads and decodes the body of a request. A body without a declared length is buffered and counted as it arrives, up
 * to the buffer's limit, and the node gets its length. The signal aborts at the deadline.
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
  key: string,
  memory: BodyMemoryLimit,
  deadline: AbortController,
): ReturnType<ReadBody> {
  const declared = declaredLength(request);
  const { body, headers } = request;
  const encoding = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  const isGzip = encoding === "gzip" || encoding === "x-gzip";
  const isUnknown = !isGzip && encoding !== "" && encoding !== "identity";
  const mayStream = maxBytes > MAX_READ_BODY_BYTES;
  const isUndeclared = declared === null && mayStream && headers.has("Transfer-Encoding");
  const isAbsent = declared === null && body === null;
  // Reads the body to its end, because a client that is still sending when its response ends sees a broken connection
  // instead.
  const drop = (): Promise<unknown> =>
    body?.pipeTo(new WritableStream(), { signal: deadline.signal }).catch(() => undefined) ?? Promise.resolve();
  if (maxBytes === 0 || isAbsent || isUnknown || (declared !== null && declared > maxBytes)) {
    await drop();
    return isAbsent ? LENGTH_REQUIRED : isUnknown ? wrongEncoding(encoding) : tooLarge(maxBytes);
  }
  if (mayStream && body !== null && declared !== null && declared > MAX_BUFFERED_BYTES)
    return { length: declared, stream: body };
  const reservation = memory.reserve(() => deadline.abort(TOO_MANY_BODIES), key);
  try {
    const sent = await collect(
      request,
      isUndeclared ? MAX_BUFFERED_BYTES : maxBytes,
      deadline.signal,
      reservation.grow,
    );
    if (sent === undefined && isUndeclared) return LENGTH_REQUIRED;
    const chunks =
      isGzip && sent !== undefined ? await unzipped(sent, maxBytes, deadline.signal, reservation.grow) : sent;
    if (chunks === null) return badRequest("parse request payload error: corrupt gzip stream");
    return chunks === undefined ? tooLarge(maxBytes) : concatBytes(chunks);
  } catch {
    // The caller disconnected, was too slow or sent too much at once, so there is nothing to log.
    return deadline.signal.reason === TOO_MANY_BODIES ? TOO_MANY_BODIES : INCOMPLETE_BODY;
  } finally {
    reservation.release();
  }
}
