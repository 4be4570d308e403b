import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

/** Repeats a check until it passes, and returns what it returns. At its end fails as the last one did. */
export function eventually<T>(check: () => Promise<T> | T, interval = 250): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval });
}
