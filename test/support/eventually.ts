import { vi } from "vitest";

/** Far above what any condition takes on a busy machine: only what never comes true takes so long. */
const TIMEOUT_MS = 100_000;

/** Repeats a check until it passes, and returns what it returns. At its end fails as the last one did. */
export function eventually<T>(check: () => Promise<T> | T, interval = 250): Promise<T> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval });
}
