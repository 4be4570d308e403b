import type { LocationHint } from "../config.ts";
import { placement } from "../placement/location-hint.ts";
import type { Days, FigureRow, HealthChange, HistoryStore, RateRow } from "./rows.ts";

/** Name of the deployment's only object. Raise the version when a table changes its meaning. */
const NAME = "history-v1";
const HOME = "world";

/** The object's calls, with plain results instead of RPC types. */
interface HistoryNamespace {
  idFromName(name: string): DurableObjectId;
  get(
    id: DurableObjectId,
    options: DurableObjectNamespaceGetDurableObjectOptions,
  ): {
    record(day: string, figures: readonly FigureRow[], rates: readonly RateRow[]): PromiseLike<number>;
    figures(days: Days): PromiseLike<FigureRow[]>;
    rates(product: string, days: Days): PromiseLike<RateRow[]>;
    recordHealth(change: HealthChange): PromiseLike<unknown>;
    healthChanges(count: number): PromiseLike<HealthChange[]>;
  };
}

/** The history in its Durable Object, in the home region. Failed calls return null. */
export function storedHistory(namespace: HistoryNamespace, home: LocationHint): HistoryStore {
  type Remote = ReturnType<HistoryNamespace["get"]>;
  const call = async <T>(send: (object: Remote) => PromiseLike<T>): Promise<T | null> => {
    try {
      return await send(namespace.get(namespace.idFromName(NAME), placement(HOME, home)));
    } catch {
      return null;
    }
  };
  return {
    record: (day, figures, rates) => call((object) => object.record(day, figures, rates)),
    figures: (days) => call((object) => object.figures(days)),
    rates: (product, days) => call((object) => object.rates(product, days)),
    recordHealth: (change) => call((object) => object.recordHealth(change)),
    healthChanges: (count) => call((object) => object.healthChanges(count)),
  };
}
