import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { parseCommandLine, runTool } from "./lib/command-line.ts";

const FOLDER = join(import.meta.dirname, "..", "openapi");
const BANNER = "// Generated from the document beside it by `npm run api:types`; not edited by hand.\n\n";

/** Generates the TypeScript types of one API document, as stored in the file beside it. */
export async function typesOf(documentFile: string): Promise<string> {
  const document: unknown = JSON.parse(await readFile(join(FOLDER, documentFile), "utf8"));
  return BANNER + astToString(await openapiTS(JSON.stringify(document)));
}

/** Maps documents to files of types: `public.json` to `public.generated.ts`. */
export async function documents(): Promise<{ document: string; types: string }[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".json") && file !== "released.json");
  return files.map((document) => ({ document, types: document.replace(/\.json$/, ".generated.ts") }));
}

const HELP = "usage: npm run api:types\n  writes openapi/*.generated.ts from the documents beside them";

await runTool(import.meta.url, HELP, async (args) => {
  parseCommandLine(HELP, { args });
  for (const { document, types } of await documents()) await writeFile(join(FOLDER, types), await typesOf(document));
});
