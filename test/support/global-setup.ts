import { buildSchedule } from "../../tools/schedule/build.ts";

/** Runs once before any test: the schedule that the Worker imports is made from `schedule/native.json`. */
export function setup(): void {
  buildSchedule();
}
