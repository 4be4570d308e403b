import type { UpstreamsReport } from "../chain/upstream-report.ts";
import type { LocationHint } from "../config.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { ReadingSource } from "../holdings/reader.ts";
import type { Log } from "../log.ts";
import { homeObject, type ObjectClass } from "../placement/objects.ts";
import { type LastGood, loadError } from "../swr/loader.ts";
import { within } from "../timers.ts";
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

export function homeCalls(objects: ObjectClass<HomeObject>, homeRegion: LocationHint, log: Log): HomeCalls {
  /** Undefined when the object does not respond. */
  const find = async <T>(
    call: (home: HomeObject) => PromiseLike<T>,
    deadlineMs = DEADLINE_MS,
  ): Promise<T | undefined> => {
    const work = async () => ({ value: await call(homeObject(objects, homeRegion)) });
    const result = await within<{ readonly value: T } | string>(deadlineMs, work().catch(String), "deadline");
    if (typeof result !== "string") return result.value;
    log("home_unreachable", { cause: result });
    return undefined;
  };
  /** Null when the object does not respond. */
  const ask = async <T>(...of: Parameters<typeof find<T>>) => (await find(...of)) ?? null;
  return {
    lastGood: {
      get: (name) => find((home) => home.lastGood(name)),
      put: (...value) => find((home) => home.putLastGood(...value)),
    },
    history: {
      record: (...rows) => ask((home) => home.record(...rows)),
      figures: (days) => ask((home) => home.figures(days)),
      rates: (...days) => ask((home) => home.rates(...days)),
      productMeans: (...of) => ask((home) => home.productMeans(...of)),
      recordHealth: (change) => ask((home) => home.recordHealth(change)),
      healthChanges: (count) => ask((home) => home.healthChanges(count)),
    },
    upstreamHealth: () => ask((home) => home.health(), HEALTH_DEADLINE_MS),
    readings: {
      last: (token) => find((home) => home.lastReading(token)),
      read: async (token) =>
        (await ask((home) => home.reading(token), READING_DEADLINE_MS)) ??
        loadError("the object that reads the chain does not answer"),
    },
    fullLimiters: async () => (await ask((home) => home.fullLimiters())) ?? [],
  };
}
