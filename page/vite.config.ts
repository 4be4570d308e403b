import { defineConfig } from "vite";
import { copyDocuments } from "../tools/documents.ts";

/** Two pages, no outside address in either; what is built here is served as static assets. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: "error",
  plugins: [{ name: "documents", writeBundle: ({ dir }) => copyDocuments(dir ?? "dist/page") }],
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    rollupOptions: { input: ["page/index.html", "page/docs/index.html"] },
  },
});
