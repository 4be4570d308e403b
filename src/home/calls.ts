import type { Log } from "../base/log.ts";
import { now, within } from "../base/timers.ts";
import type { UpstreamsReport } from "../chain/upstream-report.ts";
import type { LocationHint } from "../config.ts";
import { homeObject, isReset, type ObjectClass } from "../placement/objects.ts";
import type { LastGood } from "../swr/loader.ts";
import type { ReadMode, SharedAnswer } from "../swr/shared-value.ts";
import type { HistoryStore } from "./history/history-handlers.ts";
import type { HealthChange } from "./history/rows.ts";
import type { Home } from "./home-object.ts";
import type { ReadTable } from "./readings.ts";

/** What the home object reads and keeps, for the rest of the Worker. No call rejects; null: it does not respond. */
export interface HomeCalls {
  /** What it has read, for one whose copy was observed then. */
  readonly say: <Name extends keyof ReadTable>(
    name: Name,
    have: number | null,
    wanted: ReadMode,
  ) => Promise<SharedAnswer<ReadTable[Name]> | null>;
  readonly history: HistoryStore & {
    /** Records what was read today; false: its store refuses it. */
    readonly today: () => Promise<boolean | null>;
    readonly recordHealth: (change: HealthChange) => Promise<unknown>;
    /** Newest first. */
    readonly healthChanges: (count: number) => Promise<HealthChange[] | null>;
  };
  readonly lastGood: LastGood;
  /** After a deployment it may be of the version before, whose report lacks members. */
  readonly upstreamHealth: () => Promise<Partial<UpstreamsReport> | null>;
  /** The limiter objects whose tables are full. */
  readonly fullLimiters: () => Promise<readonly string[]>;
}

/** The object's calls, with plain results instead of RPC types. */
type HomeObject = {
  [Name in Exclude<keyof Home, keyof DurableObject>]: (
    ...args: Parameters<Home[Name]>
  ) => PromiseLike<Awaited<ReturnType<Home[Name]>>>;
};

const DEADLINE_MS = 2_500;
/** Its upstreams are probed meanwhile. */
const HEALTH_DEADLINE_MS = 14_000;
/** One node may be waited for until it has reached the version; then the holdings are read. */
const READING_DEADLINE_MS = 25_000;

/** The home object, over RPC; placed near `homeRegion` when it is called first. */
export function homeCalls(objects: ObjectClass<HomeObject>, homeRegion: LocationHint, log: Log): HomeCalls {
  const failing = new Set<keyof HomeObject>();
  /** Undefined when the object does not respond, which is logged once for each outage of each call. */
  const find = async <Name extends keyof HomeObject>(
    name: Name,
    of: () => Parameters<Home[Name]>,
    deadlineMs = DEADLINE_MS,
  ) => {
    const call = async () => ({ value: await homeObject(objects, homeRegion)[name](...of()) });
    const called = call().catch((cause) => (isReset(cause) ? call() : Promise.reject(cause)));
    const found = await within<Awaited<typeof called> | string>(deadlineMs, called.catch(String), "deadline");
    if (typeof found !== "string") {
      failing.delete(name);
      return found.value;
    }
    if (!failing.has(name)) log("home_unreachable", { call: name, cause: found });
    failing.add(name);
    return undefined;
  };
  /** Null when the object does not respond. */
  const ask = async <Name extends keyof HomeObject>(...of: Parameters<typeof find<Name>>) =>
    (await find(...of)) ?? null;
  return {
    say: async <Name extends keyof ReadTable>(name: Name, have: number | null, wanted: ReadMode) => {
      const deadlineMs = wanted === "cached" ? DEADLINE_MS : READING_DEADLINE_MS;
      const said = await ask("say", () => [name, have, wanted, now()], deadlineMs);
      // Cast: what is said is of the name.
      return said as SharedAnswer<ReadTable[Name]> | null;
    },
    history: {
      today: () => ask("today", () => [now()]),
      figures: (days) => ask("figures", () => [days]),
      rates: (...days) => ask("rates", () => days),
      recordHealth: (change) => ask("recordHealth", () => [change]),
      healthChanges: (count) => ask("healthChanges", () => [count]),
    },
    lastGood: {
      get: (name) => find("lastGood", () => [name]),
      put: (...value) => find("putLastGood", () => value),
    },
    upstreamHealth: () => ask("health", () => [], HEALTH_DEADLINE_MS),
    fullLimiters: async () => (await ask("fullLimiters", () => [])) ?? [],
  };
}
