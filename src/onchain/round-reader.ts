import type { Log } from "../base/log.ts";
import type { Config } from "../config.ts";
import type { Schedule } from "../supply/schedule.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { SharedValue } from "../swr/shared-value.ts";
import { combineChains, type RoundResult } from "./combine-chains.ts";
import type { TokenReader } from "./reader.ts";
import type { Reading } from "./reading.ts";
import { violatedTokenInvariant } from "./rules.ts";

/** A chain of the token with its reader; null: its nodes are not configured. */
export interface RoundChain {
  readonly id: string;
  readonly reader: TokenReader | null;
}

export interface RoundPorts {
  readonly schedule: Schedule;
  readonly freshSeconds: number;
  readonly settings: Pick<Config, "supplyStepPercent" | "aboveMaxPercent">;
  /** The first chain first. */
  readonly chains: readonly RoundChain[];
  readonly stored: Sample<Reading> | null;
  readonly save: (good: Sample<Reading>) => void;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Reads a token on several chains in rounds, at most one per freshness time, even while a chain is missing. A round
 * reads every chain and accepts or rejects each reading. A sum never mixes two rounds: a transfer between chains would
 * be counted twice.
 */
export class RoundReader implements TokenReader {
  readonly shared: SharedValue<Reading>;
  readonly #ports: RoundPorts;
  #good: Sample<Reading> | null;

  constructor(ports: RoundPorts) {
    const { freshSeconds, stored, now, log } = ports;
    this.#ports = ports;
    this.#good = stored;
    this.shared = new SharedValue({
      name: "native_reading",
      freshSeconds,
      retrySeconds: freshSeconds,
      good: () => this.#good,
      load: (nowMs) => this.#round(nowMs),
      now,
      log,
    });
  }

  /** Reading of the last round; chains may be missing in it. */
  get good(): Sample<Reading> | null {
    return this.#good;
  }

  /** Reads the chains one after the other, because a Durable Object has few connections. */
  async #round(atMs: number): Promise<LoadError | null> {
    const { schedule, settings, chains, save } = this.#ports;
    const states: RoundResult[] = [];
    for (const chain of chains) states.push(await readAnew(chain));
    const combined = combineChains(schedule, states, this.#good, settings.supplyStepPercent, atMs);
    if (combined === null) return loadError(`${states[0]?.id}: ${states[0]?.failure}`);
    const violated = violatedTokenInvariant(schedule, settings.aboveMaxPercent, combined.value);
    if (violated !== null) return loadError(violated);
    this.#good = combined;
    save(combined);
    return null;
  }
}

/** Reads a chain now, whatever the age of its last reading. */
async function readAnew({ id, reader }: RoundChain): Promise<RoundResult> {
  if (reader === null) return { id, good: null, failure: "this deployment does not read it" };
  const before = reader.good;
  const { error } = await reader.shared.get(null, "force");
  // The readings are compared by identity, not by time: the clock may have been set back.
  const isNew = reader.good !== before;
  return { id, good: reader.good, failure: isNew ? null : (error ?? "no reading was accepted") };
}
