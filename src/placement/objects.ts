import type { LocationHint } from "../config.ts";
import { placement } from "./location-hint.ts";

/** A class of Durable Objects, whose instances have names. Its calls return plain results instead of RPC types. */
export interface ObjectClass<Calls> {
  getByName(name: string, options: DurableObjectNamespaceGetDurableObjectOptions): Calls;
}

/** Returns the object of a name; the first call creates it near that region. */
export function objectAt<Calls>(
  objects: ObjectClass<Calls>,
  name: string,
  region: string,
  homeRegion: LocationHint,
): Calls {
  return objects.getByName(name, placement(region, homeRegion));
}

/** Name of the home object. Unlike other names it never changes, because nothing can refill the object's history. */
const HOME = "home";

/** Returns the home object, of which a deployment has exactly one. */
export function homeObject<Calls>(objects: ObjectClass<Calls>, homeRegion: LocationHint): Calls {
  return objectAt(objects, HOME, "world", homeRegion);
}

/**
 * Whether a call failed because its object was replaced, as in a deployment. A repeated call reaches the successor at
 * once.
 */
export function isReset(cause: unknown): boolean {
  return cause instanceof Error && "durableObjectReset" in cause;
}
