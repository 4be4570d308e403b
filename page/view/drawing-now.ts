import type { Band } from "./bands.ts";
import { placesOf } from "./drawing-places.ts";
import { share, tenthsOf } from "./format.ts";
import { type Content, el, type Markup } from "./markup.ts";
import { placeOf, type Step, stepAt, type Timeline } from "./timeline.ts";

/** Present instant in the drawing: its place in percent, and the total in force. */
export interface DrawnNow {
  readonly left: number;
  readonly top: number;
  readonly text: string;
}

/** Places the present instant; undefined before the start and after the end. */
export function drawnNow(timeline: Timeline, nowMs: number): DrawnNow | undefined {
  const { steps, decimals } = timeline;
  const step = steps[stepAt(steps, nowMs / 1_000)];
  const place = placeOf(timeline, nowMs / 1_000);
  if (step === undefined || place >= steps.length) return undefined;
  const { left, top } = placesOf(timeline);
  return { left: left(place), top: top(step.total), text: tenthsOf(step.total, decimals) };
}

/** Decides whether today's value stands right of its line: the left has no room beside the amounts of the grid. */
export function isEarly({ left, top }: Pick<DrawnNow, "left" | "top">): boolean {
  return left < 40 || (top < 16 && left < 60);
}

/** Returns the total at the end, and when it is reached. */
export function endOf({ steps }: Timeline): Pick<Step, "total" | "atSeconds"> {
  const total = steps.at(-1)?.total ?? 0n;
  return steps.find((step) => step.total === total) ?? { total, atSeconds: 0 };
}

/** Number of bands from which each has one line at the right edge. */
export const CROWDED = 7;

/** Lists the bands with an amount at the end, where their names are written. */
export function namedBands({
  bands,
  steps,
}: Timeline): readonly (Band & { readonly index: number; readonly end: bigint })[] {
  return bands.flatMap((band, index) => {
    const end = steps.at(-1)?.amounts[index] ?? 0n;
    return end > 0n ? [{ ...band, index, end }] : [];
  });
}

/**
 * Returns the drawing's contents that depend on the day, by the ids of their elements. Only the build writes the rest.
 */
export function drawingNow(timeline: Timeline, nowMs: number): Record<string, readonly Content[]> {
  const { steps, maximum } = timeline;
  const now = drawnNow(timeline, nowMs);
  const current = stepAt(steps, nowMs / 1_000);
  const named = namedBands(timeline);
  const parts = named.map(({ id, index, end }) => {
    const part = `${share(steps[current]?.amounts[index] ?? 0n, end, 0)} unlocked`;
    return [`drawing-part-${id}`, [`${share(end, maximum, 1)}${named.length < CROWDED ? ` · ${part}` : ""}`]] as const;
  });
  const planned = now?.left ?? (current === -1 ? 0 : 100);
  return {
    "drawing-verb": [endOf(timeline).atSeconds * 1_000 > nowMs ? "is unlocked by" : "has been unlocked since"],
    "drawing-veil": [el("rect", { class: "veil", x: `${planned}%`, width: `${100 - planned}%`, height: "100%" })],
    "drawing-now": now === undefined ? [] : marksOf(now),
    ...Object.fromEntries(parts),
  };
}

/** Draws the line of today with a dot at its value. The unlocked part is before it, the planned part after it. */
function marksOf({ left, top, text: value }: DrawnNow): Markup[] {
  const x = `${left}%`;
  const text = (name: string, isLeft: boolean, y: number, ...words: readonly Content[]): Markup =>
    el(
      "text",
      {
        class: name,
        x,
        y: `${y}%`,
        dx: isLeft ? "-.6em" : ".6em",
        dy: "-.7em",
        "text-anchor": isLeft ? "end" : "start",
      },
      ...words,
    );
  return [
    el("line", { x1: x, x2: x, y1: -16, y2: "100%" }),
    ...(left < 20 ? [] : [text("", true, 0, "◂ unlocked")]),
    ...(left > 80 ? [] : [text("", false, 0, "planned ▸")]),
    el("circle", { cx: x, cy: `${top}%`, r: 5 }),
    text("now", !isEarly({ left, top }), top, value, el("tspan", { class: "when" }, " today")),
  ];
}
