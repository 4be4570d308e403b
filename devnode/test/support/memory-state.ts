import type { Effects } from "../../vm/effects.ts";
import type { StateKey, StateReader } from "../../vm/state-keys.ts";

/** A state in memory that effects are applied to, one transaction after another. */
export class MemoryState implements StateReader {
  readonly entries = new Map<StateKey, Uint8Array>();

  get(key: StateKey): Uint8Array | undefined {
    return this.entries.get(key);
  }

  apply({ changes }: Effects): void {
    for (const change of changes) {
      if (change.kind === "delete") this.entries.delete(change.key);
      else this.entries.set(change.key, change.value);
    }
  }
}
