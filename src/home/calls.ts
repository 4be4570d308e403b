import type { UpstreamsReport } from "../chain/upstream-report.ts";
import type { LocationHint } from "../config.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { ReadingSource } from "../holdings/reader.ts";
import type { Log } from "../log.ts";
import { homeObject, isReset, type ObjectClass } from "../placement/objects.ts";
import { type LastGood, loadError } from "../swr/loader.ts";
import { now, within } from "../timers.ts";
import type { Home } from "./durable-object.ts";

/** What the home object keeps, for the rest of the Worker. No call rejects. */
export interface HomeCalls {
  readonly lastGood: LastGood;
  readonly history: HistoryStore;
  /** null: it does not respond. After a deployment it may be of the version before, whose report lacks members. */
  readonly upstreamHealth: () => Promise<Partial<UpstreamsReport> | null>;
  readonly readings: ReadingSource;
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

const DEADLINE = "deadline";

/** The home object, over RPC; placed near `homeRegion` when it is called first. */
export function homeCalls(objects: ObjectClass<HomeObject>, homeRegion: LocationHint, log: Log): HomeCalls {
  const failing = new Set<keyof HomeObject>();
  /** The result, or why there is none, which is logged once for each outage of each call. */
  const attempt = async <Name extends keyof HomeObject>(
    name: Name,
    of: () => Parameters<Home[Name]>,
    deadlineMs = DEADLINE_MS,
  ) => {
    const call = async () => ({ value: await homeObject(objects, homeRegion)[name](...of()) });
    const called = call().catch((cause) => (isReset(cause) ? call() : Promise.reject(cause)));
    const found = await within<Awaited<typeof called> | string>(deadlineMs, called.catch(String), DEADLINE);
    if (typeof found !== "string") failing.delete(name);
    else if (!failing.has(name)) {
      failing.add(name);
      log("home_unreachable", { call: name, cause: found });
    }
    return found;
  };
  /** Undefined when the object does not respond. */
  const find = async <Name extends keyof HomeObject>(...of: Parameters<typeof attempt<Name>>) => {
    const found = await attempt(...of);
    return typeof found === "string" ? undefined : found.value;
  };
  /** Null when the object does not respond. */
  const ask = async <Name extends keyof HomeObject>(...of: Parameters<typeof attempt<Name>>) =>
    (await find(...of)) ?? null;
  return {
    lastGood: {
      get: (name) => find("lastGood", () => [name]),
      put: (...value) => find("putLastGood", () => value),
    },
    history: {
      record: (...rows) => ask("record", () => [...rows, now()]),
      figures: (days) => ask("figures", () => [days]),
      rates: (...days) => ask("rates", () => days),
      productMeans: (...of) => ask("productMeans", () => of),
      recordHealth: (change) => ask("recordHealth", () => [change]),
      healthChanges: (count) => ask("healthChanges", () => [count]),
    },
    upstreamHealth: () => ask("health", () => [], HEALTH_DEADLINE_MS),
    readings: {
      last: (token) => find("lastReading", () => [token, now()]),
      read: async (token) => {
        const found = await attempt("reading", () => [token, now()], READING_DEADLINE_MS);
        if (typeof found !== "string") return found.value;
        return loadError(found === DEADLINE ? "the reading takes too long" : "the object that reads the chain fails");
      },
    },
    fullLimiters: async () => (await ask("fullLimiters", () => [])) ?? [],
  };
}
