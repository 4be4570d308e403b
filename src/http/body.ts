/** A body too large to be buffered: it is read once, and ends with an error when it is truncated. */
export interface LargeBody {
  /** In bytes, of all of it. */
  readonly length: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Null when it is not declared, or not that of the decoded body. */
export function declaredLength({ headers }: Request | Response): number | null {
  const text = headers.get("Content-Length");
  return text === null || headers.has("Content-Encoding") || !/^\d{1,15}$/.test(text) ? null : Number(text);
}

/** One body's share of the memory that all bodies under way have. */
interface BodyRoom {
  readonly grow: (bytes: number) => void;
  readonly release: () => void;
}

/**
 * Memory of the bodies under way in one isolate. Above its bound the oldest body is dropped of the owner who holds most,
 * so that nobody keeps others out and whoever holds little loses nothing to one who holds much.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #rooms = new Map<BodyRoom, { bytes: number; readonly owner: string; readonly drop: () => void }>();
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `drop` is called at most once, when the memory is needed. Without owners the oldest body of all is dropped. */
  reserve(drop: () => void, owner = ""): BodyRoom {
    const room: BodyRoom = {
      grow: (bytes) => {
        const own = this.#rooms.get(room);
        if (own === undefined) return;
        own.bytes += bytes;
        this.#usedBytes += bytes;
        while (this.#usedBytes > this.#maxBytes) this.#dropOne();
      },
      release: () => {
        this.#usedBytes -= this.#rooms.get(room)?.bytes ?? 0;
        this.#rooms.delete(room);
      },
    };
    this.#rooms.set(room, { bytes: 0, owner, drop });
    return room;
  }

  #dropOne(): void {
    const held = new Map<string, number>();
    for (const { owner, bytes } of this.#rooms.values()) held.set(owner, (held.get(owner) ?? 0) + bytes);
    const most = Math.max(...held.values());
    for (const [room, { owner, bytes, drop }] of this.#rooms) {
      if (bytes === 0 || held.get(owner) !== most) continue;
      room.release();
      drop();
      return;
    }
  }
}

/** A whole body in pieces; undefined when it exceeds `maxBytes`. Rejects when it breaks off or the signal aborts. */
export async function collect(
  message: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  grow: (bytes: number) => void,
): Promise<Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  const isWhole = await readChunks(message, maxBytes, signal, (chunk) => {
    chunks.push(chunk);
    grow(chunk.byteLength);
    return true;
  });
  return isWhole ? chunks : undefined;
}

/** Most bodies of unknown length are small; the runtime's own chunks of 4 KiB cost six times as much processor time. */
const [FIRST_CHUNK_BYTES, CHUNK_BYTES] = [16_384, 65_536];

/**
 * Passes a body to `take` as it arrives, to its end or until `take` returns false. False when it is longer than
 * `maxBytes`. Rejects when the connection breaks or the signal aborts.
 */
export async function readChunks(
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

/** The next so many bytes, or fewer when the body has ended. */
async function fill(reader: ReadableStreamBYOBReader, size: number, signal: AbortSignal): Promise<Uint8Array> {
  // The reader takes the buffer, which empties every view of it, and returns it as another one.
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

/** The result of the work, or a rejection as soon as the signal aborts. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new Error("deadline"));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("deadline"));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Deflate never inflates to more than so many times its bytes. */
const MAX_INFLATION = 1_032;
/** What one piece may inflate to: requests at once take turns, and each may be a few pieces ahead of its reader. */
const MAX_PIECE_INFLATED_BYTES = 1_048_576;

/**
 * Decodes a body encoded with gzip; undefined when it exceeds `maxBytes`, null when it is no gzip. Rejects when the
 * signal aborts. The runtime inflates each write whole, so a piece is written once the content of the last one was read
 * and counted, and no piece inflates to more than a bound.
 */
export async function unzipped(
  chunks: readonly Uint8Array[],
  maxBytes: number,
  signal: AbortSignal,
  grow: (bytes: number) => void,
): Promise<Uint8Array[] | undefined | null> {
  const { readable, writable } = new DecompressionStream("gzip");
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  const found: Uint8Array[] = [];
  let left = maxBytes;
  const reading = async (): Promise<Uint8Array[] | undefined> => {
    for (;;) {
      const { done, value } = await withSignal(reader.read(), signal);
      if (done) return found;
      left -= value.byteLength;
      if (left < 0) return undefined;
      grow(value.byteLength);
      found.push(value);
    }
  };
  const writing = async (): Promise<void> => {
    for (const piece of piecesOf(
      chunks,
      Math.max(1, Math.floor(Math.min(maxBytes, MAX_PIECE_INFLATED_BYTES) / MAX_INFLATION)),
    )) {
      await writer.write(piece);
      for (let before = -1; left !== before; ) {
        if (left < 0 || signal.aborted) return;
        before = left;
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

/** Resolves after every read of a stream that can resolve now. A timer of 0 does too, ten times as slowly. */
async function turnOfRuntime(): Promise<void> {
  await new Response("-").arrayBuffer();
}

/** The pieces as a stream of bytes, which breaks off when others need their memory. */
export function streamOf(
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
  end: () => void,
): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      if (signal.aborted) throw new Error("dropped");
      const chunk = left.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      end();
      controller.close();
      // A reader that brought its own buffer waits for it (Streams Standard, readable byte stream controller).
      controller.byobRequest?.respond(0);
    },
    cancel: end,
  });
}
