/** SHA-256 in lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), hexByte).join("");
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
