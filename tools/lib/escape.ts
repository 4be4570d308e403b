/**
 * Escapes text that people write: names, labels, titles of a schedule or a brand. Each is escaped once, where it is
 * inserted, by the function of that format. XML and CSV have theirs in `src/base/xml.ts` and `src/supply/csv.ts`.
 */

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for the content and the attributes of HTML. */
export function escapeHtml(text: string): string {
  return withoutFields(text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? ""));
}

/** Escapes placeholders that later steps of the build would replace: `{{name}}` is ours, `%MODE%` the bundler's. */
export function withoutFields(html: string): string {
  return html.replaceAll("{{", "{&#123;").replace(/%(?=\S*%)/g, "&#37;");
}

/** Escapes text for a line of Markdown: every punctuation mark that may be markup, as CommonMark allows. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
