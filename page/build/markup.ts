import { escapeHtml } from "../../tools/lib/escape.ts";
import type { Content } from "../view/markup.ts";

const VOID = new Set(["br"]);

/** Writes elements as HTML. */
export function htmlOf(content: Content): string {
  if (typeof content === "string") return escapeHtml(content);
  const { tag, attributes, children } = content;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`);
  return `<${tag}${written.join("")}>${VOID.has(tag) ? "" : `${children.map(htmlOf).join("")}</${tag}>`}`;
}

/** Replaces the content of each element with one of these ids. */
export function withContents(html: string, contents: Readonly<Record<string, readonly Content[]>>): string {
  return Object.entries(contents).reduce((text, [id, content]) => {
    const element = new RegExp(`(<(\\w+)\\b[^>]*\\bid="${id}"[^>]*>)[\\s\\S]*?(</\\2>)`);
    if (!element.test(text)) throw new Error(`the page has no #${id}`);
    return text.replace(element, (_, open: string, __, close: string) => open + content.map(htmlOf).join("") + close);
  }, html);
}
