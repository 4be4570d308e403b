import type { UnlockSchedule } from "../../src/supply/schedule.ts";

const AMOUNTS = new Set(["maxSupply", "allocation", "genesis", "amount", "delta"]);

/** Parses the schedule that the build writes into the page: JSON whose amounts are digits in strings. */
export function parseSchedule(text: string): UnlockSchedule {
  return JSON.parse(text, (key, value) =>
    AMOUNTS.has(key) ? BigInt(value) : key === "figures" ? value.map(BigInt) : value,
  ) as UnlockSchedule; // written by `scheduleText` from a validated schedule
}
