import { isWithin } from "../../base/utc.ts";
import type { Tip } from "../model/ledger.ts";
import type { UpstreamPool } from "../upstream/upstreams.ts";

interface TipWatchPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly era: () => number;
  readonly pool: UpstreamPool;
  /** Reads a ledger at or above a version from the upstreams, which confirms the tip or moves it. Never rejects. */
  readonly lookUp: (version: bigint) => Promise<void>;
}

/** Interval of tip checks, however many requests wait for them. */
const LOOK_UP_EVERY_MS = 1_000;
/**
 * Pause between two reads of upstreams that are below a version which the chain has: at most three repetitions a
 * second.
 */
const REPEAT_MS = 400;
/** Time for which a chain that moved has probably moved again, so that a tip check would only cost time. */
const MOVING_MS = 5_000;

/** Single loop of tip checks for one object. In an object, requests may share promises. */
export class TipWatch {
  readonly #ports: TipWatchPorts;
  #changedAtMs: number | null = null;
  #lookingUp: Promise<void> | null = null;
  #lookedUpAtMs: number | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(ports: TipWatchPorts) {
    this.#ports = ports;
    ports.pool.moved = () => this.#moved();
  }

  /** The tip; null in a new era until one of its ledgers is reported. */
  get tip(): Tip | null {
    const { pool, era } = this.#ports;
    return pool.tip?.era === era() ? pool.tip : null;
  }

  /** Whether the chain has not moved for some seconds, so that one check is likely to confirm all responses. */
  get isChainStill(): boolean {
    return !isWithin(this.#changedAtMs, MOVING_MS, this.#ports.now());
  }

  /** Resolves after a check that began within the last second. */
  async confirm(): Promise<void> {
    if (this.#lookingUp === null && this.#pauseMs() === 0) {
      this.#lookedUpAtMs = this.#ports.now();
      this.#lookingUp = this.#ports.lookUp(this.tip?.ledger.version ?? 0n).then(() => {
        this.#lookingUp = null;
      });
    }
    await this.#lookingUp;
  }

  /**
   * Waits until a version is known, at most `patienceMs`, with a check every second. If it is known already, pauses and
   * returns true.
   */
  async reach(version: bigint, patienceMs: number): Promise<boolean> {
    const { now, sleep } = this.#ports;
    if (this.#has(version)) {
      await sleep(Math.min(patienceMs, REPEAT_MS));
      return true;
    }
    const untilMs = now() + patienceMs;
    for (;;) {
      await this.confirm();
      const leftMs = untilMs - now();
      if (leftMs <= 0 || this.#has(version)) return this.#has(version);
      const change = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([change, sleep(Math.min(leftMs, this.#pauseMs()))]);
    }
  }

  #moved(): void {
    this.#changedAtMs = this.#ports.now();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #has(version: bigint): boolean {
    return (this.tip?.ledger.version ?? -1n) >= version;
  }

  /** Milliseconds until the next check may start. */
  #pauseMs(): number {
    const [atMs, nowMs] = [this.#lookedUpAtMs, this.#ports.now()];
    return atMs !== null && isWithin(atMs, LOOK_UP_EVERY_MS, nowMs) ? LOOK_UP_EVERY_MS - (nowMs - atMs) : 0;
  }
}
