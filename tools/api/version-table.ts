import { DAY_MS, parseDay } from "../../src/base/utc.ts";
import type { VersionEntry } from "../../src/http/api-version.ts";

const NOTICE_DAYS = 180;

/** Lists the errors of a version table, which stop the build (specification, Versioning 4). */
export function versionTableErrors(table: readonly VersionEntry[]): string[] {
  const errors: string[] = [];
  for (const { version, deprecatedOn, removedOn } of table) {
    for (const day of [deprecatedOn, removedOn])
      if (day !== null && parseDay(day) === undefined) errors.push(`version ${version}: ${day} is not a valid date`);
    if (removedOn === null) continue;
    if (deprecatedOn === null) errors.push(`version ${version}: removed on ${removedOn} without an announcement`);
    else if (daysFrom(deprecatedOn, removedOn) < NOTICE_DAYS)
      errors.push(`version ${version}: removed on ${removedOn}, fewer than ${NOTICE_DAYS} days after ${deprecatedOn}`);
  }
  if (new Set(table.map(({ version }) => version)).size !== table.length)
    errors.push("a version is listed more than once");
  return errors;
}

function daysFrom(first: string, last: string): number {
  return ((parseDay(last) ?? Number.NaN) - (parseDay(first) ?? Number.NaN)) / DAY_MS;
}
