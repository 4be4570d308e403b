import { concatBytes } from "../../chain/bytes.ts";

/** Null when it is not declared, or not that of the decoded body. */
export function declaredLength({ headers }: Request | Response): number | null {
  const text = headers.get("Content-Length");
  return text === null || headers.has("Content-Encoding") || !/^\d{1,15}$/.test(text) ? null : Number(text);
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
  take: (chunk: Uint8Array) => boolean | Promise<boolean>,
): Promise<boolean> {
  if (body === null) return true;
  const reader: ReadableStreamBYOBReader = body.getReader({ mode: "byob" });
  for (let length = 0, size = FIRST_CHUNK_BYTES; ; size = CHUNK_BYTES) {
    const chunk = await fill(reader, new Uint8Array(size), 0, signal);
    length += chunk.byteLength;
    const isTooLong = length > maxBytes;
    const isWanted = !isTooLong && (chunk.byteLength === 0 || (await withSignal(take(chunk), signal)));
    if (isWanted && chunk.byteLength < size) return true;
    if (isWanted) continue;
    await reader.cancel();
    return !isTooLong;
  }
}

/** Reads into `room` from `start` on. Returns the filled part: all of it unless the body has ended. */
export async function fill(
  reader: ReadableStreamBYOBReader,
  room: Uint8Array<ArrayBuffer>,
  start: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  // The reader takes the buffer, which empties every view of it, and returns it as another one.
  let { buffer } = room;
  const size = room.length;
  let end = start;
  while (end < size) {
    const { done, value } = await withSignal(reader.read(new Uint8Array(buffer, end)), signal);
    if (value !== undefined) buffer = value.buffer;
    if (done) break;
    end += value?.byteLength ?? 0;
  }
  return new Uint8Array(buffer, 0, end);
}

/** The result of the work, or a rejection as soon as the signal aborts. */
export function withSignal<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new Error("deadline"));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("deadline"));
    signal.addEventListener("abort", onAbort, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The pieces as one array, with a buffer of just its size. A single piece is not copied. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  const isWhole = only !== undefined && chunks.length === 1 && only.buffer.byteLength === only.byteLength;
  return isWhole ? only : concatBytes(chunks);
}
