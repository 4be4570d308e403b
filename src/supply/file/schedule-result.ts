import type { FileError } from "../../base/file/file-errors.ts";
import type { Schedule } from "../schedule.ts";

/** A valid schedule, or all errors of its file. */
export type ScheduleResult =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "errors"; readonly errors: readonly [FileError, ...FileError[]] };

/** Writes an error as one line for a terminal. */
export function scheduleErrorText(file: string, { path, message }: FileError): string {
  return path === "" ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}
