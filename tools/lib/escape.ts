/**
 * Escapes text that people write: names, labels, titles of a schedule or a brand. Each is escaped once, where it is
 * inserted, by the function of that format. XML and CSV have theirs in `src/base/xml.ts` and `src/supply/csv.ts`.
 */

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for the content and the attributes of HTML. */
export function escapeHtml(text: string): string {
  return escapePlaceholders(text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? ""));
}

/** Escapes placeholders that later steps of the build would replace: `{{name}}` is ours, `%MODE%` the bundler's. */
export function escapePlaceholders(html: string): string {
  return html.replaceAll("{{", "{&#123;").replace(/%(?=\S*%)/g, "&#37;");
}

/**
 * Punctuation that is never markup in CommonMark where it stands: inside a sentence, at the end of a word, between two
 * letters. After a digit a full stop or a parenthesis may begin a list.
 */
const PROSE = /[,'";?%(]|(?<!\d)(?:[.:!](?=\s|$)|\))|(?<=[\p{L}\d])-(?=[\p{L}\d])/u;
const PROSE_OR_MARK = new RegExp(`(${PROSE.source})|([!-/:-@[-\`{-~])`, "gu");

/** Escapes text for a line of Markdown: every punctuation mark that may be markup, as CommonMark allows. */
export function escapeMarkdown(text: string): string {
  return text.replace(PROSE_OR_MARK, (found, _prose: string | undefined, mark: string | undefined) =>
    mark === undefined ? found : `\\${mark}`,
  );
}
