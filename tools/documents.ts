import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = ["public", "node"];

/** Writes both API documents, without whitespace, where the Worker reads them: `documents/` of the assets folder. */
export function copyDocuments(assetsFolder: string): void {
  const folder = join(resolve(ROOT, assetsFolder), "documents");
  mkdirSync(folder, { recursive: true });
  for (const name of DOCUMENTS) {
    const document: unknown = JSON.parse(readFileSync(join(ROOT, "openapi", `${name}.json`), "utf8"));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
}
