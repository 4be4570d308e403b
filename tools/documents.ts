import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseBackfill } from "./history/parse-backfill.ts";
import { displayPath, REPOSITORY_FOLDER, Refusal } from "./schedule/files.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = ["public", "node"];

/** Writes both API documents, without whitespace, to `documents/` of the assets folder, where the Worker reads them. */
export function copyDocuments(assetsFolder: string): void {
  const folder = join(resolve(ROOT, assetsFolder), "documents");
  mkdirSync(folder, { recursive: true });
  for (const name of DOCUMENTS) {
    const document: unknown = JSON.parse(readFileSync(join(ROOT, "openapi", `${name}.json`), "utf8"));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
  copyBackfill(folder);
}

/** The history read from an archive node, if any, as the rows that the Worker serves. An invalid file stops the build. */
function copyBackfill(folder: string): void {
  const [path, copy] = [join(REPOSITORY_FOLDER, "history.csv"), join(folder, "history.json")];
  if (!existsSync(path)) {
    rmSync(copy, { force: true });
    return;
  }
  const parsed = parseBackfill(readFileSync(path, "utf8"));
  if (parsed.kind === "error") throw new Refusal([`${displayPath(path)}: line ${parsed.line}: ${parsed.message}`]);
  writeFileSync(copy, JSON.stringify(parsed.rows));
}
