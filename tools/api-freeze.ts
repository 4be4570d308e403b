import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { breakingChanges } from "./api/breaking-changes.ts";
import { commandOptions } from "./command-options.ts";

const FOLDER = join(import.meta.dirname, "..", "openapi");

/** The document of the released version, and that of the next deployment. */
export async function frozenDocuments(): Promise<{ released: string; current: string }> {
  const read = (file: string) => readFile(join(FOLDER, file), "utf8");
  return { released: await read("released.json"), current: await read("public.json") };
}

if (import.meta.main) {
  commandOptions(
    "usage: npm run api:freeze\n  makes openapi/public.json the released document, unless it breaks a promise of the released one",
    {},
  );
  const { released, current } = await frozenDocuments();
  const changes = breakingChanges(JSON.parse(released), JSON.parse(current));
  for (const change of changes) console.error(change);
  if (changes.length === 0) await writeFile(join(FOLDER, "released.json"), current);
  console.log(changes.length === 0 ? "released.json is public.json." : "released.json was left as it is.");
  process.exitCode = changes.length === 0 ? 0 : 1;
}
