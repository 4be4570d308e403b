import type { Log } from "../base/log.ts";
import { now, within } from "../base/timers.ts";
import type { NodesAndStoreReport } from "../chain/upstream-report.ts";
import type { LocationHint } from "../config.ts";
import { homeObject, isReset, type ObjectClass } from "../placement/objects.ts";
import type { LastGood } from "../swr/loader.ts";
import type { ReadMode, SharedAnswer } from "../swr/shared-value.ts";
import type { HistoryStore } from "./history/history-handlers.ts";
import type { HealthChange } from "./history/rows.ts";
import type { Home } from "./home-object.ts";
import type { SharedValues } from "./readings.ts";

/** Calls of the home object, the one Durable Object of the deployment. No call rejects; null: it does not respond. */
export interface HomeCalls {
  /** Asks for a shared value. `ifNewerThan`: when the caller's copy was observed; null: it has no copy. */
  readonly getShared: <Name extends keyof SharedValues>(
    name: Name,
    ifNewerThan: number | null,
    mode: ReadMode,
  ) => Promise<SharedAnswer<SharedValues[Name]> | null>;
  readonly history: HistoryStore & {
    /** Records the rows of today; false: the object's store refuses them. */
    readonly recordToday: () => Promise<boolean | null>;
    readonly recordHealth: (change: HealthChange) => Promise<unknown>;
    /** Newest first. */
    readonly healthChanges: (count: number) => Promise<HealthChange[] | null>;
  };
  readonly lastGood: LastGood;
  /** Asks for the state of the upstreams. After a deployment an older object may answer, whose report lacks members. */
  readonly upstreamHealth: () => Promise<Partial<NodesAndStoreReport> | null>;
  /** Names the limiter objects whose tables are full. */
  readonly fullLimiters: () => Promise<readonly string[]>;
}

/** Methods of the object, with plain results instead of RPC types. */
type HomeObject = {
  [Name in Exclude<keyof Home, keyof DurableObject>]: (
    ...args: Parameters<Home[Name]>
  ) => PromiseLike<Awaited<ReturnType<Home[Name]>>>;
};

const DEADLINE_MS = 2_500;
/** Deadline of `health`: the object probes its upstreams before it answers. */
const HEALTH_DEADLINE_MS = 14_000;
/** Deadline of a reading: a node gets time to reach the version, and then its wallets are read. */
const READING_DEADLINE_MS = 25_000;

/** Calls the home object over RPC. The platform places it near `homeRegion` at its first call. */
export function homeCalls(objects: ObjectClass<HomeObject>, homeRegion: LocationHint, log: Log): HomeCalls {
  const failing = new Set<keyof HomeObject>();
  /** Calls a method; undefined when the object does not respond, which is logged once per outage and method. */
  const callObject = async <Name extends keyof HomeObject>(
    name: Name,
    argumentsOf: () => Parameters<Home[Name]>,
    deadlineMs = DEADLINE_MS,
  ) => {
    const call = async () => ({ value: await homeObject(objects, homeRegion)[name](...argumentsOf()) });
    const called = call().catch((cause) => (isReset(cause) ? call() : Promise.reject(cause)));
    const result = await within<Awaited<typeof called> | string>(deadlineMs, called.catch(String), "deadline");
    if (typeof result !== "string") {
      failing.delete(name);
      return result.value;
    }
    if (!failing.has(name)) log("home_unreachable", { call: name, cause: result });
    failing.add(name);
    return undefined;
  };
  /** Calls a method; null when the object does not respond. */
  const ask = async <Name extends keyof HomeObject>(...call: Parameters<typeof callObject<Name>>) =>
    (await callObject(...call)) ?? null;
  return {
    getShared: async <Name extends keyof SharedValues>(name: Name, ifNewerThan: number | null, mode: ReadMode) => {
      const deadlineMs = mode === "cached" ? DEADLINE_MS : READING_DEADLINE_MS;
      const answer = await ask("getShared", () => [name, ifNewerThan, mode, now()], deadlineMs);
      // Cast: the answer has the type of the named value.
      return answer as SharedAnswer<SharedValues[Name]> | null;
    },
    history: {
      recordToday: () => ask("recordToday", () => [now()]),
      figures: (days) => ask("figures", () => [days]),
      rates: (...days) => ask("rates", () => days),
      recordHealth: (change) => ask("recordHealth", () => [change]),
      healthChanges: (count) => ask("healthChanges", () => [count]),
    },
    lastGood: {
      get: (name) => callObject("lastGood", () => [name]),
      put: (...value) => callObject("putLastGood", () => value),
    },
    upstreamHealth: () => ask("health", () => [], HEALTH_DEADLINE_MS),
    fullLimiters: async () => (await ask("fullLimiters", () => [])) ?? [],
  };
}
