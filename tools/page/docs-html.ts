import { Marked } from "marked";
import type { DocsPage } from "./docs.ts";
import { pagePath } from "./docs.ts";
import {
  acceptOf,
  anchor,
  bodyExample,
  type OpenApi,
  type OperationAt,
  operationsOf,
  parametersOf,
} from "./openapi.ts";
import { operationHeading } from "./reference.ts";
import { escapeHtml } from "./site.ts";

interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** A page of the manual as an HTML entry of the build. */
export function docsHtml(page: DocsPage, pages: readonly DocsPage[]): string {
  const headings: Heading[] = [];
  const consoles = new Map(
    (page.document === undefined ? [] : operationsOf(page.document)).map((at) => [operationHeading(at), at] as const),
  );
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }): string {
        const html = this.parser.parseInline(tokens);
        const plain = html.replaceAll(/<[^>]+>/g, "").replaceAll("&amp;", "&");
        const id = anchor(plain);
        headings.push({ depth, text: plain, id });
        const at = consoles.get(plain);
        const form = at === undefined || page.document === undefined ? "" : consoleForm(page.document, at);
        return `<h${depth} id="${id}">${html}${depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a>`}</h${depth}>\n${form}`;
      },
      table(token): string {
        const cell = (tag: string, tokens: Parameters<typeof this.parser.parseInline>[0]): string =>
          `<${tag}>${this.parser.parseInline(tokens).replaceAll("&lt;br&gt;", "<br>")}</${tag}>`;
        const head = token.header.map(({ tokens }) => cell("th", tokens)).join("");
        const rows = token.rows
          .map((row) => `<tr>${row.map(({ tokens }) => cell("td", tokens)).join("")}</tr>`)
          .join("");
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      code({ text }): string {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n${preview(text)}`;
      },
    },
  });
  const body = marked.parse(page.markdown, { async: false });
  const menu = pages
    .map(
      (one) =>
        `<li><a href="${pagePath(one)}"${one === page ? ' aria-current="page"' : ""}>${escapeHtml(one.title)}</a></li>`,
    )
    .join("");
  const markdown = page.slug === "" ? "/docs/index.md" : `${pagePath(page)}.md`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${escapeHtml(page.description)}">
    <title>${escapeHtml(page.title)}, {{name}}</title>
    <link rel="icon" href="{{logo}}">
    <link vite-ignore rel="alternate" type="text/markdown" href="${markdown}">
    <link rel="stylesheet" href="/src/docs.css">
  </head>
  <body class="docs">
    <a class="skip" href="#content">Skip to the content</a>
    <header class="site">
      <a class="brand" href="/"><img src="{{logo}}" alt="" width="32" height="32"><span>{{name}}</span></a>
      <nav aria-label="Main"><a href="/">Figures</a> <a href="/docs/" aria-current="true">Docs</a> <a href="${markdown}">This page as Markdown</a></nav>
    </header>
    <div class="columns">
      <nav class="menu" aria-label="Manual"><ul>${menu}</ul></nav>
      <main id="content">
${contents(headings)}${body}
      </main>
    </div>
    <script type="module" src="/src/docs.ts"></script>${body.includes(PREVIEW) ? EMBED_SCRIPT : ""}
  </body>
</html>
`;
}

const EMBED_SCRIPT = '\n    <script vite-ignore type="module" src="/embed.js"></script>';
const PREVIEW = '<div class="preview" role="group" aria-label="Preview">';

/** The elements of a snippet that includes our script, as they look on a page. */
function preview(snippet: string): string {
  const [, elements] = snippet.split(/^<script .*\/embed\.js".*\n/);
  return elements === undefined ? "" : `${PREVIEW}${elements}</div>\n`;
}

/** Links to the sections of a long page. */
function contents(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (sections.length < 8) return "";
  const items = sections.map(
    ({ depth, text, id }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<details class="contents"><summary>On this page</summary><ul>${items.join("")}</ul></details>\n`;
}

/** A form that sends one operation to this host. Required parameters are filled in, the others are hints. */
function consoleForm(document: OpenApi, { method, path, operation }: OperationAt): string {
  const inputs = parametersOf(document, operation)
    .filter(({ in: place }) => place !== "header")
    .map(({ name, in: place, required, example }) => {
      const value = required ? ` value="${escapeHtml(example ?? "")}" required` : "";
      const hint = !required && example !== undefined ? ` placeholder="${escapeHtml(example)}"` : "";
      return `<label>${escapeHtml(name)}<input name="${escapeHtml(name)}" data-in="${place}" autocomplete="off" spellcheck="false"${value}${hint}></label>`;
    });
  const body = bodyExample(document, operation);
  const area =
    body === undefined
      ? ""
      : `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(body)}</textarea></label>`;
  return `<details class="console"><summary>Try it</summary><form data-method="${method.toUpperCase()}" data-accept="${acceptOf(document, operation) ?? "application/json"}" data-path="${escapeHtml(path)}">${inputs.join("")}${area}<button type="submit">Send</button><div class="live" aria-live="polite"></div></form></details>\n`;
}
