import type { AddressFile } from "../../src/addresses/registered-address.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { Finding } from "../lib/finding.ts";
import type { Answers } from "./probe.ts";

/** What the deployment is compared with. */
export interface Expected {
  /** The schedule file of this checkout; null: it is not compared. */
  readonly schedule: Schedule | null;
  /** The token on the first chain, as the settings name it; absent: they are not known. */
  readonly asset?: string;
  readonly isLocal: boolean;
  /** The registered addresses of this checkout; absent or null: it has none. */
  readonly addresses?: AddressFile | null;
}

interface Examined {
  readonly name: string;
  /** A problem is one of the version, which must not serve; else of nodes, the time or the zone, as with any version. */
  readonly isOfVersion: boolean;
}

export interface Check extends Examined {
  readonly find: (answers: Answers, expected: Expected) => Finding;
}

export interface Found extends Examined, Finding {}

/** Columns of a check's name; the longest has as many letters. */
const NAME_WIDTH = "receivers".length;

/** One line for a check that passed, or one for each problem; then one for each warning. */
export function findingText({ name, is, problems, warnings = [] }: Pick<Found, "name"> & Finding): string {
  const line = (mark: string, text: string) => `${mark.padEnd(4)}  ${name.padEnd(NAME_WIDTH)}  ${text}`;
  return [
    ...(problems.length === 0 ? [line("ok", is)] : problems.map((problem) => line("FAIL", problem))),
    ...warnings.map((warning) => line("warn", warning)),
  ].join("\n");
}

/** The number of checks that passed. */
export function verdictText(found: readonly Found[]): string {
  const passed = found.filter(({ problems }) => problems.length === 0).length;
  return `${passed} of ${found.length} checks passed.`;
}

/** Every finding, then the verdict. */
export function reportText(found: readonly Found[]): string {
  return [...found.map(findingText), verdictText(found)].join("\n");
}
