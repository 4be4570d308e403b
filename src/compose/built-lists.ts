import { parseJson } from "../json.ts";
import type { FigurePorts } from "./cached-figures.ts";

/** A list that the build has validated and written, read on first use; without the file there is nothing in it. */
export function listOf<Row>(readAsset: FigurePorts["readAsset"], path: string): () => Promise<readonly Row[]> {
  let rows: readonly Row[] | undefined;
  return async () => {
    if (rows !== undefined) return rows;
    const text = await readAsset(path).catch(() => undefined);
    const stored = text === undefined ? undefined : parseJson(text);
    rows = Array.isArray(stored) ? stored : [];
    return rows;
  };
}
