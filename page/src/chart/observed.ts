import type { History } from "../api.ts";
import { svg } from "../dom.ts";

/** The chain's figures of one day, in base units; circulating is the total less the wallets of locked tokens. */
export interface ObservedDay {
  readonly atSeconds: number;
  readonly total: bigint;
  readonly circulating: bigint | null;
}

/** Days with a total, ascending; none if there are fewer than two, because one point is no line. */
export function observedDays({ data }: History): ObservedDay[] {
  const locked = new Map(
    data.flatMap(({ date, figure, base_units }) => (figure === "non_circulating_supply" ? [[date, base_units]] : [])),
  );
  const days = data
    .filter(({ figure }) => figure === "total_supply")
    .map(({ date, base_units }) => {
      const lockedUnits = locked.get(date);
      const total = BigInt(base_units);
      return {
        atSeconds: Date.parse(date) / 1000,
        total,
        circulating: lockedUnits === undefined ? null : total - BigInt(lockedUnits),
      };
    })
    .sort((one, other) => one.atSeconds - other.atSeconds);
  return days.length < 2 ? [] : days;
}

interface Frame {
  readonly x: (seconds: number) => number;
  readonly y: (value: number) => number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly max: number;
}

/** One line for the total and one for the circulating supply, clipped to the frame. */
export function observedLines(
  days: readonly ObservedDay[],
  inUnit: (amount: bigint) => number,
  frame: Frame,
): SVGElement[] {
  return (["total", "circulating"] as const).flatMap((name) => {
    const points = days.flatMap((day) => {
      const amount = day[name];
      if (amount === null || day.atSeconds < frame.fromSeconds || day.atSeconds > frame.toSeconds) return [];
      const value = inUnit(amount);
      return value > frame.max || value < 0 ? [] : [{ atSeconds: day.atSeconds, value }];
    });
    return points.length === 0
      ? []
      : [svg("path", { class: `observed ${name}`, fill: "none", d: path(points, frame) })];
  });
}

const MAX_GAP_SECONDS = 86_400;

/** A missing day is a gap; a day between two missing ones is a dot. */
function path(points: readonly { readonly atSeconds: number; readonly value: number }[], { x, y }: Frame): string {
  return points
    .map(({ atSeconds, value }, index) => {
      const before = points[index - 1];
      const isNext = before !== undefined && atSeconds - before.atSeconds <= MAX_GAP_SECONDS;
      return isNext ? `L${x(atSeconds)} ${y(value)}` : `M${x(atSeconds)} ${y(value)}h0`;
    })
    .join("");
}
