import type { LocationHint } from "../config.ts";
import { placement } from "../placement/location-hint.ts";
import type { History } from "./durable-object.ts";

/** Name of the deployment's only object. Raise the version when a table changes its meaning. */
const NAME = "history-v1";
const HOME = "world";

type Calls = "record" | "figures" | "rates" | "recordHealth" | "healthChanges";

/** The object's calls, with plain results instead of RPC types. */
type Remote = { [Name in Calls]: (...args: Parameters<History[Name]>) => PromiseLike<ReturnType<History[Name]>> };

/** The stored history. Calls never reject; null: the store did not respond. */
export type HistoryStore = { readonly [Name in Calls]: Call<Name> };
type Call<Name extends Calls> = (...args: Parameters<History[Name]>) => Promise<ReturnType<History[Name]> | null>;

interface HistoryNamespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId, options: DurableObjectNamespaceGetDurableObjectOptions): Remote;
}

/** The history in its Durable Object, in the home region. */
export function storedHistory(namespace: HistoryNamespace, home: LocationHint): HistoryStore {
  const call =
    <Name extends Calls>(name: Name): Call<Name> =>
    async (...args) => {
      try {
        return await namespace.get(namespace.idFromName(NAME), placement(HOME, home))[name](...args);
      } catch {
        return null;
      }
    };
  return {
    record: call("record"),
    figures: call("figures"),
    rates: call("rates"),
    recordHealth: call("recordHealth"),
    healthChanges: call("healthChanges"),
  };
}
