import type { Schedule } from "../schedule.ts";

/** A valid schedule, or all errors of its file. */
export type ScheduleResult =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "errors"; readonly errors: readonly [ScheduleError, ...ScheduleError[]] };

/** An error and its place in the file: `buckets[0].allocation`; "" is the whole file. */
export interface ScheduleError {
  readonly path: string;
  readonly message: string;
}

/** Writes an error as one line for a terminal. */
export function scheduleErrorText(file: string, { path, message }: ScheduleError): string {
  return path === "" ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}
