import { BCS_TYPE, JSON_TYPE } from "../../src/chain/media-types.ts";
import { namedMediaType } from "../../src/http/content-negotiation.ts";

/** The two formats of a response. */
export type Format = "json" | "bcs";

/** The format that an Accept field selects, `preferred` where it selects none. The node never answers 406. */
export function formatOf(accept: string | null, preferred: Format = "json"): Format {
  const offered = preferred === "json" ? ([JSON_TYPE, BCS_TYPE] as const) : ([BCS_TYPE, JSON_TYPE] as const);
  return namedMediaType(accept, offered) === BCS_TYPE ? "bcs" : "json";
}
