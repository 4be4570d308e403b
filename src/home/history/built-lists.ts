import { parseJson } from "../../base/json.ts";
import type { ReadAsset } from "../../http/handler.ts";

/** Reads a list that the build has validated, on first use. The reader returns null when the list cannot be read. */
export function builtListReader<Row>(readAsset: ReadAsset, path: string): () => Promise<readonly Row[] | null> {
  let rows: readonly Row[] | null = null;
  return async () => {
    const stored = rows ?? parseJson((await readAsset(path).catch(() => undefined)) ?? "");
    rows = Array.isArray(stored) ? stored : null;
    return rows;
  };
}
