import type { Known, LoadError, Loader, Recall, Sample } from "../../../src/swr/loader.ts";

/** The settings' defaults. */
export const THRESHOLDS = { stepFactor: 5, confirmSeconds: 60 };

export const nothingKnown: Recall<never> = async () => ({ best: undefined, doubts: new Map() });

/** What is known of a value: in memory, and in the store for the next isolate. */
export interface Memory<T> {
  known: Known<T>;
}

/** A loader with the memory that a cached value gives it: the last good value, and what is doubtful. */
export function remembering<T>(
  load: Loader<T>,
  memory: Memory<T> = { known: { best: undefined, doubts: new Map() } },
): (nowMs: number) => Promise<Sample<T> | LoadError> {
  return async (nowMs) => {
    const found = await load(nowMs, async () => memory.known);
    const best = found.kind === "observed" ? found : memory.known.best;
    memory.known = { best, doubts: found.doubts ?? memory.known.doubts };
    return found;
  };
}
