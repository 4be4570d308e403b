import type { Schedule } from "../../src/supply/schedule.ts";
import type { ShapeError } from "../json-schema.ts";

/** A valid schedule, or all errors of its file. */
export type ScheduleResult =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "errors"; readonly errors: readonly [ScheduleError, ...ScheduleError[]] };

export type ScheduleError = ShapeError;

/** One line for a terminal. */
export function scheduleErrorText(file: string, { path, message }: ScheduleError): string {
  return path === "" ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}
