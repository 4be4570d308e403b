/**
 * The offered media type that an Accept header prefers (RFC 9110 section 12.5.1); `offered[0]` when the header is
 * absent or accepts none, because some trackers send unusual Accept headers.
 */
export function preferredMediaType(accept: string | null, offered: readonly string[]): string {
  const fallback = offered[0] ?? "";
  if (accept === null || accept === "*/*") return fallback;
  const ranges = accept.split(",").map(parseRange);
  let best = fallback;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

/**
 * The negotiation rule of this family of nodes: only exact media types count, the highest weight wins, then the
 * earliest range; `offered[0]` when none is named. Shared by the gateway and the embedded node, which must agree.
 */
export function namedMediaType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  let best: { readonly type: T; readonly quality: number } = { type: offered[0], quality: 0 };
  for (const { type, quality } of (accept ?? "").split(",").map(parseRange)) {
    const named = offered.find((candidate) => candidate === type);
    if (named !== undefined && quality > best.quality) best = { type: named, quality };
  }
  return best.type;
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

/** The most specific matching range decides, not the highest weight. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const wanted of [type, family, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === wanted);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
