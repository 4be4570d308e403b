import { Marked, type MarkedExtension } from "marked";
import { escapeHtml, escapePlaceholders } from "../../tools/lib/escape.ts";
import { codeParts } from "../view/format.ts";
import type { Section } from "../view/section.ts";
import type { DocsPage } from "./docs.ts";
import { markdownPath, pagePath } from "./docs.ts";
import {
  acceptOf,
  anchor,
  bodyExample,
  type OpenApi,
  type OperationAt,
  operationsOf,
  parametersOf,
  resolve,
} from "./openapi.ts";
import { operationHeading } from "./reference.ts";

interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** Makes a page of the manual, as an HTML entry of the build. */
export function docsHtml(page: DocsPage, pages: readonly DocsPage[], owner: string): string {
  const headings: Heading[] = [];
  const marked = new Marked({ renderer: rendererOf(headings) });
  const body = escapePlaceholders(sectionsOf(page, marked));
  const link = (one: DocsPage): string =>
    `<a href="${pagePath(one)}"${one === page ? ' aria-current="page"' : ""}>${escapeHtml(one.title)}</a>`;
  const menu = pages.map((one) => `<li>${link(one)}${one === page ? outline(headings) : ""}</li>`).join("");
  const [markdown, first] = [markdownPath(page), pagePath({ slug: "" })];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    {{themeColors}}
    <meta name="description" content="${escapeHtml(page.description)}">
    <title>${escapeHtml(page.title)}, {{name}}</title>
    <link rel="icon" href="{{logo}}">
    <link vite-ignore rel="alternate" type="text/markdown" href="${markdown}">
    <link rel="stylesheet" href="/src/docs.css">
    <script type="module" src="/src/docs.ts"></script>
  </head>
  <body class="docs">
    <a class="skip" href="#content">Skip to the content</a>
    <header class="site">
      <a class="brand" href="/"><img src="{{logo}}" alt="" width="32" height="32"><span>{{name}}</span></a>
      <nav aria-label="Main"><a href="/">Figures</a> <a href="${first}" aria-current="true">Docs</a> <a href="${markdown}">This page as Markdown</a></nav>
    </header>
    <div class="columns">
      <div class="side">
        <search><label class="visually-hidden" for="search">Search the manual</label><input id="search" type="search" placeholder="Search the manual" autocomplete="off"><ul id="found" aria-live="polite"></ul></search>
        <details class="menu"><summary>Contents</summary><nav aria-label="Manual"><ul>${menu}</ul></nav></details>
      </div>
      <main id="content"${page.document === undefined ? "" : ' class="reference"'}>
${body}
      </main>
    </div>
    <footer><p>${owner}</p>{{serviceLinks}}</footer>
    ${body.includes(PREVIEW) ? EMBED_SCRIPT : ""}
  </body>
</html>
`;
}

/** Makes the search index: page, heading, address, first words of every section, and the page's words of readers. */
export function searchIndex(pages: readonly DocsPage[]): string {
  const entries = pages.flatMap(({ title: page, description, slug, markdown, words = "" }) => {
    const path = pagePath({ slug });
    const [intro = "", ...sections] = markdown.split(/^#{2,3} /m);
    return [
      { page, title: page, path, text: plainText(`${intro.replace(/^# .*/, "")}\n${description}`), words },
      ...sections.map((section) => {
        const [heading = "", ...lines] = section.split("\n");
        const title = plainText(heading);
        return { page, title, path: `${path}#${anchor(title)}`, text: plainText(lines.join("\n")), words: "" };
      }),
    ];
  });
  return JSON.stringify(entries satisfies Section[]);
}

/** Most characters of a section that are searched: all of a written one, the beginning of a long list. */
const SEARCHED_CHARACTERS = 1_000;

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^```\w*$|^\|[-:| ]+\|$/gm, "")
    .replaceAll(/^(?:[-|]|\d+\.) /gm, "• ")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll(/[`*|#>]|\]\([^)]*\)|\[|-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[,.;:)])/g, "")
    .replace(/^[ •]+/, "")
    .trim()
    .slice(0, SEARCHED_CHARACTERS);
}

