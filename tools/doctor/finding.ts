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

/** One line per check and one per further problem or warning, then the verdict. */
export function reportText(found: readonly Found[]): string {
  const width = Math.max(...found.map(({ name }) => name.length));
  const line = (mark: string, name: string, text: string) => `${mark.padEnd(4)}  ${name.padEnd(width)}  ${text}`;
  const lines = found.flatMap(({ name, is, problems, warnings = [] }) => [
    ...(problems.length === 0 ? [line("ok", name, is)] : problems.map((problem) => line("FAIL", name, problem))),
    ...warnings.map((warning) => line("warn", name, warning)),
  ]);
  const passed = found.filter(({ problems }) => problems.length === 0).length;
  return [...lines, `${passed} of ${found.length} checks passed.`].join("\n");
}
