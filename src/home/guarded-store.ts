import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { isDamage } from "./tables.ts";

/** Largest stored value. The platform refuses a row of more than 2 MB, and a character may be several bytes. */
export const MAX_VALUE_CHARACTERS = 1_048_576;

/** State of an object's writes. It outlives the object, because a write that fails to reach the disk ends the object. */
export interface WriteState {
  /** Whether a write has begun that may not have reached the disk. */
  isWriting: boolean;
  /** Instances in a row that ended while writing. A single one may have ended for another reason. */
  endedWhileWriting: number;
  refusedAtMs: number | null;
}

export const NO_WRITES: WriteState = { isWriting: false, endedWhileWriting: 0, refusedAtMs: null };

export interface StorePorts {
  readonly memory: WriteState;
  /** Resolves when all writes are on the disk. */
  readonly sync: () => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
  readonly background: (work: Promise<unknown>) => void;
}

/** How long a store gets no write after a refusal: each write may end the object, and with it replies under way. */
const REST_MS = 30_000;
/** How long health shows a refusal, which is logged once in that time. */
const SHOWN_MS = 120_000;

/** Writes of a Durable Object. A write that the store refuses, for example for lack of space, breaks no reply. */
export class GuardedStore {
  readonly #ports: StorePorts;
  #writes = 0;

  constructor(ports: StorePorts) {
    this.#ports = ports;
    const { memory } = ports;
    if (!memory.isWriting) return;
    memory.isWriting = false;
    memory.endedWhileWriting += 1;
    if (memory.endedWhileWriting > 1) this.#refused("the writes do not reach the disk");
  }

  /** Writes to the store; false when the store refuses it or has refused a write moments ago. */
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
    const writeNumber = this.#writes;
    memory.isWriting = true;
    background(
      sync().then(() => {
        memory.endedWhileWriting = 0;
        if (writeNumber === this.#writes) memory.isWriting = false;
      }),
    );
    return true;
  }

  /** Time of the last refused write while health still shows it; then null. */
  get refusedAtMs(): number | null {
    const { memory, now } = this.#ports;
    return isWithin(memory.refusedAtMs, SHOWN_MS, now()) ? memory.refusedAtMs : null;
  }

  #refused(cause: string): void {
    if (this.refusedAtMs === null) this.#ports.log("store_refuses", { cause });
    this.#ports.memory.refusedAtMs = this.#ports.now();
  }
}
