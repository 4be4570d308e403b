import { monthOf } from "../format.ts";

/** Round numbers from `min` to `max`, about `count` of them: steps of 1, 2, 2.5 or 5 times a power of ten. */
export function valueTicks(min: number, max: number, count: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step);
}

export interface TimeTick {
  readonly atSeconds: number;
  readonly label: string;
}

const DAYS_PER_MONTH = 30.44;
const STEPS_IN_MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240];
const YEAR_LABEL_PX = 44;
const MONTH_LABEL_PX = 68;

/** Starts of months or years in a span that is so many pixels wide. A January, and the first month, names the year. */
export function timeTicks(fromSeconds: number, toSeconds: number, widthPx: number): TimeTick[] {
  const months = (toSeconds - fromSeconds) / (DAYS_PER_MONTH * 86_400);
  const every =
    STEPS_IN_MONTHS.find((step) => months / step <= widthPx / (step < 12 ? MONTH_LABEL_PX : YEAR_LABEL_PX)) ?? 480;
  const start = new Date(fromSeconds * 1000);
  const firstMonth = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / every) * every;
  const ticks: TimeTick[] = [];
  for (let month = firstMonth; ; month += every) {
    const atSeconds = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
    if (atSeconds > toSeconds) return ticks;
    if (atSeconds < fromSeconds) continue;
    const [name = "", year = ""] = monthOf(atSeconds * 1000).split(" ");
    const label = every >= 12 ? year : month % 12 === 0 || ticks.length === 0 ? `${name} ${year}` : name;
    ticks.push({ atSeconds, label });
  }
}
