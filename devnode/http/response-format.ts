import { BCS_TYPE, JSON_TYPE } from "../../src/chain/media-types.ts";
import { namedMediaType } from "../../src/http/content-negotiation.ts";

/** The two formats of a response. */
export type Format = "json" | "bcs";

/** The format that an Accept field selects. The node never answers 406. */
export function formatOf(accept: string | null): Format {
  return namedMediaType(accept, [JSON_TYPE, BCS_TYPE]) === BCS_TYPE ? "bcs" : "json";
}
