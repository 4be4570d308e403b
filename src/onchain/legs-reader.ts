import type { Log } from "../base/log.ts";
import type { Config } from "../config.ts";
import type { Schedule } from "../supply/schedule.ts";
import { Kept } from "../swr/kept.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { joinLegs, type LegState } from "./legs.ts";
import type { TokenReader } from "./reader.ts";
import type { Reading } from "./reading.ts";
import { brokenSum } from "./rules.ts";

/** One leg and what reads it; null: its nodes are not configured. */
export interface ReadLeg {
  readonly id: string;
  readonly reader: TokenReader | null;
}

export interface LegsPorts {
  readonly schedule: Schedule;
  readonly freshSeconds: number;
  readonly settings: Pick<Config, "supplyStepPercent" | "aboveMaxPercent">;
  /** The first chain first. */
  readonly legs: readonly ReadLeg[];
  readonly stored: Sample<Reading> | null;
  readonly save: (good: Sample<Reading>) => void;
  readonly now: () => number;
  readonly log: Log;
}

const NOT_READ = "this deployment does not read it";

/** For what part of that a leg's own reading is: less, so that those that are joined are read together. */
export const LEG_FRESH = 2 / 3;

/** The readings of a token on several chains. Each leg is judged by itself; what counts of them is one reading. */
export class LegsReader implements TokenReader {
  readonly kept: Kept<Reading>;
  readonly #ports: LegsPorts;
  #good: Sample<Reading> | null;

  constructor(ports: LegsPorts) {
    const { freshSeconds, stored, now, log } = ports;
    this.#ports = ports;
    this.#good = stored;
    this.kept = new Kept({
      name: "native_reading",
      freshSeconds,
      good: () => this.#good,
      load: (nowMs) => this.#read(nowMs),
      now,
      log,
    });
  }

  get good(): Sample<Reading> | null {
    return this.#good;
  }

  /** One leg after the other, because an object has few connections. */
  async #read(atMs: number): Promise<LoadError | null> {
    const { schedule, settings, legs, save } = this.#ports;
    const states: LegState[] = [];
    for (const { id, reader } of legs) {
      const failed = reader === null ? NOT_READ : (await reader.kept.say(null, "fresh")).failed;
      states.push({ id, good: reader?.good ?? null, failed });
    }
    const error = states.find(({ failed }) => failed !== null && failed !== NOT_READ);
    const failure = error === undefined ? null : loadError(`${error.id}: ${error.failed}`);
    const joined = joinLegs(schedule, states, this.#good, settings.supplyStepPercent);
    if (joined === null) return failure ?? loadError("the first chain was never read");
    const broken = brokenSum(schedule, settings.aboveMaxPercent, joined.value);
    if (broken !== null) return failure ?? loadError(broken);
    // It is as old as its oldest leg: one that is not newer says nothing new. One of a time to come is from before the
    // clock was set back.
    const before = this.#good;
    if (before === null || joined.observedAtMs > before.observedAtMs || before.observedAtMs > atMs) {
      this.#good = joined;
      save(joined);
    }
    return failure;
  }
}
