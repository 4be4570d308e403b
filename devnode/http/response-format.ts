import { BCS_TYPE, JSON_TYPE } from "../../src/chain/media-types.ts";
import { accepts, namedMediaType } from "../../src/http/content-negotiation.ts";

/** The two formats of a response. */
export type Format = "json" | "bcs";

/** The format that an Accept field selects; with `only`, JSON means that it excludes that form. Never a 406. */
export function formatOf(accept: string | null, only?: "bcs"): Format {
  const isBcs = only === "bcs" ? accepts(BCS_TYPE, accept) : namedMediaType(accept, [JSON_TYPE, BCS_TYPE]) === BCS_TYPE;
  return isBcs ? "bcs" : "json";
}
