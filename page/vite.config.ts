import { join } from "node:path";
import { build, defineConfig } from "vite";
import { copyDocuments } from "../tools/documents.ts";
import { docsPlugin } from "../tools/page/docs-plugin.ts";
import { sitePlugin } from "../tools/page/site.ts";

const PAGE = import.meta.dirname;
const OUT = join(PAGE, "..", "dist", "page");
const docs = docsPlugin(PAGE);

/** `/embed.js` and the chunk of its chart: a build of its own, so that it shares nothing with the page. */
const embeds = (outDir: string) =>
  build({
    configFile: false,
    root: PAGE,
    base: "./",
    logLevel: "error",
    plugins: [sitePlugin()],
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      modulePreload: false,
      rollupOptions: {
        input: { embed: join(PAGE, "embed", "embed.ts") },
        output: { entryFileNames: "[name].js", chunkFileNames: "assets/[name]-[hash].js" },
      },
    },
  });

/** The page and the manual; no outside address in either. What is built here is served as static assets. */
export default defineConfig({
  root: PAGE,
  logLevel: "error",
  plugins: [
    docs.plugin,
    sitePlugin(),
    {
      name: "documents",
      // The script draws the first view: without it there would be a flash of an empty page.
      transformIndexHtml: {
        order: "post",
        handler: (html, { path }) =>
          path === "/index.html"
            ? html.replace('<script type="module"', '<script type="module" blocking="render"')
            : html,
      },
      writeBundle: async ({ dir = OUT }) => {
        copyDocuments(dir);
        await embeds(dir);
      },
    },
  ],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      input: [
        join(PAGE, "index.html"),
        join(PAGE, "404.html"),
        join(PAGE, "embed", "chart.html"),
        join(PAGE, "embed", "rates.html"),
        ...docs.inputs,
      ],
    },
  },
});
