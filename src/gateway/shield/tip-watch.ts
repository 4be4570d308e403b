import type { LedgerPoint } from "../../chain/ledger-point.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { KnownTip } from "../tip/ledger-mark.ts";

export interface TipWatchPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Asks the upstreams for a ledger at or above a version; null when none has one. Never rejects. */
  readonly lookUp: (version: bigint) => Promise<Ledger | null>;
  /** A higher epoch was heard of: the chain is to be recognized anew. */
  readonly onEpoch: (epoch: number) => void;
}

/** One look-up of the ledger in this time, however many wait for it. */
const LOOK_UP_EVERY_MS = 1_000;
/** Who waits for a second from a look-up on waits for the next one too. */
const LAST_GRACE_MS = 100;

/** What one object knows of the tip, and its one loop of look-ups. In an object requests may share promises. */
export class TipWatch {
  readonly #ports: TipWatchPorts;
  #epoch: number;
  #ledger: Ledger | null = null;
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #lookingUp: Promise<void> | null = null;
  #lookedUpAtMs = Number.NEGATIVE_INFINITY;
  #waiting: (() => void)[] = [];

  constructor(ports: TipWatchPorts, epoch: number) {
    this.#ports = ports;
    this.#epoch = epoch;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get tip(): KnownTip | null {
    if (this.#ledger === null) return null;
    return { epoch: this.#epoch, ledger: this.#ledger, confirmedAtMs: this.#confirmedAtMs };
  }

  get changedAtMs(): number {
    return this.#changedAtMs;
  }

  /** Whether a point is the newest that is known. */
  isAt(point: LedgerPoint): boolean {
    return point.epoch === this.#epoch && point.version === this.#ledger?.version;
  }

  /** The chain was replaced, as was found here or heard of: what is known is of the one before. */
  enter(epoch: number): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    this.#ledger = null;
    this.#confirmedAtMs = this.#changedAtMs = Number.NEGATIVE_INFINITY;
    this.#ports.onEpoch(epoch);
    this.#wake();
  }

  /** An upstream reported a ledger that is believed. One that is behind changes nothing. */
  report(ledger: Ledger): void {
    const known = this.#ledger;
    if (known !== null && ledger.version < known.version) return;
    this.#confirmedAtMs = this.#ports.now();
    if (known !== null && ledger.version === known.version) return;
    this.#ledger = ledger;
    this.#changedAtMs = this.#confirmedAtMs;
    this.#wake();
  }

  /** Resolves after a look-up that began within the last second. */
  async confirm(): Promise<void> {
    if (this.#lookingUp === null && this.#pauseMs() > 0) return;
    await (this.#lookingUp ?? this.#lookUp());
  }

  /** Whether a version is known at once, or within `patienceMs`, in which there is at least one look-up. */
  async reach(version: bigint, patienceMs: number): Promise<boolean> {
    const { now, sleep } = this.#ports;
    const untilMs = now() + patienceMs;
    for (let isLookedUp = false; !this.#has(version); ) {
      const leftMs = untilMs - now();
      const pauseMs = this.#lookingUp === null ? this.#pauseMs() : 0;
      if (isLookedUp && pauseMs > leftMs + LAST_GRACE_MS) {
        await Promise.race([this.#change(), sleep(Math.max(0, leftMs))]);
        return this.#has(version);
      }
      if (pauseMs > 0) await Promise.race([this.#change(), sleep(pauseMs)]);
      else {
        await (this.#lookingUp ?? this.#lookUp());
        isLookedUp = true;
      }
    }
    return true;
  }

  #has(version: bigint): boolean {
    return this.#ledger !== null && this.#ledger.version >= version;
  }

  /** Until the next look-up may begin. A clock that was set back delays none. */
  #pauseMs(): number {
    const sinceMs = this.#ports.now() - this.#lookedUpAtMs;
    return sinceMs < 0 ? 0 : Math.max(0, LOOK_UP_EVERY_MS - sinceMs);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async #lookUp(): Promise<void> {
    this.#lookedUpAtMs = this.#ports.now();
    const epoch = this.#epoch;
    this.#lookingUp = this.#ports.lookUp(this.#ledger?.version ?? 0n).then((ledger) => {
      this.#lookingUp = null;
      if (ledger !== null && epoch === this.#epoch) this.report(ledger);
    });
    await this.#lookingUp;
  }
}
