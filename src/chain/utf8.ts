import { parseJson } from "../base/json.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 and keeps a byte order mark; undefined when the bytes are invalid. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses bytes as JSON; undefined when they are not JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  return text === undefined ? undefined : parseJson(text);
}
