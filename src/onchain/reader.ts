import { LAST_GOOD_SECONDS } from "../base/last-good.ts";
import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import type { Disagreement } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import { familyOf } from "../families/family.ts";
import type { Schedule } from "../supply/schedule.ts";
import { walletsOf } from "../supply/wallets.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { SharedValue } from "../swr/shared-value.ts";
import { accept, NO_HISTORY, type ReadingHistory } from "./acceptance.ts";
import { type AskPorts, askNodes } from "./ask.ts";
import type { Reading } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** Token whose supply a reading has. */
export type CountedToken = "native" | "stable";

/** Stored state of the readings of one asset. Plain data. */
export interface ReaderState extends ReadingHistory {
  readonly disagreement: Disagreement | null;
}

/** Reader of a token, on one chain or on several. */
export interface TokenReader {
  readonly shared: SharedValue<Reading>;
  /** The last accepted reading, of any age; null: none was ever accepted. */
  readonly good: Sample<Reading> | null;
}

export interface ReaderPorts extends AskPorts {
  /** Name of the reading in logs. */
  readonly name: string;
  readonly rules: ReadingRules;
  readonly freshSeconds: number;
  /** Label of a node that a majority has contradicted about any token; null: no node. */
  readonly outvoted: () => string | null;
  readonly stored: ReaderState | null;
  readonly save: (state: ReaderState) => void;
  readonly log: Log;
}

/** Seconds until a reading is renewed, if its wallets cost at most {@link WALLET_CALLS}; more calls multiply them. */
export const FRESH_SECONDS = 30;
const WALLET_CALLS = 40;
/** How long health shows an outvoted node, which meanwhile is asked last. */
const OUTVOTED_MS = 600_000;
const NO_STATE: ReaderState = { ...NO_HISTORY, disagreement: null };

/** Computes how long a reading of the native token is fresh. In some families each wallet costs a call to the node. */
export function freshSecondsOf(schedule: Schedule, { chains }: Pick<Config, "chains">): number {
  const costing = chains.filter(({ chain }) => !familyOf(chain.family).calls.readsWalletsTogether);
  const calls = walletsOf(schedule).filter((wallet) => costing.some(({ chain }) => chain.id === wallet.chain)).length;
  return FRESH_SECONDS * Math.max(1, Math.ceil(calls / WALLET_CALLS));
}

/** Reads one asset on one chain. A rejected reading leaves the last accepted one in place. */
export class ChainReader implements TokenReader {
  readonly shared: SharedValue<Reading>;
  readonly #ports: ReaderPorts;
  #state: ReaderState;

  constructor(ports: ReaderPorts) {
    const { name, freshSeconds, now, log } = ports;
    this.#ports = ports;
    this.#state = ports.stored ?? NO_STATE;
    this.shared = new SharedValue({
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

  /** The last disagreement of nodes, for ten minutes. */
  get disagreement(): Disagreement | null {
    const { disagreement } = this.#state;
    return disagreement !== null && isWithin(disagreement.atMs, OUTVOTED_MS, this.#ports.now()) ? disagreement : null;
  }

  /** The ledger version of the last confirmed supply. */
  get floor(): bigint {
    return this.#state.floor;
  }

  async #read(atMs: number): Promise<LoadError | null> {
    const { rules, now } = this.#ports;
    const before = this.#state;
    const shownDisagreement = this.disagreement?.outvoted == null ? null : before.disagreement;
    const result = await askNodes(this.#ports, {
      rules,
      // Decimals are read once, to check them against the schedule; later readings do not ask for them.
      knownDecimals: before.good === null ? null : rules.decimals,
      // A reading too old to be served sets no floor: its version may have been false.
      floor: isWithin(before.good?.observedAtMs ?? null, LAST_GOOD_SECONDS * 1_000, now()) ? before.floor : 0n,
      outvoted: this.#ports.outvoted(),
    });
    if ("reason" in result) {
      // The nodes contradict one another, so an earlier lone report can no longer be confirmed by its repetition.
      if (result.disagreement !== null)
        this.#store({ ...before, unconfirmed: null, disagreement: result.disagreement });
      return loadError(result.reason);
    }
    const acceptance = accept(before, result.agreement, rules, atMs);
    this.#store({ ...acceptance.history, disagreement: result.disagreement ?? shownDisagreement });
    return "good" in acceptance ? null : loadError(acceptance.reason);
  }

  #store(state: ReaderState): void {
    this.#state = state;
    this.#ports.save(state);
  }
}
