import { BCS_TYPE, JSON_TYPE } from "../../src/chain/media-types.ts";

/** The two forms in which the node answers. */
export type Format = "json" | "bcs";

/** What the node really sends. */
export const JSON_CONTENT_TYPE = `${JSON_TYPE}; charset=utf-8`;

/**
 * The form that an Accept field asks for: of the two media types, the one with the higher weight, the earlier at equal
 * weights. Anything else is JSON; the node never answers 406.
 */
export function formatOf(accept: string | null): Format {
  const ranges = (accept ?? "").split(",").map(parseRange);
  let best: { format: Format; weight: number } = { format: "json", weight: 0 };
  for (const { type, weight } of ranges) {
    const format = type === BCS_TYPE ? "bcs" : type === JSON_TYPE ? "json" : undefined;
    if (format !== undefined && weight > best.weight) best = { format, weight };
  }
  return best.format;
}

function parseRange(text: string): { type: string; weight: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const weight = given === undefined ? 1 : Number(given);
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}
