import { createHash } from "node:crypto";
import type { Plugin, Rolldown } from "vite";

/** As a policy names them: `'sha256-…' 'sha256-…'`, and the style's `sha256-…`. */
export interface Hashes {
  readonly scripts: string;
  readonly style: string;
}

type Chunk = Rolldown.OutputChunk;

/** The name of the chunk that the first view waits for, and of what the script of the rest takes from it. */
export const FIRST = "first";
/** The only form in which a chunk is joined to another. */
const [EXPORTS, IMPORTS] = [/export\{([^{}]*)\};?$/, /^import\{([^{}]*)\}from["'`][^"'`]*["'`];/];

/**
 * Puts a page's style and its two scripts into its HTML: that of the first view where its element is, as a script that is
 * run at once, and the script of the rest at the end. Gives their hashes.
 */
export function inlining(): { readonly plugin: Plugin; readonly hashes: () => Hashes } {
  const found: { scripts?: string; style?: string } = {};
  const plugin: Plugin = {
    name: "inlining",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the first page is not built");
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const [first, rest] = [chunks.find(({ name }) => name === FIRST), chunks.find(({ name }) => name !== FIRST)];
      if (first === undefined || rest === undefined || chunks.length !== 2)
        throw new Error("the first page has not two scripts");
      const codes = joined(first, rest);
      for (const { fileName } of chunks) delete bundle[fileName];
      found.scripts = codes.map((code) => `'${hashOf(code)}'`).join(" ");
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g, "")
        .replace(/(<script id="first-view">)(<\/script>)/, (_, open: string, end: string) => open + codes[0] + end)
        .replace("</body>", () => `<script type="module">${codes[1]}</script>\n  </body>`)
        .replace(/<link rel="stylesheet" crossorigin href="\/(assets\/[^"]+)">/, (_, name) => {
          const sheet = bundle[name];
          delete bundle[name];
          if (sheet?.type !== "asset") throw new Error("the first page's style is not a file");
          const code = String(sheet.source).trim();
          found.style = hashOf(code);
          return `<style>${code}</style>`;
        });
    },
  };
  return {
    plugin,
    hashes: () => {
      const { scripts, style } = found;
      if (scripts === undefined || style === undefined)
        throw new Error("the first page has no script or style of its own");
      return { scripts, style };
    },
  };
}

/**
 * A module as a script that the parser runs where it stands, and another that takes what it imports of it from a global
 * name, by its place: names would be sent twice.
 */
function joined(first: Chunk, rest: Chunk): readonly [string, string] {
  const [given, taken] = [EXPORTS.exec(first.code.trim())?.[1], IMPORTS.exec(rest.code)?.[1]];
  const isAlone = first.imports.length === 0 && rest.imports.length === 1 && rest.dynamicImports.length === 0;
  if (given === undefined || taken === undefined || !isAlone) throw new Error("the first page's scripts are not two");
  const own = new Map(
    given
      .split(",")
      .map((one) => pair(one))
      .map(([local, name]) => [name, local]),
  );
  const wanted = taken.split(",").map(pair);
  const body = first.code.trim().replace(EXPORTS, "");
  const members = wanted.map(([name]) => own.get(name)).join();
  return [
    safe(`var ${FIRST}=(()=>{"use strict";${body}return[${members}]})()`),
    safe(rest.code.trim().replace(IMPORTS, `const[${wanted.map(([, local]) => local).join()}]=${FIRST};`)),
  ];
}

/** `a as b` to both, `a` to itself twice. */
function pair(text: string): readonly [string, string] {
  const [name = "", other = name] = text.split(" as ");
  return [name, other];
}

/** Code that does not end its element. */
function safe(code: string): string {
  if (/<\/script|<!--/i.test(code)) throw new Error("a script of the first page could end its element");
  return code;
}

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
