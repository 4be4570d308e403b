/** Longest wait for a condition: far above what any takes on a busy machine, so only what never comes true takes so long. */
export const PATIENCE_MS = 100_000;
