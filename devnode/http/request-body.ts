import { repeatedKeys } from "../../src/base/json.ts";
import { essenceOf, JSON_TYPE, MAX_BODY_BYTES } from "../../src/chain/media-types.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";
import type { Read } from "../codec/json-request.ts";
import { isError, type NodeError, refuse, refuseRequest } from "./node-error.ts";

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bcs"; readonly bytes: Uint8Array };

/** The value of a body whose endpoint accepts JSON only. */
export function jsonOf(body: Body): unknown {
  return body.kind === "json" ? body.value : undefined;
}

/**
 * Reads a request's body as JSON, or as BCS where `bcsTypes` lists its media types. The order of the checks is the
 * node's: no declared length 411, too long 413, media type 415, not JSON 400.
 */
export async function readBody(request: Request, bcsTypes: readonly string[]): Promise<Body | NodeError> {
  const kind = mediaKind(request.headers.get("Content-Type"), bcsTypes);
  if (isError(kind)) return kind;
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > MAX_BODY_BYTES) return refuseRequest(413, "payload too large");
  return kind === "bcs" ? { kind: "bcs", bytes } : parseJson(bytes);
}

/** Why a POST may not be read: its length must be declared and within the limit, on every path. */
export function lengthRefusal(request: Request): NodeError | undefined {
  const declared = request.headers.get("Content-Length");
  if (declared === null || !/^[0-9]+$/.test(declared)) {
    return refuseRequest(411, "missing `Content-Length` header");
  }
  return Number(declared) > MAX_BODY_BYTES ? refuseRequest(413, "payload too large") : undefined;
}

/**
 * Drains the body before an error: a client still uploading would otherwise see a connection reset, not the response.
 */
export async function discardBody({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  const reader = body.getReader();
  for (let left = MAX_DISCARDED_BYTES; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.byteLength;
  }
  await reader.cancel();
}

const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

function mediaKind(contentType: string | null, bcsTypes: readonly string[]): Body["kind"] | NodeError {
  if (contentType === null) {
    return refuseRequest(415, "the client request does not include the `Content-Type` header");
  }
  const mediaType = essenceOf(contentType);
  if (mediaType === JSON_TYPE) return "json";
  if (bcsTypes.includes(mediaType)) return "bcs";
  return refuseRequest(415, `the \`Content-Type\` requested by the client is not supported: ${contentType}`);
}

/** The limit of the public nodes' JSON reader (serde_json). Parsing millions of levels would take seconds. */
const MAX_NESTING = 128;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether arrays and objects are nested deeper in the UTF-8 of a JSON text, valid or not. */
function isDeeperThan(max: number, utf8: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < utf8.length && depth <= max; index += 1) {
    const byte = utf8[index];
    if (byte === QUOTE) inString = !inString;
    else if (inString) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return depth > max;
}

function parseJson(bytes: Uint8Array): Body | NodeError {
  const text = decodeUtf8(bytes);
  if (text === undefined) return malformedBody("invalid unicode code point at line 1 column 1");
  if (isDeeperThan(MAX_NESTING, bytes))
    return malformedBody(`recursion limit exceeded: arrays and objects may be nested ${MAX_NESTING} levels deep`);
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedKeys(text).next().value;
    return repeated === undefined
      ? { kind: "json", value }
      : malformedBody(`duplicate field \`${repeated.slice(0, 200)}\``);
  } catch (cause) {
    return malformedBody(syntaxErrorMessage(text, cause));
  }
}

/** A body that is not JSON, or not of the documented shape. */
export function malformedBody(why: string): NodeError {
  return refuseRequest(400, `parse request payload error: ${why}`);
}

/**
 * Returns the value that was read from a body, or its error. A malformed body is an error of the web framework, an
 * invalid value one of the node.
 */
export function readOr<T>(read: Read<T>, context = ""): T | NodeError {
  switch (read.kind) {
    case "read":
      return read.value;
    case "malformed":
      return malformedBody(read.message);
    case "invalid":
      return refuse("invalid_input", context + read.message);
  }
}

/** Line and column, as the node counts them, if the runtime reports an offset, which it does for long texts only. */
function syntaxErrorMessage(text: string, cause: unknown): string {
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