function rendererOf(headings: Heading[]): NonNullable<MarkedExtension["renderer"]> {
  let isAnswer = false;
  return {
    paragraph({ text }): false {
      isAnswer = text.startsWith("Answer (");
      return false;
    },
    heading({ tokens, depth }): string {
      const html = this.parser.parseInline(tokens);
      const text = html.replaceAll(/<[^>]+>/g, "").replaceAll("&amp;", "&");
      const id = anchor(text);
      headings.push({ depth, text, id });
      return `<h${depth} id="${id}">${html}${depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a>`}</h${depth}>\n`;
    },
    codespan({ text }): string {
      return `<code class="wraps">${breakable(text)}</code>`;
    },
    // On a phone, a row is a list of its cells, each below its heading.
    table(token): string {
      const inline = (tokens: Parameters<typeof this.parser.parseInline>[0]): string =>
        this.parser.parseInline(tokens).replaceAll("&lt;br&gt;", "<br>");
      const labels = token.header.map(({ text }) => escapeHtml(plainText(text)));
      const head = token.header.map(({ tokens }) => `<th scope="col">${inline(tokens)}</th>`).join("");
      const rows = token.rows
        .map((row) =>
          row.map(({ tokens }, at) => `<td data-label="${labels[at] ?? ""}">${inline(tokens)}</td>`).join(""),
        )
        .map((cells) => `<tr>${cells}</tr>`)
        .join("");
      return `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>\n`;
    },
    code({ text, lang }): string {
      if (lang === "figure" || lang === "address") return addressBlock(text, lang === "figure");
      if (lang === "sum") return sumBlock(text);
      if (lang === "answer") return answerLine(text);
      const isCommand = text.startsWith("curl");
      const code = isCommand ? `<code class="wraps">${breakable(text)}</code>` : `<code>${escapeHtml(text)}</code>`;
      return `<div class="snippet"><pre tabindex="0">${code}</pre>${isAnswer ? "" : COPY}</div>\n${preview(text)}`;
    },
  };
}

/**
 * Shows one complete address on one line, to be copied into a form. For a figure, the script adds its present value.
 */
function addressBlock(url: string, isFigure: boolean): string {
  const path = escapeHtml(url.replace("https://HOST", ""));
  const now = isFigure ? `<p class="note now" data-path="${path}">&nbsp;</p>` : "";
  return `<div class="snippet address"><pre tabindex="0"><code>${escapeHtml(url)}</code></pre>${COPY}<a class="button" href="${path}">Open</a>${now}</div>\n`;
}

/** Shows a figure and the path that answers it: the build's value, if it has one, until the script writes the present one. */
function answerLine(text: string): string {
  const [url = "", built = ""] = text.split("\n");
  const path = escapeHtml(url.replace("https://HOST", ""));
  return `<p class="answer"><span class="now" data-path="${path}">${escapeHtml(built)}</span> <a href="${path}"><code>${path}</code></a></p>\n`;
}

/** Shows a sum, as of the build or in words. The script writes it with the amounts of now, from the answer of its address. */
function sumBlock(text: string): string {
  const [url = "", ...lines] = text.split("\n");
  return `<p class="sum" data-sum="${escapeHtml(url.replace("https://HOST", ""))}">${escapeHtml(lines.join(" "))}</p>\n`;
}

const LONG_CODE = 20;
/** Button that copies a request; invisible without scripts. */
const COPY = '<button type="button" class="copy">Copy</button>';

/** Allows line breaks in long code only between its parts and at its own line ends. */
function breakable(code: string): string {
  const parts = code.length > LONG_CODE ? codeParts(code) : [code];
  return parts.map((part) => (part === "\n" ? part : `<span>${escapeHtml(part)}</span><wbr>`)).join("");
}

/** Renders a page. In a reference, each operation is a section with its examples beside its text. */
function sectionsOf({ markdown, document }: DocsPage, marked: Marked): string {
  if (document === undefined) return marked.parse(markdown, { async: false });
  const operations = new Map(operationsOf(document).map((at) => [operationHeading(at), at] as const));
  const tokens = marked.lexer(markdown);
  const starts = tokens.flatMap((token, index) => (token.type === "heading" && token.depth <= 3 ? [index] : []));
  return [0, ...starts]
    .map((start, index) => tokens.slice(start, starts[index] ?? tokens.length))
    .map((section) => {
      const [heading] = section;
      const at = heading?.type === "heading" ? operations.get(heading.text) : undefined;
      if (at === undefined) return marked.parser(section);
      const isExample = (_: unknown, place: number): boolean =>
        section[place]?.type === "code" || /^(Request:|Answer \()/.test(section[place]?.raw ?? "");
      const text = marked.parser(section.filter((token, place) => !isExample(token, place)));
      const examples = marked.parser(section.filter(isExample));
      return `<section class="operation"><div>${text}</div><div class="examples">${examples}${consoleForm(document, at)}</div></section>\n`;
    })
    .join("");
}

const EMBED_SCRIPT = '\n    <script vite-ignore type="module" src="/embed.js"></script>';
const PREVIEW = '<div class="preview" role="group" aria-label="Preview">';

/** Renders the elements of a snippet that includes our script, as they look on a page. */
function preview(snippet: string): string {
  const [, elements] = snippet.split(/^<script .*\/embed\.js".*\n/);
  return elements === undefined ? "" : `${PREVIEW}${elements}</div>\n`;
}

/** Lists links to the sections of a page, below its own link in the menu. */
function outline(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (sections.length < 2) return "";
  const items = sections.map(
    ({ depth, text, id }) => `<li class="depth-${depth}"><a href="#${id}">${breakable(text)}</a></li>`,
  );
  return `<ul class="outline">${items.join("")}</ul>`;
}

/**
 * Makes a form that sends one operation to this host and shows the request above itself. Required parameters are filled
 * in, other examples are hints, and enumerations are choices.
 */
function consoleForm(document: OpenApi, { method, path, operation }: OperationAt): string {
  const inputs = parametersOf(document, operation)
    .filter(({ in: place }) => place !== "header")
    .map(({ name, in: place, required, example, schema }) => {
      const attributes = `name="${escapeHtml(name)}" data-in="${place}"`;
      const { enum: values, type } = resolve(document, schema);
      const options = values ?? (type === "boolean" ? [true, false] : undefined);
      if (options !== undefined) {
        const all = [...(required ? [] : [""]), ...options.map(String)].map(
          (value) => `<option>${escapeHtml(value)}</option>`,
        );
        return `<label>${escapeHtml(name)}<select ${attributes}>${all.join("")}</select></label>`;
      }
      const value = required ? ` value="${escapeHtml(example ?? "")}" required` : "";
      const hint = !required && example !== undefined ? ` placeholder="${escapeHtml(example)}"` : "";
      return `<label>${escapeHtml(name)}<input ${attributes} autocomplete="off" spellcheck="false"${value}${hint}></label>`;
    });
  const body = bodyExample(document, operation);
  const area =
    body === undefined
      ? ""
      : `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(body)}</textarea></label>`;
  return `<details class="console"><summary>Try it</summary><form data-method="${method.toUpperCase()}" data-accept="${acceptOf(document, operation) ?? ""}" data-path="${escapeHtml(path)}">${inputs.join("")}${area}<p class="actions"><button type="submit">Send</button></p><div class="live" aria-live="polite"></div></form></details>\n`;
}
