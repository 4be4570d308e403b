import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { nextPlannedUnlock } from "../../src/supply/unlock-events.ts";
import { colorOf } from "./bands.ts";
import { changeOf, dayOf, share } from "./format.ts";
import { type Content, el } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

/** Contents of the allocations' lines that depend on the instant, by the ids of their elements. The build writes the rest. */
export function allocationsNow(
  schedule: UnlockSchedule,
  timeline: Pick<Timeline, "bands">,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  const { decimals } = schedule.token;
  const step = stepAt(schedule, nowMs);
  const parts = bucketsOf(schedule).flatMap(({ id, allocation }) => {
    const unlocked = step?.buckets.find((one) => one.id === id)?.circulating ?? 0n;
    const width = allocation > 0n ? Number((unlocked * 10_000n) / allocation) / 100 : 0;
    const next = nextPlannedUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY, id);
    const end =
      next !== undefined
        ? `Next: ${changeOf(next.amount, decimals)} on ${dayOf(next.atMs)}.`
        : unlocked >= allocation
          ? "All unlocked."
          : unlocked > 0n
            ? "Nothing more unlocks."
            : "";
    return [
      [
        `allocation-bar-${id}`,
        [el("rect", { width: `${width}%`, height: "100%", fill: colorOf(timeline, id) })],
      ] as const,
      [`allocation-part-${id}`, [`${share(unlocked, allocation)} unlocked`]] as const,
      [`allocation-next-${id}`, [end]] as const,
    ];
  });
  return Object.fromEntries(parts);
}
