import fc from "fast-check";
import { Marked } from "marked";
import { expect, test } from "vitest";
import { escapeHtml, escapeMarkdown } from "../../../../tools/lib/escape.ts";
import { HOSTILE_NAMES } from "../../../support/hostile-names.ts";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
/** Text that a browser shows for HTML without elements; undefined if it has one. */
function shownOf(html: string): string | undefined {
  if (/[<>]/.test(html)) return undefined;
  return html.replaceAll(/&(#?\w+);/g, (_, name: string) =>
    /^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? "?"),
  );
}

const names = fc.oneof(
  fc.constantFrom(...HOSTILE_NAMES),
  fc.array(fc.constantFrom(..."<>&\"'`*_[](){}!#|~\\.-+=:/@%$1ab ", "www.", "https://"), {
    minLength: 1,
    maxLength: 20,
  }),
  fc.string({ minLength: 1 }),
);

test("a name in HTML is shown as it is, and has no field that is filled in later", () => {
  fc.assert(
    fc.property(names.map(String), (name) => {
      const html = escapeHtml(name);
      expect(shownOf(html)).toBe(name);
      expect(html).not.toMatch(/\{\{|%\S+%/);
    }),
  );
});

test("a name in Markdown is shown as it is, in a text, a table and a heading", () => {
  const marked = new Marked();
  // A line begins and ends with no blank, and blanks beside one another are one.
  const printable = names.map((name) => `a ${[...String(name)].join("")} z`.replaceAll(/[\s\p{C}]+/gu, " "));
  fc.assert(
    fc.property(printable, (name) => {
      const [, text = ""] = /^<p>(.*)<\/p>\n$/.exec(marked.parse(`${escapeMarkdown(name)}\n`, { async: false })) ?? [];
      expect(shownOf(text)).toBe(name);
      const [, title = ""] =
        /^<h1>(.*)<\/h1>\n$/.exec(marked.parse(`# ${escapeMarkdown(name)}`, { async: false })) ?? [];
      expect(shownOf(title)).toBe(name);
      const table = marked.parse(`| a |\n| --- |\n| ${escapeMarkdown(name)} |`, { async: false });
      const [, cell = ""] = /<td>(.*)<\/td>/.exec(table) ?? [];
      expect(shownOf(cell)).toBe(name);
    }),
  );
});

test("a name at the start of a line in Markdown begins no list, quotation or heading", () => {
  const starts = fc.stringMatching(/^(\d{0,3}[-+*.)#>=]|\d+) ?[a-z]$/);
  fc.assert(
    fc.property(starts, (name) => {
      expect(new Marked().parse(`${escapeMarkdown(name)}\n`, { async: false })).toMatch(/^<p>[^\n]*<\/p>\n$/);
    }),
  );
});

test.each([
  "Example Network",
  "Beispiel AG, Zürich",
  "例",
  "How much circulates, what unlocks next and when.",
  "Issuer's token (the second): a well-known one; is it 5% larger?",
])("a sentence is written as it is: %s", (name) => {
  expect([escapeHtml(name), escapeMarkdown(name)]).toEqual([name, name]);
});
