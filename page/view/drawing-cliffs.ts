import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { type Cliff, cliffsOf } from "./cliffs.ts";
import { type DrawnNow, isEarly } from "./drawing-now.ts";
import type { Places } from "./drawing-places.ts";
import { monthOf } from "./format.ts";
import { el, type Markup } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

/** Sizes in percent of a wide drawing: height of a line of text, width of a character, width of today's value. */
const [LINE, CHARACTER, TODAY] = [6.2, 0.75, 13];
const MAX_NOTES = 2;
const MAX_CHARACTERS = 34;
/** Distance of the first line of text from above: the maximum's line is higher. */
const FIRST_LINE = 6.5;

/** Rectangle on a wide drawing, in percent from the left and from above. */
interface Box {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

/** Writes the largest cliffs above their steps, if they have room. */
export function cliffNotes(
  schedule: UnlockSchedule,
  timeline: Timeline,
  places: Places,
  now: DrawnNow | undefined,
): Markup[] {
  const taken: Box[] = now === undefined ? [] : [todayBox(now), { from: now.left, to: now.left, top: 0, bottom: 100 }];
  const notes: Markup[] = [];
  for (const cliff of cliffsOf(schedule).slice(0, MAX_NOTES)) {
    const lines = linesOf(cliff, timeline);
    const room = roomFor(
      cliff.index,
      Math.max(...lines.map(({ length }) => length)) * CHARACTER,
      timeline,
      places,
      taken,
    );
    if (room === undefined) continue;
    taken.push(room);
    notes.push(...noteAt(lines, room, places.left(cliff.index), stepTop(timeline, places, cliff.index)));
  }
  return notes;
}

function noteAt(lines: readonly string[], { from, top }: Box, left: number, end: number): Markup[] {
  const [x, isLeft] = [`${left}%`, from < left];
  const rows = lines.map((words, row) =>
    el("tspan", { x, dx: isLeft ? "-.5em" : ".5em", dy: row === 0 ? "1em" : "1.2em" }, words),
  );
  return [
    el("line", { class: "cliff wide", x1: x, x2: x, y1: `${top}%`, y2: `${end}%` }),
    el("text", { class: "wide", y: `${top}%`, "text-anchor": isLeft ? "end" : "start" }, ...rows),
  ];
}

const stepTop = ({ steps }: Timeline, { top }: Places, index: number): number => top(steps[index]?.total ?? 0n);

function todayBox(now: DrawnNow): Box {
  const [from, to] = isEarly(now) ? [now.left, now.left + TODAY] : [now.left - TODAY, now.left];
  return { from: from - 1, to: to + 1, top: now.top - 2 * LINE, bottom: now.top };
}

/** Finds room for a note above the steps and beside its line, at the right or else at the left. */
function roomFor(
  index: number,
  wide: number,
  timeline: Timeline,
  places: Places,
  taken: readonly Box[],
): Box | undefined {
  const x = places.left(index);
  const count = timeline.steps.length;
  const round = (percent: number): number => Math.round(percent * 10) / 10;
  const boxes = [x, x - wide].flatMap((from): Box[] => {
    const highest = from < x ? index : Math.min(count - 1, Math.ceil(((from + wide) / 100) * count));
    const lowest = stepTop(timeline, places, highest) - LINE / 3;
    // The note stands just above the steps, or above the notes that are there.
    const bottoms = [lowest, ...taken.map(({ top }) => top)].filter((bottom) => bottom <= lowest);
    return bottoms.map((bottom) => ({ from, to: from + wide, top: round(bottom - 2.4 * LINE), bottom: round(bottom) }));
  });
  return boxes.find(
    (box) => box.from >= 0 && box.to <= 100 && box.top >= FIRST_LINE && !taken.some((other) => overlaps(box, other)),
  );
}

const overlaps = (one: Box, other: Box): boolean =>
  one.from < other.to && other.from < one.to && one.top < other.bottom && other.top < one.bottom;

/** Describes a cliff in two lines: `Nov 2023: 12-month cliff ends`, `Investors, Core contributors`. */
function linesOf({ index, length: { count, unit }, labels }: Cliff, { steps }: Timeline): readonly string[] {
  const day = monthOf((steps[index]?.atSeconds ?? 0) * 1_000);
  const names = labels.join(", ");
  return [
    `${day}: ${count}-${unit} cliff ends`,
    names.length > MAX_CHARACTERS ? `${labels.length} allocations` : names,
  ];
}
