import type { Schedule } from "../../src/supply/schedule.ts";

/** A valid schedule, or everything that is wrong with its file. */
export type ScheduleResult =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "errors"; readonly errors: readonly [ScheduleError, ...ScheduleError[]] };

/** What is wrong with a file, and where in it: `buckets[0].allocation`; "" is the file as a whole. */
export interface ScheduleError {
  readonly path: string;
  readonly message: string;
}

/** One line for a terminal. */
export function scheduleErrorText(file: string, { path, message }: ScheduleError): string {
  return path === "" ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}
