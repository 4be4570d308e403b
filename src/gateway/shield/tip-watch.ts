import type { KnownTip } from "../tip/known-tip.ts";
import type { Ledger } from "../tip/ledger-headers.ts";

export interface TipWatchPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Reads a ledger at or above a version from the upstreams; null when none has one. Never rejects. */
  readonly lookUp: (version: bigint) => Promise<Ledger | null>;
  /** A higher epoch became known: the chain must be recognized again. */
  readonly onEpoch: (epoch: number) => void;
}

/** At most one tip check in this time, however many requests wait for it. */
const LOOK_UP_EVERY_MS = 1_000;
/** Requests that wait for a second after a check also wait for the next one. */
const LAST_GRACE_MS = 100;

/** An object's knowledge of the tip, and its single loop of tip checks. In an object, requests may share promises. */
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

  /** Starts a new epoch: what was known belongs to the replaced chain. */
  enter(epoch: number): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    this.#ledger = null;
    this.#confirmedAtMs = this.#changedAtMs = Number.NEGATIVE_INFINITY;
    this.#ports.onEpoch(epoch);
    this.#wake();
  }

  /** An upstream reported a trusted ledger. An older one changes nothing. */
  report(ledger: Ledger): void {
    const known = this.#ledger;
    if (known !== null && ledger.version < known.version) return;
    this.#confirmedAtMs = this.#ports.now();
    if (known !== null && ledger.version === known.version) return;
    this.#ledger = ledger;
    this.#changedAtMs = this.#confirmedAtMs;
    this.#wake();
  }

  /** Resolves after a check that began within the last second. */
  async confirm(): Promise<void> {
    if (this.#lookingUp === null && this.#pauseMs() > 0) return;
    await (this.#lookingUp ?? this.#lookUp());
  }

  /** Whether a version is known now or within `patienceMs`, during which at least one check runs. */
  async reach(version: bigint, patienceMs: number): Promise<boolean> {
    const { now, sleep } = this.#ports;
    const untilMs = now() + patienceMs;
    for (let [isLookedUp, isLast] = [false, false]; !isLast && !this.#has(version); ) {
      const leftMs = untilMs - now();
      const pauseMs = this.#lookingUp === null ? this.#pauseMs() : 0;
      isLast = isLookedUp && pauseMs > leftMs + LAST_GRACE_MS;
      if (isLast || pauseMs > 0) await Promise.race([this.#change(), sleep(isLast ? Math.max(0, leftMs) : pauseMs)]);
      else await (this.#lookingUp ?? this.#lookUp());
      isLookedUp ||= pauseMs === 0;
    }
    return this.#has(version);
  }

  #has(version: bigint): boolean {
    return this.#ledger !== null && this.#ledger.version >= version;
  }

  /** Until the next check may start. A backward clock step never prolongs it. */
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
