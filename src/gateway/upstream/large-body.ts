import type { LargeBody, NodeResponse } from "../node-types.ts";
import { declaredLength, joinChunks, withSignal } from "../request/byte-stream.ts";
import { type BodyLimits, collectWithinBudget } from "../request/read-body.ts";

export const MAX_RESPONSE_BYTES = 8 * 1_048_576;
/** Larger bodies are passed on as they arrive: not parsed, not cached, not shared between requests. */
export const MAX_BUFFERED_BYTES = 1_048_576;
const CHUNK_BYTES = 65_536;
/** The upstream must send the next bytes of a large body within this time after they are requested. */
const IDLE_MS = 10_000;
/** The caller must have read a large body within this time; less for one that takes up memory meanwhile. */
const [MAX_STREAMED_MS, MAX_BUFFERED_MS] = [120_000, 30_000];

/** The first byte is enough to classify a body that is too large to be parsed. */
export type ReceivedBody = Pick<NodeResponse, "body" | "large">;

export interface ReceiveLimits extends BodyLimits {
  /** Ends the exchange with the upstream. */
  readonly abort: () => void;
}

/**
 * Receives the body of a response. One that is declared to be large is passed on while it arrives; a caller can only
 * detect a truncated body by its declared length, so a large one without it is read to its end first. Null when it
 * exceeds the maximum. Rejects when the connection breaks or the signal aborts.
 */
export async function receiveBody(message: Response, limits: ReceiveLimits): Promise<ReceivedBody | null> {
  const declared = declaredLength(message);
  if (declared !== null && declared > MAX_RESPONSE_BYTES) {
    await message.body?.cancel();
    return null;
  }
  if (declared !== null && declared > MAX_BUFFERED_BYTES && message.body !== null)
    return passOn(message.body, declared, limits);
  const collected = await collectWithinBudget(message, MAX_RESPONSE_BYTES, limits);
  if (collected === undefined) return null;
  const { chunks, length, release } = collected;
  if (length > MAX_BUFFERED_BYTES) {
    const left = [...chunks];
    const next = async () => left.shift() ?? null;
    return large(chunks[0] ?? new Uint8Array(), { length, stream: streamOf(next, release, limits, MAX_BUFFERED_MS) });
  }
  release();
  return { body: joinChunks(chunks) };
}

/** The stream ends with an error when fewer bytes come than were declared, or none for a while. */
async function passOn(body: ReadableStream, length: number, limits: ReceiveLimits): Promise<ReceivedBody> {
  const reader: ReadableStreamBYOBReader = body.getReader({ mode: "byob" });
  let left = length;
  const read = async (): Promise<Uint8Array | null> => {
    if (left === 0) return null;
    const { done, value } = await reader.read(new Uint8Array(Math.min(CHUNK_BYTES, left)));
    if (done || value === undefined) throw new Error("truncated");
    left -= value.byteLength;
    return value;
  };
  const first = await withSignal(read(), limits.signal);
  if (first === null) throw new Error("empty");
  const start = first.slice(0, 1);
  let unread: Uint8Array | null = first;
  const next = async (): Promise<Uint8Array | null> => {
    const chunk = unread;
    unread = null;
    if (chunk !== null) return chunk;
    const stop = limits.after(IDLE_MS, limits.abort);
    return withSignal(read(), limits.signal).finally(stop);
  };
  return large(start, { length, stream: streamOf(next, limits.abort, limits, MAX_STREAMED_MS) });
}

function large(start: Uint8Array, body: LargeBody): ReceivedBody {
  return { body: start.slice(0, 1), large: body };
}

/** A byte stream of what `next` returns, until that is null. `end` is called once, however it ends. */
function streamOf(
  next: () => Promise<Uint8Array | null>,
  end: () => void,
  { after }: ReceiveLimits,
  maxMs: number,
): ReadableStream<Uint8Array> {
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    stop();
    end();
  };
  const stop = after(maxMs, finish);
  return new ReadableStream({
    type: "bytes",
    pull: async (controller) => {
      try {
        const chunk = isOver ? null : await next();
        if (isOver) throw new Error("the response was not read in time");
        if (chunk !== null) return controller.enqueue(chunk);
      } catch (cause) {
        finish();
        throw cause;
      }
      finish();
      controller.close();
      // A reader that brought its own buffer waits for it (Streams Standard, readable byte stream controller).
      controller.byobRequest?.respond(0);
    },
    cancel: finish,
  });
}
