import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";
import { type DocsPage, docsPages, indexFiles } from "./docs.ts";
import { docsHtml, searchIndex } from "./docs-html.ts";
import { ownerText, type PageSources } from "./site.ts";

/** Builds the manual: an HTML entry for every page, its Markdown beside it, and the index files for programs. */
export function docsPlugin(
  pageRoot: string,
  sources: PageSources,
): { readonly plugin: Plugin; readonly inputs: string[] } {
  const { site, schedule } = sources;
  const owner = ownerText(site, schedule);
  const pages = docsPages(sources);
  const files = new Map<string, DocsPage>(pages.map((page) => [join(pageRoot, fileOf(page)), page]));
  const plugin: Plugin = {
    name: "docs",
    enforce: "pre",
    resolveId: (id) => (files.has(id) ? id : undefined),
    load: (id) => {
      const page = files.get(id);
      return page === undefined ? undefined : docsHtml(page, pages, owner);
    },
    writeBundle: ({ dir }) => {
      const outDir = dir ?? "dist/page";
      for (const page of pages)
        write(join(outDir, fileOf(page).replace(/\.html$/, ".md")), `${page.markdown.trim()}\n`);
      write(join(outDir, "docs", "search.json"), searchIndex(pages));
      for (const [name, text] of Object.entries(indexFiles(sources, pages)))
        write(join(outDir, "documents", name), text);
    },
  };
  return { plugin, inputs: [...files.keys()] };
}

function fileOf({ slug }: DocsPage): string {
  return slug === "" ? "docs/index.html" : `docs/${slug}.html`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
