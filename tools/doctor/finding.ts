import type { Schedule } from "../../src/supply/schedule.ts";
import type { Answers } from "./probe.ts";

/** What one check found: what it looked at, what is wrong with it, and what an operator should know. */
export interface Finding {
  readonly is: string;
  /** Plain sentences with the remedy. */
  readonly problems: readonly string[];
  readonly warnings?: readonly string[];
}

/** What the deployment is compared with. */
export interface Expected {
  /** The schedule file of this checkout; null: it is not compared. */
  readonly schedule: Schedule | null;
  readonly isLocal: boolean;
}

export interface Check {
  readonly name: string;
  readonly find: (answers: Answers, expected: Expected) => Finding;
}

/** One line per check and one per further problem or warning, then the verdict. */
export function reportText(found: readonly (Finding & { readonly name: string })[]): string {
  const width = Math.max(...found.map(({ name }) => name.length));
  const line = (mark: string, name: string, text: string) => `${mark.padEnd(4)}  ${name.padEnd(width)}  ${text}`;
  const lines = found.flatMap(({ name, is, problems, warnings = [] }) => [
    ...(problems.length === 0 ? [line("ok", name, is)] : problems.map((problem) => line("FAIL", name, problem))),
    ...warnings.map((warning) => line("warn", name, warning)),
  ]);
  const passed = found.filter(({ problems }) => problems.length === 0).length;
  return [...lines, `${passed} of ${found.length} checks passed.`].join("\n");
}
