import { createHash } from "node:crypto";
import type { Plugin, Rolldown } from "vite";

/** Hashes in the form of a content security policy: `'sha256-…' 'sha256-…'`, and the style's `sha256-…`. */
export interface Hashes {
  readonly scripts: string;
  readonly style: string;
}

type Chunk = Rolldown.OutputChunk;

/** Name of the chunk for the first view, and of the variable through which the second script uses its exports. */
export const FIRST = "first";
/** Export and import statements in the only form that the bundler writes here. */
const [EXPORTS, IMPORTS] = [/export\{([^{}]*)\};?$/, /^import\{([^{}]*)\}from["'`][^"'`]*["'`];/];

const SERVED = "index.html";

/**
 * Inlines the first page's style and its two scripts into its HTML, and returns their hashes. The first view's script
 * stands at its element and runs at once; the other stands at the end. `name`: file that the HTML is built from.
 */
export function inlining(name: string): { readonly plugin: Plugin; readonly hashes: () => Hashes } {
  const found: { scripts?: string; style?: string } = {};
  const plugin: Plugin = {
    name: "inlining",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle[name];
      if (page?.type !== "asset") throw new Error("the first page is not built");
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const [first, rest] = [chunks.find(({ name }) => name === FIRST), chunks.find(({ name }) => name !== FIRST)];
      if (first === undefined || rest === undefined || chunks.length !== 2)
        throw new Error("the first page has not two scripts");
      const codes = asTwoScripts(first, rest);
      for (const { fileName } of chunks) delete bundle[fileName];
      found.scripts = codes.map((code) => `'${hashOf(code)}'`).join(" ");
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g, "")
        .replace(/(<script id="first-view">)(<\/script>)/, (_, open: string, end: string) => open + codes[0] + end)
        .replace("</body>", () => `<script type="module">${codes[1]}</script>\n  </body>`)
        .replace(/<link rel="stylesheet" crossorigin href="\/(assets\/[^"]+)">/, (_, style) => {
          const sheet = bundle[style];
          delete bundle[style];
          if (sheet?.type !== "asset") throw new Error("the first page's style is not a file");
          const code = String(sheet.source).trim();
          found.style = hashOf(code);
          return `<style>${code}</style>`;
        });
      page.fileName = SERVED;
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
 * Turns two modules into two scripts. The first assigns its exports to a global array, from which the second takes its
 * imports by index: names would be sent twice.
 */
function asTwoScripts(first: Chunk, rest: Chunk): readonly [string, string] {
  const [exported, imported] = [EXPORTS.exec(first.code.trim())?.[1], IMPORTS.exec(rest.code)?.[1]];
  const isAlone = first.imports.length === 0 && rest.imports.length === 1 && rest.dynamicImports.length === 0;
  if (exported === undefined || imported === undefined || !isAlone)
    throw new Error("the first page's scripts are not two");
  const exportedLocals = new Map(
    exported
      .split(",")
      .map((one) => namePair(one))
      .map(([local, name]) => [name, local]),
  );
  const wanted = imported.split(",").map(namePair);
  const body = first.code.trim().replace(EXPORTS, "");
  const members = wanted.map(([name]) => exportedLocals.get(name)).join();
  return [
    refuseElementEnd(`var ${FIRST}=(()=>{"use strict";${body}return[${members}]})()`),
    refuseElementEnd(rest.code.trim().replace(IMPORTS, `const[${wanted.map(([, local]) => local).join()}]=${FIRST};`)),
  ];
}

/** Splits `a as b` into both names; `a` alone gives the same name twice. */
function namePair(text: string): readonly [string, string] {
  const [name = "", other = name] = text.split(" as ");
  return [name, other];
}

/** Refuses code that would end its script element. */
function refuseElementEnd(code: string): string {
  if (/<\/script|<!--/i.test(code)) throw new Error("a script of the first page could end its element");
  return code;
}

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
