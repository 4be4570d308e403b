import { memoByObject } from "../base/memo.ts";
import type { Failure } from "./failure.ts";

/** An API version and its retirement. Dates are `YYYY-MM-DD` and mean 00:00:00 UTC of that day. */
export interface VersionEntry {
  readonly version: string;
  /** Day on which the retirement was announced; `Deprecation` is sent from then on. */
  readonly deprecatedOn: string | null;
  /** Day from which the version answers 410; `Sunset` is sent from the announcement on. */
  readonly removedOn: string | null;
  /** URL of a page about the successor version. */
  readonly successor: string | null;
}

/** Every version ever released. A removal is announced at least 180 days ahead (specification, Versioning 4). */
export const VERSIONS: readonly VersionEntry[] = [
  { version: "1", deprecatedOn: null, removedOn: null, successor: null },
];

export const CURRENT_VERSION = "1";

type VersionChoice =
  | { readonly kind: "served"; readonly entry: VersionEntry }
  | Extract<Failure, { kind: "unsupported_version" | "version_removed" }>;

/** Parses `X-API-Version`: absent means current; an unknown or removed version is a failure. */
export function chooseVersion(
  requested: string | null,
  nowMs: number,
  table: readonly VersionEntry[] = VERSIONS,
): VersionChoice {
  // Spaces around a header's value are not part of it (RFC 9110 section 5.5), but not every reverse proxy removes them.
  const version = requested?.trim() ?? CURRENT_VERSION;
  const entry = table.find((row) => row.version === version);
  if (entry === undefined) {
    const served = table.filter((row) => !isRemoved(row, nowMs)).map((row) => row.version);
    return { kind: "unsupported_version", requested: version, served };
  }
  if (isRemoved(entry, nowMs)) return { kind: "version_removed", version, successor: entry.successor };
  return { kind: "served", entry };
}

/**
 * Headers of a version: `X-API-Version`, by which shared caches distinguish versions (RFC 9111 section 4.1). From the
 * announcement of its retirement on, also `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and their links.
 */
export function versionHeaders(entry: VersionEntry, nowMs: number): Readonly<Record<string, string>> {
  return nowMs < instant(entry.deprecatedOn) ? currentHeaders(entry) : retirementHeaders(entry);
}

const currentHeaders = memoByObject(({ version }: VersionEntry): Readonly<Record<string, string>> => {
  return { "X-API-Version": version, Vary: "X-API-Version" };
});

function retirementHeaders(entry: VersionEntry): Readonly<Record<string, string>> {
  const { deprecatedOn, removedOn, successor } = entry;
  const headers: Record<string, string> = { ...currentHeaders(entry), Deprecation: `@${instant(deprecatedOn) / 1000}` };
  if (removedOn !== null) headers["Sunset"] = new Date(instant(removedOn)).toUTCString();
  const relations = removedOn === null ? ["deprecation"] : ["deprecation", "sunset"];
  if (successor !== null)
    headers["Link"] = relations.map((rel) => `<${successor}>; rel="${rel}"; type="text/html"`).join(", ");
  return headers;
}

function isRemoved({ removedOn }: VersionEntry, nowMs: number): boolean {
  return nowMs >= instant(removedOn);
}

/** Milliseconds since the epoch; infinity, which is never reached, without a day. */
function instant(day: string | null): number {
  return day === null ? Number.POSITIVE_INFINITY : Date.parse(day);
}
