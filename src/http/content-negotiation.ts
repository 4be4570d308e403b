import { JSON_TYPE } from "../chain/media-types.ts";

/**
 * Whether an Accept header prefers plain text to JSON (RFC 9110 section 12.5.1). False when it is absent or accepts
 * neither, because some trackers send unusual headers.
 */
export function prefersText(accept: string | null): boolean {
  if (accept === null || accept === "*/*") return false;
  const ranges = accept.split(",").map(parseRange);
  return qualityOf("text/plain", ranges) > qualityOf(JSON_TYPE, ranges);
}

/**
 * Chooses a media type by the rule of Move nodes: only exact types count, and the highest weight wins, then the
 * earliest. Without a named type it is `offered[0]`. The gateway and the embedded node share it, because they must
 * agree.
 */
export function namedMediaType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  let best: { readonly type: T; readonly quality: number } = { type: offered[0], quality: 0 };
  for (const { type, quality } of (accept ?? "").split(",").map(parseRange)) {
    const named = offered.find((candidate) => candidate === type);
    if (named !== undefined && quality > best.quality) best = { type: named, quality };
  }
  return best.type;
}

/**
 * Whether an Accept header admits a type, by name or by a range. For resources with a single representation. An absent
 * header admits everything.
 */
export function accepts(type: string, accept: string | null): boolean {
  return accept === null || qualityOf(type, accept.split(",").map(parseRange)) > 0;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Weight of a type. The most specific matching range decides, not the highest weight. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const pattern of [type, family, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
