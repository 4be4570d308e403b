import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { isDamage } from "./tables.ts";

/** What is known of an object's store, and outlives the object: a write that does not reach the disk ends it. */
export interface StoreMemory {
  /** A write has begun that is not known to be on the disk. */
  isWriting: boolean;
  /** Instances in a row that have ended while they wrote. One may have ended for another reason. */
  ended: number;
  refusedAtMs: number | null;
}

export const NOTHING_WRITTEN: StoreMemory = { isWriting: false, ended: 0, refusedAtMs: null };

export interface StorePorts {
  readonly memory: StoreMemory;
  /** Resolves when everything that was written is on the disk. */
  readonly sync: () => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
  readonly background: (work: Promise<unknown>) => void;
}

/** A store that has refused gets no other write for this long: each may end the object, and what others wait for. */
const REST_MS = 30_000;
/** How long health shows a refusal, and the log has one line for it. */
const SHOWN_MS = 120_000;

/** The writes of an object. One that its store refuses, for want of space for example, breaks no reply. */
export class GuardedStore {
  readonly #ports: StorePorts;
  #writes = 0;

  constructor(ports: StorePorts) {
    this.#ports = ports;
    const { memory } = ports;
    if (!memory.isWriting) return;
    memory.isWriting = false;
    memory.ended += 1;
    if (memory.ended > 1) this.#refused("the writes do not reach the disk");
  }

  /** false: the store refuses it, now or a moment ago. */
  write(write: () => void): boolean {
    const { memory, sync, now, background } = this.#ports;
    if (isWithin(memory.refusedAtMs, REST_MS, now())) return false;
    try {
      write();
    } catch (cause) {
      if (!isDamage(cause)) this.#refused(String(cause));
      return false;
    }
    this.#writes += 1;
    const own = this.#writes;
    memory.isWriting = true;
    background(
      sync().then(() => {
        memory.ended = 0;
        if (own === this.#writes) memory.isWriting = false;
      }),
    );
    return true;
  }

  /** When it last refused a write, while health shows it; null: it does not. */
  get refusedAtMs(): number | null {
    const { memory, now } = this.#ports;
    return isWithin(memory.refusedAtMs, SHOWN_MS, now()) ? memory.refusedAtMs : null;
  }

  #refused(cause: string): void {
    if (this.refusedAtMs === null) this.#ports.log("store_refuses", { cause });
    this.#ports.memory.refusedAtMs = this.#ports.now();
  }
}
