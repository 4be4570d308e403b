import type { LocationHint } from "../config.ts";
import { placement } from "../placement/location-hint.ts";
import type { History } from "./durable-object.ts";
import type { HistoryStore } from "./rows.ts";

/** Name of the deployment's only object. Raise the version when a table changes its meaning. */
const NAME = "history-v1";
const HOME = "world";

/** The history in its Durable Object, in the home region. Failed calls return null. */
export function storedHistory(namespace: DurableObjectNamespace<History>, home: LocationHint): HistoryStore {
  const stub = () => namespace.get(namespace.idFromName(NAME), placement(HOME, home));
  // RPC results have their own type; `then` returns the plain one.
  const silent = async <T>(call: () => Promise<T>): Promise<T | null> => {
    try {
      return await call();
    } catch {
      return null;
    }
  };
  return {
    record: (day, figures, rates) =>
      silent(() =>
        stub()
          .record(day, figures, rates)
          .then(() => undefined),
      ),
    figures: (days) =>
      silent(() =>
        stub()
          .figures(days)
          .then((rows) => rows),
      ),
    rates: (product, days) =>
      silent(() =>
        stub()
          .rates(product, days)
          .then((rows) => rows),
      ),
    recordHealth: (change) =>
      silent(() =>
        stub()
          .recordHealth(change)
          .then(() => undefined),
      ),
    healthChanges: (count) =>
      silent(() =>
        stub()
          .healthChanges(count)
          .then((changes) => changes),
      ),
  };
}
