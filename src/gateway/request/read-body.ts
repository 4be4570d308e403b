import { MAX_BODY_BYTES } from "../../chain/media-types.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { readAtMost } from "../upstream/client.ts";
import { incompleteBody, lengthRequired, tooLarge } from "./node-errors.ts";

/** The whole body of a request. The node wants its length beforehand; so do we, of callers that stream. */
export async function readRequestBody(request: Request): Promise<Uint8Array | NodeFailure> {
  const declared = request.headers.get("Content-Length");
  if (declared === null && request.headers.has("Transfer-Encoding")) return refused(request, lengthRequired());
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) return refused(request, tooLarge());
  try {
    return (await readAtMost(request, MAX_BODY_BYTES, request.signal)) ?? tooLarge();
  } catch {
    // The caller hung up: nobody reads this answer, and it is no fault of ours to log.
    return incompleteBody();
  }
}

/** Read to its end and forgotten: a caller that still sends when it is answered sees a broken connection instead. */
async function refused(request: Request, failure: NodeFailure): Promise<NodeFailure> {
  await request.body?.pipeTo(new WritableStream()).catch(() => undefined);
  return failure;
}
