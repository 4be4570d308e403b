import type { LocationHint } from "../config.ts";
import { placement } from "./location-hint.ts";

/** A class of objects, by name. Its calls have plain results instead of RPC types. */
export interface ObjectClass<Calls> {
  getByName(name: string, options: DurableObjectNamespaceGetDurableObjectOptions): Calls;
}

/** The object of that name, created near that region when it is called first. */
export function objectAt<Calls>(
  objects: ObjectClass<Calls>,
  name: string,
  region: string,
  homeRegion: LocationHint,
): Calls {
  return objects.getByName(name, placement(region, homeRegion));
}

/** Of every generation: nothing can refill its history. */
const HOME = "home";

/** The deployment's one home object. */
export function homeObject<Calls>(objects: ObjectClass<Calls>, homeRegion: LocationHint): Calls {
  return objectAt(objects, HOME, "world", homeRegion);
}

/** Whether a call failed because its object was replaced, as in a deployment: its successor answers at once. */
export function isReset(cause: unknown): boolean {
  return cause instanceof Error && "durableObjectReset" in cause;
}
