import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { readSchedule, unlockScheduleOf } from "../../tools/schedule/files.ts";

/** Schedule of a file that is known to have unlocks. */
export function readUnlockSchedule(path: string): UnlockSchedule {
  return unlockScheduleOf(readSchedule(path));
}
