import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { breakingChanges } from "./api/breaking-changes.ts";
import { parseCommandLine, Refusal, runTool } from "./lib/command-line.ts";

const FOLDER = join(import.meta.dirname, "..", "openapi");

/** Reads the API documents of the released version and of the next deployment. */
export async function frozenDocuments(): Promise<{ released: string; current: string }> {
  const read = (file: string) => readFile(join(FOLDER, file), "utf8");
  return { released: await read("released.json"), current: await read("public.json") };
}

const HELP =
  "usage: npm run api:freeze\n  makes openapi/public.json the released document, unless it breaks a promise of the released one";

await runTool(import.meta.url, HELP, async (args) => {
  parseCommandLine(HELP, { args });
  const { released, current } = await frozenDocuments();
  const changes = breakingChanges(JSON.parse(released), JSON.parse(current));
  if (changes.length > 0) throw new Refusal([...changes, "released.json was not changed."]);
  await writeFile(join(FOLDER, "released.json"), current);
  return "released.json now equals public.json.";
});
