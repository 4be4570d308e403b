/** A body too large to be buffered. It can be read once, and ends with an error if it is truncated. */
export interface LargeBody {
  /** Length of the whole body in bytes. */
  readonly length: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Declared length of a body; null when none is declared, or the declared length is that of the encoded body. */
export function declaredLength({ headers }: Request | Response): number | null {
  const text = headers.get("Content-Length");
  return text === null || headers.has("Content-Encoding") || !/^\d{1,15}$/.test(text) ? null : Number(text);
}

/** Share that one body has of the memory for all bodies under way. */
interface BodyReservation {
  readonly grow: (bytes: number) => void;
  readonly release: () => void;
}

/**
 * Memory of the bodies under way in one isolate. Above the limit the oldest body of the owner with the most bytes is
 * dropped. So no owner keeps others out, and an owner with few bytes loses nothing to one with many.
 */
export class BodyMemoryLimit {
  readonly #maxBytes: number;
  readonly #reservations = new Map<
    BodyReservation,
    { bytes: number; readonly owner: string; readonly drop: () => void }
  >();
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reserves memory for a body. `drop` is called at most once, when others need the memory. If all bodies have the same
   * owner, the oldest is dropped.
   */
  reserve(drop: () => void, owner = ""): BodyReservation {
    const reservation: BodyReservation = {
      grow: (bytes) => {
        const share = this.#reservations.get(reservation);
        if (share === undefined) return;
        share.bytes += bytes;
        this.#usedBytes += bytes;
        while (this.#usedBytes > this.#maxBytes) this.#dropOne();
      },
      release: () => {
        this.#usedBytes -= this.#reservations.get(reservation)?.bytes ?? 0;
        this.#reservations.delete(reservation);
      },
    };
    this.#reservations.set(reservation, { bytes: 0, owner, drop });
    return reservation;
  }

  #dropOne(): void {
    const bytesOfOwner = new Map<string, number>();
    for (const { owner, bytes } of this.#reservations.values())
      bytesOfOwner.set(owner, (bytesOfOwner.get(owner) ?? 0) + bytes);
    const most = Math.max(...bytesOfOwner.values());
    for (const [reservation, { owner, bytes, drop }] of this.#reservations) {
      if (bytes === 0 || bytesOfOwner.get(owner) !== most) continue;
      reservation.release();
      drop();
      return;
    }
  }
}

/**
 * Collects a whole body in pieces; undefined when it exceeds `maxBytes`. Rejects when the connection breaks or the
 * signal aborts.
 */
export async function collect(
  message: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  grow: (bytes: number) => void,
): Promise<Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  const isComplete = await readChunksWithin(message, maxBytes, signal, (chunk) => {
    chunks.push(chunk);
    grow(chunk.byteLength);
    return true;
  });
  return isComplete ? chunks : undefined;
}

/**
 * Size of the first and of further reads: most bodies of unknown length are small. The runtime's own chunks of 4 KiB
 * cost six times as much processor time.
 */
const [FIRST_CHUNK_BYTES, CHUNK_BYTES] = [16_384, 65_536];

/**
 * Passes a body to `take` as it arrives, to its end or until `take` returns false. Returns false only when the body is
 * longer than `maxBytes`. Rejects when the connection breaks or the signal aborts.
 */
export async function readChunksWithin(
  { body }: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => boolean,
): Promise<boolean> {
  if (body === null) return true;
  const reader: ReadableStreamBYOBReader = body.getReader({ mode: "byob" });
  for (let length = 0, size = FIRST_CHUNK_BYTES; ; size = CHUNK_BYTES) {
    const chunk = await fill(reader, size, signal);
    length += chunk.byteLength;
    const isTooLong = length > maxBytes;
    const isWanted = !isTooLong && (chunk.byteLength === 0 || take(chunk));
    if (isWanted && chunk.byteLength < size) return true;
    if (isWanted) continue;
    await reader.cancel();
    return !isTooLong;
  }
}

/** Reads the next `size` bytes, or fewer when the body has ended. */
async function fill(reader: ReadableStreamBYOBReader, size: number, signal: AbortSignal): Promise<Uint8Array> {
  // The reader takes over the buffer, which empties every view of it, and returns it as a new buffer.
  let buffer = new ArrayBuffer(size);
  let end = 0;
  while (end < size) {
    const { done, value } = await withSignal(reader.read(new Uint8Array(buffer, end)), signal);
    if (value !== undefined) buffer = value.buffer;
    if (done) break;
    end += value?.byteLength ?? 0;
  }
  return new Uint8Array(buffer, 0, end);
}

/** Returns the result of the work, or rejects as soon as the signal aborts. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new Error("deadline"));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("deadline"));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Deflate inflates a byte to at most so many bytes. */
const MAX_INFLATION = 1_032;
/**
 * Most bytes to which one piece may inflate. Several requests take turns, and each may be a few pieces ahead of its
 * reader.
 */
const MAX_PIECE_INFLATED_BYTES = 1_048_576;

/**
 * Decodes a gzip body; undefined when it exceeds `maxBytes`, null when it is not gzip. Rejects when the signal aborts.
 * The runtime inflates each write as a whole. So a piece is written only after the last one's content was read and
 * counted, and pieces are so small that none inflates beyond a limit.
 */
export async function unzipped(
  chunks: readonly Uint8Array[],
  maxBytes: number,
  signal: AbortSignal,
  grow: (bytes: number) => void,
): Promise<Uint8Array[] | undefined | null> {
  const { readable, writable } = new DecompressionStream("gzip");
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  const inflated: Uint8Array[] = [];
  let remaining = maxBytes;
  const reading = async (): Promise<Uint8Array[] | undefined> => {
    for (;;) {
      const { done, value } = await withSignal(reader.read(), signal);
      if (done) return inflated;
      remaining -= value.byteLength;
      if (remaining < 0) return undefined;
      grow(value.byteLength);
      inflated.push(value);
    }
  };
  const writing = async (): Promise<void> => {
    for (const piece of piecesOf(
      chunks,
      Math.max(1, Math.floor(Math.min(maxBytes, MAX_PIECE_INFLATED_BYTES) / MAX_INFLATION)),
    )) {
      await writer.write(piece);
      for (let before = -1; remaining !== before; ) {
        if (remaining < 0 || signal.aborted) return;
        before = remaining;
        await turnOfRuntime();
      }
    }
    await writer.close();
  };
  try {
    const read = reading();
    await Promise.race([read, writing()]);
    return await read;
  } catch {
    if (signal.aborted) throw new Error("dropped");
    return null;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function* piecesOf(chunks: readonly Uint8Array[], bytes: number): Generator<Uint8Array> {
  for (const chunk of chunks)
    for (let begin = 0; begin < chunk.length; begin += bytes) yield chunk.subarray(begin, begin + bytes);
}

/**
 * Resolves after every read of a stream that can resolve now. A timer of 0 ms has the same effect, but takes ten times
 * as long.
 */
async function turnOfRuntime(): Promise<void> {
  await new Response("-").arrayBuffer();
}

/** Streams the pieces; the stream breaks off when other bodies need the memory. */
export function streamOf(
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
  end: () => void,
): ReadableStream<Uint8Array> {
  const remaining = [...chunks];
  return new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      if (signal.aborted) throw new Error("dropped");
      const chunk = remaining.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      end();
      controller.close();
      // A reader that brought its own buffer waits for this call (Streams Standard, readable byte stream controller).
      controller.byobRequest?.respond(0);
    },
    cancel: end,
  });
}
