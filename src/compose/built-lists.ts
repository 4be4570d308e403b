import type { ReadAsset } from "../http/handler.ts";
import { parseJson } from "../json.ts";

/** A list that the build has validated and written, read on first use; without the file there is nothing in it. */
export function listOf<Row>(readAsset: ReadAsset, path: string): () => Promise<readonly Row[]> {
  let rows: readonly Row[] | undefined;
  return async () => {
    if (rows !== undefined) return rows;
    const text = await readAsset(path).catch(() => undefined);
    const stored = text === undefined ? undefined : parseJson(text);
    rows = Array.isArray(stored) ? stored : [];
    return rows;
  };
}
