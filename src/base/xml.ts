const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that XML 1.0 does not allow (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes text for the content and the attributes of an XML document. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, "").replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
