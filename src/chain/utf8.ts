const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of UTF-8 bytes, a byte order mark included. Undefined when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
