import type { LocationHint } from "../config.ts";
import { placement } from "../placement/location-hint.ts";
import type { History } from "./durable-object.ts";
import type { HistoryStore } from "./rows.ts";

/** Name of the deployment's only object. Raise the version when a table changes its meaning. */
const NAME = "history-v1";
const HOME = "world";

type Calls = "record" | "figures" | "rates" | "recordHealth" | "healthChanges";

/** The object's calls, with plain results instead of RPC types. */
type Remote = { [Name in Calls]: (...args: Parameters<History[Name]>) => PromiseLike<ReturnType<History[Name]>> };

interface HistoryNamespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId, options: DurableObjectNamespaceGetDurableObjectOptions): Remote;
}

/** The history in its Durable Object, in the home region. Failed calls return null. */
export function storedHistory(namespace: HistoryNamespace, home: LocationHint): HistoryStore {
  const call = async <T>(send: (object: Remote) => PromiseLike<T>): Promise<T | null> => {
    try {
      return await send(namespace.get(namespace.idFromName(NAME), placement(HOME, home)));
    } catch {
      return null;
    }
  };
  return {
    record: (...row) => call((object) => object.record(...row)),
    figures: (days) => call((object) => object.figures(days)),
    rates: (...wanted) => call((object) => object.rates(...wanted)),
    recordHealth: (change) => call((object) => object.recordHealth(change)),
    healthChanges: (count) => call((object) => object.healthChanges(count)),
  };
}
