import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = ["public", "node"];

/** Lays both API documents, without their blanks, where the Worker reads them: `documents/` of the assets folder. */
export function copyDocuments(assetsFolder: string): void {
  const folder = join(ROOT, assetsFolder, "documents");
  mkdirSync(folder, { recursive: true });
  for (const name of DOCUMENTS) {
    const document: unknown = JSON.parse(readFileSync(join(ROOT, "openapi", `${name}.json`), "utf8"));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
}
