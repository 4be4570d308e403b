import { parseJson } from "../../base/json.ts";
import type { ReadAsset } from "../../http/handler.ts";

/** A list that the build has validated and written, read on first use; null: it cannot be read now. */
export function listOf<Row>(readAsset: ReadAsset, path: string): () => Promise<readonly Row[] | null> {
  let rows: readonly Row[] | null = null;
  return async () => {
    const stored = rows ?? parseJson((await readAsset(path).catch(() => undefined)) ?? "");
    rows = Array.isArray(stored) ? stored : null;
    return rows;
  };
}
