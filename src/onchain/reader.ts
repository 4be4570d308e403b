import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { familyOf } from "../families/family.ts";
import { LAST_GOOD_SECONDS } from "../figures.ts";
import type { Schedule } from "../supply/schedule.ts";
import { walletsOf } from "../supply/wallets.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { SharedValue } from "../swr/shared-value.ts";
import { accept, type Memory, NOTHING_KNOWN } from "./acceptance.ts";
import { type AskPorts, askNodes } from "./ask.ts";
import type { Reading } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** The token that a reading counts. */
export type ReadToken = "native" | "stable";

/** What is stored of one asset's readings. Plain data. */
export interface ReaderState extends Memory {
  readonly disagreement: Disagreement | null;
}

/** What reads a token, on one chain or on several. */
export interface TokenReader {
  readonly kept: SharedValue<Reading>;
  /** The last reading that counts, of any age; null: there is none. */
  readonly good: Sample<Reading> | null;
}

export interface ReaderPorts extends AskPorts {
  /** In logs. */
  readonly name: string;
  readonly rules: ReadingRules;
  readonly freshSeconds: number;
  /** The node that others have contradicted, about this token or another one; null: none. */
  readonly outvoted: () => string | null;
  readonly stored: ReaderState | null;
  readonly save: (state: ReaderState) => void;
  readonly log: Log;
}

/** A reading of at most this many calls for wallets is renewed that often; of more accordingly less often. */
export const FRESH_SECONDS = 30;
const WALLET_CALLS = 40;
/** A node that a third one contradicts is named, and asked last, for this long. */
const OUTVOTED_MS = 600_000;
const NOTHING: ReaderState = { ...NOTHING_KNOWN, disagreement: null };

/** How long a reading of the native token is fresh. On some chains each wallet costs a call, on others none does. */
export function freshSecondsOf(schedule: Schedule, { chains }: Pick<Config, "chains">): number {
  const costing = chains.filter(({ chain }) => !familyOf(chain.family).calls.readsWalletsTogether);
  const calls = walletsOf(schedule).filter((wallet) => costing.some(({ chain }) => chain.id === wallet.chain)).length;
  return FRESH_SECONDS * Math.max(1, Math.ceil(calls / WALLET_CALLS));
}

/** The readings of one asset, for one object. One that does not count leaves the last good one as it is. */
export class ChainReader implements TokenReader {
  readonly kept: SharedValue<Reading>;
  readonly #ports: ReaderPorts;
  #state: ReaderState;

  constructor(ports: ReaderPorts) {
    const { name, freshSeconds, now, log } = ports;
    this.#ports = ports;
    this.#state = ports.stored ?? NOTHING;
    this.kept = new SharedValue({
      name,
      freshSeconds,
      good: () => this.good,
      load: (nowMs) => this.#read(nowMs),
      now,
      log,
    });
  }

  get good(): Sample<Reading> | null {
    return this.#state.good;
  }

  /** What nodes disagree about, while it matters. */
  get disagreement(): Disagreement | null {
    const { disagreement } = this.#state;
    return disagreement !== null && isWithin(disagreement.atMs, OUTVOTED_MS, this.#ports.now()) ? disagreement : null;
  }

  /** The last confirmed version. */
  get floor(): bigint {
    return this.#state.floor;
  }

  async #read(atMs: number): Promise<LoadError | null> {
    const { rules, now } = this.#ports;
    const before = this.#state;
    const named = this.disagreement?.outvoted == null ? null : before.disagreement;
    const asked = await askNodes(this.#ports, {
      rules,
      // The decimals of the native token are the schedule's, by an invariant; they are read once to hold it.
      knownDecimals: before.good === null ? null : rules.decimals,
      // A reading that is too old to be served binds nothing: its version may have been a false one.
      floor: isWithin(before.good?.observedAtMs ?? null, LAST_GOOD_SECONDS * 1_000, now()) ? before.floor : 0n,
      outvoted: this.#ports.outvoted(),
    });
    if ("reason" in asked) {
      // What a single node reported before is contradicted: another report of its own does not repeat it.
      if (asked.disagreement !== null) this.#keep({ ...before, doubt: null, disagreement: asked.disagreement });
      return loadError(asked.reason);
    }
    const acceptance = accept(before, asked.agreement, rules, atMs);
    this.#keep({ ...acceptance.memory, disagreement: asked.disagreement ?? named });
    return "good" in acceptance ? null : loadError(acceptance.reason);
  }

  #keep(state: ReaderState): void {
    this.#state = state;
    this.#ports.save(state);
  }
}
