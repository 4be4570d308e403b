import type { Log } from "../base/log.ts";
import type { Config } from "../config.ts";
import type { Schedule } from "../supply/schedule.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { SharedValue } from "../swr/shared-value.ts";
import { type ChainState, combineChains } from "./combine-chains.ts";
import type { TokenReader } from "./reader.ts";
import type { Reading } from "./reading.ts";
import { violatedByToken } from "./rules.ts";

/** A chain of the token and what reads it; null: its nodes are not configured. */
export interface ReadChain {
  readonly id: string;
  readonly reader: TokenReader | null;
}

export interface RoundPorts {
  readonly schedule: Schedule;
  readonly freshSeconds: number;
  readonly settings: Pick<Config, "supplyStepPercent" | "aboveMaxPercent">;
  /** The first chain first. */
  readonly chains: readonly ReadChain[];
  readonly stored: Sample<Reading> | null;
  readonly save: (good: Sample<Reading>) => void;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Reads a token on several chains, in rounds. A round asks every chain anew and accepts each reading by itself; it
 * begins at most once per freshness time, also while a chain is away. A sum is never made of two rounds, because a
 * transfer between them would count twice.
 */
export class RoundReader implements TokenReader {
  readonly kept: SharedValue<Reading>;
  readonly #ports: RoundPorts;
  #good: Sample<Reading> | null;

  constructor(ports: RoundPorts) {
    const { freshSeconds, stored, now, log } = ports;
    this.#ports = ports;
    this.#good = stored;
    this.kept = new SharedValue({
      name: "native_reading",
      freshSeconds,
      retrySeconds: freshSeconds,
      good: () => this.#good,
      load: (nowMs) => this.#round(nowMs),
      now,
      log,
    });
  }

  /** The last round, a chain of which may be missing. */
  get good(): Sample<Reading> | null {
    return this.#good;
  }

  /** Asks one chain after the other, because an object has few connections. */
  async #round(atMs: number): Promise<LoadError | null> {
    const { schedule, settings, chains, save } = this.#ports;
    const states: ChainState[] = [];
    for (const chain of chains) states.push(await readAnew(chain));
    const combined = combineChains(schedule, states, this.#good, settings.supplyStepPercent, atMs);
    if (combined === null) return loadError(`${states[0]?.id}: ${states[0]?.failed}`);
    const violated = violatedByToken(schedule, settings.aboveMaxPercent, combined.value);
    if (violated !== null) return loadError(violated);
    this.#good = combined;
    save(combined);
    return null;
  }
}

async function readAnew({ id, reader }: ReadChain): Promise<ChainState> {
  if (reader === null) return { id, good: null, failed: "this deployment does not read it" };
  const before = reader.good;
  const { error } = await reader.kept.get(null, "force");
  // Not by its time: the clock may have been set back.
  const isNew = reader.good !== before;
  return { id, good: reader.good, failed: isNew ? null : (error ?? "no reading was accepted") };
}
