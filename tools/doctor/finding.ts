import type { AddressFile } from "../../src/addresses/registered-address.ts";
import type { RatesMappingFile } from "../../src/rates/mapping.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { Finding } from "../lib/finding.ts";
import type { Answers } from "./probe.ts";

/** Data with which the deployment is compared. */
export interface Baseline {
  /** Schedule of this checkout; null: it is not compared. */
  readonly schedule: Schedule | null;
  /** Token on the first chain by the settings; absent: the settings are not known. */
  readonly asset?: string;
  readonly isLocal: boolean;
  /** Registered addresses of this checkout; absent or null: it has none. */
  readonly addresses?: AddressFile | null;
  /** Mapping of the listing of this checkout; absent or null: it has none. */
  readonly ratesMapping?: RatesMappingFile | null;
}

interface CheckIdentity {
  readonly name: string;
  /**
   * Whether a problem is the version's own, so that it must not serve. Otherwise nodes, time or the zone cause it, as
   * with any version.
   */
  readonly isOfVersion: boolean;
}

export interface Check extends CheckIdentity {
  readonly find: (answers: Answers, expected: Baseline) => Finding;
}

export interface CheckResult extends CheckIdentity, Finding {}

/** Width of the column of names: the length of the longest. */
const NAME_WIDTH = "receivers".length;

/** Writes one line for a check that passed, or one for each problem, then one for each warning. */
export function findingText({ name, is, problems, warnings = [] }: Pick<CheckResult, "name"> & Finding): string {
  const line = (mark: string, text: string) => `${mark.padEnd(4)}  ${name.padEnd(NAME_WIDTH)}  ${text}`;
  return [
    ...(problems.length === 0 ? [line("ok", is)] : problems.map((problem) => line("FAIL", problem))),
    ...warnings.map((warning) => line("warn", warning)),
  ].join("\n");
}

/** Writes how many checks passed. */
export function passedText(found: readonly CheckResult[]): string {
  const passed = found.filter(({ problems }) => problems.length === 0).length;
  return `${passed} of ${found.length} checks passed.`;
}

/** Writes every finding, then the number of checks that passed. */
export function reportText(found: readonly CheckResult[]): string {
  return [...found.map(findingText), passedText(found)].join("\n");
}
