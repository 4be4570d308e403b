import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** As a policy names them: `sha256-…`. */
export interface Hashes {
  readonly script: string;
  readonly style: string;
}

/** Puts a page's script and style into its HTML, and gives their hashes. */
export function inlining(): { readonly plugin: Plugin; readonly hashes: () => Hashes } {
  const found: { script?: string; style?: string } = {};
  const plugin: Plugin = {
    name: "inlining",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the first page is not built");
      page.source = String(page.source)
        .replace(/<script ([^>]*?) ?crossorigin src="\/(assets\/[^"]+)"><\/script>/, (_, attributes, name) => {
          const chunk = bundle[name];
          if (chunk?.type !== "chunk" || chunk.imports.length > 0 || chunk.dynamicImports.length > 0)
            throw new Error("the first page's script is not one file");
          delete bundle[name];
          const code = chunk.code.trim();
          if (/<\/script|<!--/i.test(code)) throw new Error("the first page's script could end its element");
          found.script = hashOf(code);
          return `<script ${attributes}>${code}</script>`;
        })
        .replace(/<link rel="stylesheet" crossorigin href="\/(assets\/[^"]+)">/, (_, name) => {
          const sheet = bundle[name];
          if (sheet?.type !== "asset") throw new Error("the first page's style is not a file");
          delete bundle[name];
          const code = String(sheet.source).trim();
          found.style = hashOf(code);
          return `<style>${code}</style>`;
        });
    },
  };
  return {
    plugin,
    hashes: () => {
      const { script, style } = found;
      if (script === undefined || style === undefined)
        throw new Error("the first page has no script or style of its own");
      return { script, style };
    },
  };
}

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
