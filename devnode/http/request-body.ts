import { essenceOf, JSON_TYPE, MAX_BODY_BYTES } from "../../src/chain/media-types.ts";
import { isError, type NodeError, refuseRequest } from "./node-error.ts";

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bcs"; readonly bytes: Uint8Array };

/** The value of a body that can only be JSON, because its endpoint takes nothing else. */
export function jsonOf(body: Body): unknown {
  return body.kind === "json" ? body.value : undefined;
}

/**
 * Reads a request's body as JSON, or as BCS where `bcsTypes` lists its media types. The order of refusals is the
 * node's: no declared length 411, too long 413, media type 415, not JSON 400.
 */
export async function readBody(request: Request, bcsTypes: readonly string[]): Promise<Body | NodeError> {
  const kind = mediaKind(request.headers.get("Content-Type"), bcsTypes);
  if (isError(kind)) return kind;
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > MAX_BODY_BYTES) return refuseRequest(413, "payload too large");
  return kind === "bcs" ? { kind: "bcs", bytes } : parseJson(bytes);
}

/** Whether a POST may be read at all: its length must be declared and small enough. Holds for every path. */
export function lengthRefusal(request: Request): NodeError | undefined {
  const declared = request.headers.get("Content-Length");
  if (declared === null || !/^[0-9]+$/.test(declared)) {
    return refuseRequest(411, "missing `Content-Length` header");
  }
  return Number(declared) > MAX_BODY_BYTES ? refuseRequest(413, "payload too large") : undefined;
}

/** Reads on what a refusal left unread: a sender in the middle of its body would see a broken connection, not the answer. */
export async function discardBody({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  const reader = body.getReader();
  for (let left = MOST_DISCARDED_BYTES; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.byteLength;
  }
  await reader.cancel();
}

const MOST_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

function mediaKind(contentType: string | null, bcsTypes: readonly string[]): Body["kind"] | NodeError {
  if (contentType === null) {
    return refuseRequest(415, "the client request does not include the `Content-Type` header");
  }
  const essence = essenceOf(contentType);
  if (essence === JSON_TYPE) return "json";
  if (bcsTypes.includes(essence)) return "bcs";
  return refuseRequest(415, `the \`Content-Type\` requested by the client is not supported: ${contentType}`);
}

function parseJson(bytes: Uint8Array): Body | NodeError {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unreadable("invalid unicode code point at line 1 column 1");
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value };
  } catch (cause) {
    return unreadable(whereItBroke(text, cause));
  }
}

/** A body that is not JSON, or not of the documented shape. */
export function unreadable(why: string): NodeError {
  return refuseRequest(400, `parse request payload error: ${why}`);
}

/** Line and column, as the node counts them, where the runtime tells an offset: it does so for long texts only. */
function whereItBroke(text: string, cause: unknown): string {
  const lines = text.split("\n");
  const offset = /position (\d+)/.exec(String(cause))?.[1];
  if (text.trim() === "" || /end of JSON|Unterminated/.test(String(cause)) || Number(offset) >= text.length) {
    return `EOF while parsing a value at line ${lines.length} column ${lines.at(-1)?.length ?? 0}`;
  }
  if (/^[^\s"[{0-9tfn-]/.test(text)) return "expected value at line 1 column 1";
  if (offset === undefined) return "expected value";
  const before = text.slice(0, Number(offset)).split("\n");
  return `expected value at line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1}`;
}
