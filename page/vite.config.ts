import { join } from "node:path";
import { defineConfig } from "vite";
import { copyDocuments } from "../tools/documents.ts";
import { docsPlugin } from "../tools/page/docs-plugin.ts";
import { sitePlugin } from "../tools/page/site.ts";

const PAGE = import.meta.dirname;
const OUT = join(PAGE, "..", "dist", "page");
const docs = docsPlugin(PAGE);

/** The page and the manual; no outside address in either. What is built here is served as static assets. */
export default defineConfig({
  root: PAGE,
  logLevel: "error",
  plugins: [
    docs.plugin,
    sitePlugin(),
    { name: "documents", writeBundle: ({ dir }) => copyDocuments(dir ?? "dist/page") },
  ],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: { input: [join(PAGE, "index.html"), join(PAGE, "404.html"), ...docs.inputs] },
  },
});
