import { CachedCopy, type Patience } from "../../../src/swr/cached-copy.ts";
import type { FreshnessPolicy } from "../../../src/swr/cached-value.ts";
import { type LoadError, loadError, type Sample } from "../../../src/swr/loader.ts";
import { type ReadMode, type SharedAnswer, SharedValue } from "../../../src/swr/shared-value.ts";

export const READING: FreshnessPolicy = {
  freshSeconds: 30,
  revalidateSeconds: 3_600,
  maxStaleSeconds: 3_600,
  sharedSeconds: 30,
};
export const LISTING: FreshnessPolicy = {
  freshSeconds: 600,
  revalidateSeconds: 3_900,
  maxStaleSeconds: 86_400,
  sharedSeconds: 60,
};

/** An upstream that answers a running number, the object that reads it, and isolates with copies of it. */
export function sharedValueWorld(policy: FreshnessPolicy = READING) {
  const world = {
    nowMs: 0,
    /** Why readings fail; null: they do not. */
    fails: null as string | null,
    /** Readings do not end before this does. */
    hangs: false,
    /** The object does not answer. */
    isAway: false,
    readings: 0,
    asked: [] as ReadMode[],
    logged: [] as string[],
    unconfirmed: [] as readonly string[],
    /** Value of the object; replacing the chain removes it. */
    good: null as Sample<number> | null,
  };
  const turn = () => new Promise((next) => setImmediate(next));
  const load = async (nowMs: number): Promise<LoadError | null> => {
    world.readings += 1;
    const value = world.readings;
    await turn();
    while (world.hangs) await turn();
    if (world.fails !== null) return loadError(world.fails);
    world.good = { kind: "observed", value, observedAtMs: nowMs };
    return null;
  };
  const ports = {
    name: "figure",
    freshSeconds: policy.freshSeconds,
    load,
    good: () => world.good,
    unconfirmed: () => world.unconfirmed,
    now: () => world.nowMs,
    log: (event: string) => void world.logged.push(event),
  };
  const shared = new SharedValue<number>(ports);
  const behind: Promise<unknown>[] = [];
  const isolate = (
    ask = async (have: number | null, wanted: ReadMode): Promise<SharedAnswer<number> | null> => {
      world.asked.push(wanted);
      return world.isAway ? null : shared.get(have, wanted);
    },
  ) => {
    const copy = new CachedCopy<number>({
      policy,
      ask,
      now: () => world.nowMs,
      // Time passes while somebody waits, a turn of the event loop for each second.
      pause: async (milliseconds) => {
        for (let passed = 0; passed < milliseconds; passed += 1_000) {
          await turn();
          world.nowMs += 1_000;
        }
      },
    });
    /** Reads at a second without waiting for the work behind the response. */
    const answered = async (second: number, patience?: Patience) => {
      world.nowMs = second * 1_000;
      const when = { nowMs: world.nowMs, waitUntil: (work: Promise<unknown>) => void behind.push(work) };
      const found = await copy.read(when, patience);
      return found.kind === "cached" ? [found.value, found.origin, found.ageSeconds] : [found.reason];
    };
    const settle = async () => {
      while (behind.length > 0) await Promise.all(behind.splice(0));
    };
    /** Reads at a second and waits for the work behind the response. */
    const at = async (second: number, patience?: Patience) => {
      const found = await answered(second, patience);
      await settle();
      return found;
    };
    return { copy, at, answered, settle };
  };
  return { world, shared, ports, isolate, turn };
}
