import { MAX_BODY_BYTES } from "../../chain/media-types.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { Endpoint } from "./endpoints.ts";
import { incompleteBody, lengthRequired, tooLarge } from "./node-errors.ts";

/** Bodies of reads are small: a key of a table or the arguments of a view. Transactions may publish code. */
const MAX_READ_BODY_BYTES = 1_048_576;

/** The largest body that an endpoint takes, in bytes. */
export function maxBodyBytes({ body }: Pick<Endpoint, "body">): number {
  return body === "transaction" || body === "json" ? MAX_BODY_BYTES : MAX_READ_BODY_BYTES;
}

/** The whole body of a request, at most `maxBytes`. As the node, it requires a declared length. */
export async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array | NodeFailure> {
  const declared = request.headers.get("Content-Length");
  if (declared === null && (request.body === null || request.headers.has("Transfer-Encoding")))
    return discardBody(request, lengthRequired());
  if (declared !== null && Number(declared) > maxBytes) return discardBody(request, tooLarge(maxBytes));
  try {
    return (await readBounded(request, maxBytes, request.signal)) ?? tooLarge(maxBytes);
  } catch {
    // The caller hung up: nobody reads this answer, and there is nothing to log.
    return incompleteBody();
  }
}

/** Reads to the end and drops it: a caller that is answered while it still sends sees a broken connection instead. */
async function discardBody(request: Request, failure: NodeFailure): Promise<NodeFailure> {
  await request.body?.pipeTo(new WritableStream()).catch(() => undefined);
  return failure;
}

/** Above this a body is large: several at once would fill the isolate's memory. */
const LARGE_BYTES = 262_144;

/**
 * Undefined when it is longer than `maxBytes`. Rejects when the connection breaks or the signal fires. Before a body
 * becomes large `reserve` is awaited, and the sender with it.
 */
export async function readBounded(
  message: Request | Response,
  maxBytes: number,
  signal: AbortSignal,
  reserve: () => Promise<void> = async () => undefined,
): Promise<Uint8Array | undefined> {
  if (message.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = message.body.getReader();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("deadline")), { once: true });
  });
  const chunks: Uint8Array[] = [];
  let isReserved = false;
  let length = 0;
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), aborted]);
    if (done) return concatBytes(chunks, length);
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
    if (length <= LARGE_BYTES || isReserved) continue;
    isReserved = true;
    await Promise.race([reserve(), aborted]);
  }
}

function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
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
