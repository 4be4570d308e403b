import type { Ledger } from "./ledger-headers.ts";
import {
  dueToAsk,
  glance,
  heard,
  type Lease,
  lease,
  published,
  publishInMs,
  type Tip,
  tipAtStart,
} from "./tip-lease.ts";

export interface HeadPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Asks the upstreams for their ledger; null when none answers. Never rejects. */
  readonly askLedger: () => Promise<Ledger | null>;
  /** Keeps the tip over an eviction. */
  readonly remember: (ledger: Ledger) => void;
}

/** What the rest of the gateway sees of the published tip. Neither ever rejects. */
export interface Head {
  /** Never waits for a tip that rises: what it gives is published, if only for the asking request. */
  lease(): Promise<Lease>;
  /** Reports a later ledger; resolves once it is published, with a lease on what is. */
  advance(ledger: Ledger): Promise<Lease>;
}

/** Every attempt to ask that fails is followed by a pause, so that a dead upstream costs the readers no wait. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** The region's one tip. Lives in one object, where requests may wait on one another's promises. */
export class TipKeeper implements Head {
  readonly #ports: HeadPorts;
  #tip: Tip;
  #publishing: Promise<void> | null = null;
  #asking: Promise<void> | null = null;
  #noAskBeforeMs = 0;
  /** Whether the tip is this keeper's own: what it remembers may be less than what was shown before it. */
  #hasPublished = false;

  constructor(ports: HeadPorts, remembered: Ledger | null) {
    this.#ports = ports;
    this.#tip = tipAtStart(remembered, ports.now());
  }

  get published(): Ledger | null {
    return this.#tip.ledger;
  }

  async lease(): Promise<Lease> {
    const due = dueToAsk(this.#tip, this.#ports.now());
    if (due !== "no" && this.#ports.now() >= this.#noAskBeforeMs) {
      const asking = this.#ask();
      if (due === "wait") await asking;
    }
    const risesOnOurs = this.#tip.rising !== null && this.#hasPublished;
    return risesOnOurs ? glance(this.#tip, this.#ports.now()) : this.#grant();
  }

  async advance(ledger: Ledger): Promise<Lease> {
    this.#hear(ledger);
    return this.#grant();
  }

  /** Waits up to `milliseconds` for the tip to reach a version, asking again and again. */
  async reach(version: bigint, milliseconds: number): Promise<Lease> {
    const untilMs = this.#ports.now() + milliseconds;
    let granted = await this.lease();
    while ((granted.ledger?.version ?? -1n) < version && this.#ports.now() < untilMs) {
      await this.#ask();
      granted = await this.#grant();
      if ((granted.ledger?.version ?? -1n) < version) await this.#ports.sleep(Math.min(milliseconds / 10, 100));
    }
    return granted;
  }

  async #grant(): Promise<Lease> {
    for (;;) {
      const granted = lease(this.#tip, this.#ports.now());
      if (granted !== undefined) {
        this.#tip = granted.tip;
        return granted.lease;
      }
      await (this.#publishing ?? this.#ports.sleep(1));
    }
  }

  #hear(ledger: Ledger): void {
    this.#tip = heard(this.#tip, ledger, this.#ports.now());
    if (this.#publishing === null) this.#startPublishing();
  }

  /** What begins to rise in the turn in which another was published is not forgotten. */
  #startPublishing(): void {
    if (this.#tip.rising === null) return;
    this.#publishing = this.#publish().finally(() => {
      this.#publishing = null;
      this.#startPublishing();
    });
  }

  async #publish(): Promise<void> {
    for (;;) {
      const waitMs = publishInMs(this.#tip, this.#ports.now());
      if (waitMs === null || waitMs === 0) break;
      await this.#ports.sleep(waitMs);
    }
    this.#tip = published(this.#tip);
    this.#hasPublished = true;
    if (this.#tip.ledger !== null) this.#ports.remember(this.#tip.ledger);
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#ports.askLedger().then((ledger) => {
      this.#asking = null;
      if (ledger === null) this.#noAskBeforeMs = this.#ports.now() + PAUSE_AFTER_FAILURE_MS;
      else this.#hear(ledger);
    });
    return this.#asking;
  }
}
