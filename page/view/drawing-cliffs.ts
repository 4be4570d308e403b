import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { type Cliff, cliffsOf } from "./cliffs.ts";
import { type DrawnNow, isEarly } from "./drawing-now.ts";
import type { Places } from "./drawing-places.ts";
import { monthOf } from "./format.ts";
import { lengthOf } from "./lengths.ts";
import { el, type Markup } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

/** Width of a character in percent of a wide drawing. */
const CHARACTER = 0.75;
/** Height of a note in lines: two of them, without the space above. */
const NOTE = 2.2;
const MAX_NOTES = 2;
const MAX_CHARACTERS = 34;
/** Distance of the first line of text from above: the maximum's line is higher. */
const FIRST_LINE = 6.5;

/** Rectangle on a wide drawing, in percent from the left and from above. */
type Box = readonly [from: number, to: number, top: number, bottom: number];

/** Height of a line of text, and width of today's value, in percent of a wide drawing. */
export const LINE = 6.2;
const TODAY = 13;

/** Returns the boxes of today's line and value. */
function todayBoxes(now: DrawnNow | undefined): readonly Box[] {
  if (now === undefined) return [];
  const { left, top } = now;
  const [from, to] = isEarly(now) ? [left, left + TODAY] : [left - TODAY, left];
  return [
    [left, left, 0, 100],
    [from - 1, to + 1, top - 2 * LINE, top],
  ];
}

const overlaps = ([from, to, top, bottom]: Box, others: readonly Box[]): boolean =>
  others.some((other) => from < other[1] && other[0] < to && top < other[3] && other[2] < bottom);

/**
 * Writes the largest cliffs above their steps, if they have room on the day of the build. `data-reached` has the places
 * of the line of today at which it, or its value, would be on the note: the page's script hides the note there.
 */
export function cliffNotes(
  schedule: UnlockSchedule,
  timeline: Timeline,
  places: Places,
  now: DrawnNow | undefined,
): Markup[] {
  const taken: Box[] = [...todayBoxes(now)];
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
    notes.push(
      noteAt(
        lines,
        room,
        places.left(cliff.index),
        stepTop(timeline, places, cliff.index),
        reachedAt(room, timeline, places, now?.left ?? 0),
      ),
    );
  }
  return notes;
}

/**
 * Returns the first and the last place, from that of the build on, at which the line of today or its value is on a note.
 */
function reachedAt(note: Box, { steps }: Timeline, { left, top }: Places, built: number): readonly number[] {
  const reached = steps.flatMap(({ total }, index) =>
    [left(index), left(index + 1)].filter(
      (at) => at > built && overlaps(note, todayBoxes({ left: at, top: top(total), text: "" })),
    ),
  );
  return [Math.min(101, ...reached), Math.max(0, ...reached)];
}

function noteAt(lines: readonly string[], box: Box, left: number, end: number, reached: readonly number[]): Markup {
  const [from, , top] = box;
  const [x, isLeft] = [`${left}%`, from < left];
  const rows = lines.map((words, row) =>
    el("tspan", { x, dx: isLeft ? "-.5em" : ".5em", dy: row === 0 ? "1em" : "1.2em" }, words),
  );
  return el(
    "g",
    { class: "cliff-note", "data-reached": reached.join() },
    el("line", { class: "cliff wide", x1: x, x2: x, y1: `${top}%`, y2: `${end}%` }),
    el("text", { class: "wide", y: `${top}%`, "text-anchor": isLeft ? "end" : "start" }, ...rows),
  );
}

const stepTop = ({ steps }: Timeline, { top }: Places, index: number): number => top(steps[index]?.total ?? 0n);

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
    const bottoms = [lowest, ...taken.map(([, , top]) => top - LINE / 2)].filter((bottom) => bottom <= lowest);
    return bottoms.map((bottom) => [round(from), round(from + wide), round(bottom - NOTE * LINE), round(bottom)]);
  });
  return boxes.find((box) => box[0] >= 0 && box[1] <= 100 && box[2] >= FIRST_LINE && !overlaps(box, taken));
}

/**
 * Describes a cliff in two lines: `Nov 2023: 12-month cliff ends`, `Investors, Core contributors`. A first
 * installment that is paid later than the end of the cliff has the other words: `Jan 2024: after a 12-month cliff`.
 */
function linesOf({ index, length, labels }: Cliff, { steps }: Timeline): readonly string[] {
  const [startMs, atMs] = [steps[0], steps[index]].map((step) => (step?.atSeconds ?? 0) * 1_000) as [number, number];
  const { count, unit } = lengthOf(startMs, atMs);
  const cliff = `${length.count}-${length.unit} cliff`;
  const names = labels.join(", ");
  return [
    `${monthOf(atMs)}: ${count === length.count && unit === length.unit ? `${cliff} ends` : `after a ${cliff}`}`,
    names.length > MAX_CHARACTERS ? `${labels.length} allocations` : names,
  ];
}
