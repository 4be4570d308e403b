import type { HeaderSet } from "./respond.ts";

/** The life of one API version. Dates are `YYYY-MM-DD`, meaning 00:00:00 UTC of that day. */
export interface VersionEntry {
  readonly version: string;
  /** When the announcement began; from then on `Deprecation` is sent. */
  readonly deprecatedOn: string | null;
  /** When the version stops answering; from the announcement on `Sunset` is sent. */
  readonly removedOn: string | null;
  /** Page that tells what to use instead. */
  readonly successor: string | null;
}

/** Every version there has been. A removal is announced at least 180 days ahead (specification, Versioning 4). */
export const VERSIONS: readonly VersionEntry[] = [
  { version: "1", deprecatedOn: null, removedOn: null, successor: null },
];

export const CURRENT_VERSION = "1";
export const NOTICE_DAYS = 180;
const DAY_MS = 86_400_000;

/** What is wrong with a version table, in words; empty when nothing is. A table with faults must not start. */
export function versionTableErrors(table: readonly VersionEntry[]): string[] {
  const faults: string[] = [];
  for (const { version, deprecatedOn, removedOn } of table) {
    for (const day of [deprecatedOn, removedOn])
      if (day !== null && !isDay(day)) faults.push(`version ${version}: ${day} is no day`);
    if (removedOn === null) continue;
    if (deprecatedOn === null) faults.push(`version ${version}: removed on ${removedOn} without an announcement`);
    else if (instant(removedOn) - instant(deprecatedOn) < NOTICE_DAYS * DAY_MS)
      faults.push(`version ${version}: removed on ${removedOn}, fewer than ${NOTICE_DAYS} days after ${deprecatedOn}`);
  }
  if (new Set(table.map((life) => life.version)).size !== table.length) faults.push("a version is listed twice");
  return faults;
}

export type VersionChoice =
  | { readonly kind: "served"; readonly life: VersionEntry }
  | { readonly kind: "unsupported_version"; readonly requested: string; readonly served: readonly string[] }
  | { readonly kind: "version_removed"; readonly version: string; readonly successor: string | null };

/** Reads `X-API-Version`: absent means current; what is not in the table, or no longer served, is a failure. */
export function chooseVersion(
  requested: string | null,
  nowMs: number,
  table: readonly VersionEntry[] = VERSIONS,
): VersionChoice {
  // Blanks around a field's value are no part of it (RFC 9110 section 5.5); not every front takes them off.
  const wanted = requested?.trim() ?? CURRENT_VERSION;
  const life = table.find((row) => row.version === wanted);
  if (life === undefined)
    return { kind: "unsupported_version", requested: wanted, served: servedVersions(nowMs, table) };
  if (isRemoved(life, nowMs)) return { kind: "version_removed", version: life.version, successor: life.successor };
  return { kind: "served", life };
}

function servedVersions(nowMs: number, table: readonly VersionEntry[]): string[] {
  return table.filter((life) => !isRemoved(life, nowMs)).map((life) => life.version);
}

const fieldsOfLives = new WeakMap<VersionEntry, HeaderSet>();

/** `X-API-Version`, and for a version being retired `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and their links. */
export function versionHeaders(life: VersionEntry): HeaderSet {
  const known = fieldsOfLives.get(life);
  if (known !== undefined) return known;
  const fields = spelledLife(life);
  fieldsOfLives.set(life, fields);
  return fields;
}

function spelledLife(life: VersionEntry): HeaderSet {
  const fields: Record<string, string> = { "X-API-Version": life.version };
  if (life.deprecatedOn === null) return fields;
  fields["Deprecation"] = `@${instant(life.deprecatedOn) / 1000}`;
  const links: string[] = [];
  if (life.successor !== null) links.push(`<${life.successor}>; rel="deprecation"; type="text/html"`);
  if (life.removedOn !== null) {
    fields["Sunset"] = new Date(instant(life.removedOn)).toUTCString();
    if (life.successor !== null) links.push(`<${life.successor}>; rel="sunset"; type="text/html"`);
  }
  if (links.length > 0) fields["Link"] = links.join(", ");
  return fields;
}

function isRemoved(life: VersionEntry, nowMs: number): boolean {
  return life.removedOn !== null && nowMs >= instant(life.removedOn);
}

/** `YYYY-MM-DD` that the calendar has: some dates that it lacks are read as others. */
function isDay(day: string): boolean {
  const at = instant(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

function instant(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
