import { join } from "node:path";
import { buildSchedule } from "../../tools/schedule/build.ts";

/**
 * Runs once before any test: the schedule that the Worker imports is built from the tests' own file, which
 * `vitest.config.ts` names, so that no test depends on the operator's. Afterwards the operator's is built again.
 */
export function setup(): () => void {
  buildSchedule();
  return () => void buildSchedule(join(import.meta.dirname, "../../schedule/native.json"));
}
