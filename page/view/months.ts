import { allSteps, stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { changeOf, longMonthOf, monthOf, ordinal, tokensOf } from "./format.ts";
import { el, type Markup } from "./markup.ts";

/** Figure at the end of a month. It is the same on every day. */
interface Month {
  readonly index: number;
  readonly year: string;
  readonly row: Markup;
}

/** Makes tables of a schedule's months: those to come, and before them, folded, those that have passed. */
export function monthsView(schedule: UnlockSchedule, nowMs: number): Markup {
  const current = stepAt(schedule, nowMs)?.index ?? 0;
  const months = monthsOf(schedule, current);
  const past = months.filter(({ index }) => index < current);
  const earlier =
    past.length === 0
      ? []
      : [
          el(
            "details",
            {},
            el("summary", {}, `The ${past.length} months before`),
            monthTable(past, "The months before", schedule),
          ),
        ];
  return el("div", { class: "months" }, ...earlier, monthTable(months.slice(past.length), "Every month", schedule));
}

/**
 * Makes the table of the present month and the twelve after it. The build writes it; the page's script has all months.
 */
export function yearView(schedule: UnlockSchedule, nowMs: number): Markup {
  const current = stepAt(schedule, nowMs)?.index ?? 0;
  const months = monthsOf(schedule, current).filter(({ index }) => index >= current && index <= current + 12);
  return el("div", { class: "months" }, monthTable(months, "The next twelve months", schedule));
}

/** Lists every month. A start before the first step of its month has no row, because the month's end is after both. */
function monthsOf(schedule: UnlockSchedule, current: number): readonly Month[] {
  const { decimals } = schedule.token;
  const steps = allSteps(schedule);
  let before = 0n;
  return steps.flatMap(({ index, effectiveFromMs, circulating }) => {
    const next = steps[index + 1];
    if (next !== undefined && monthOf(next.effectiveFromMs) === monthOf(effectiveFromMs)) return [];
    const cells = [tokensOf(circulating, decimals), changeOf(circulating - before, decimals)];
    before = circulating;
    const [name = "", year = ""] = longMonthOf(effectiveFromMs).split(" ");
    const mark: Markup["attributes"] = index === current ? { "aria-current": "date" } : {};
    const row = el("tr", mark, el("th", { scope: "row" }, name), ...cells.map((text) => el("td", {}, text)));
    return [{ index, year, row }];
  });
}

function monthTable(months: readonly Month[], label: string, { token, calendar }: UnlockSchedule): Markup {
  const years = [...new Set(months.map(({ year }) => year))];
  const head = ["End of", "Circulating", "Change"].map((name) => el("th", { scope: "col" }, name));
  const caption = `Whole ${token.symbol}, rounded down. Each month changes on its ${ordinal(calendar.stepDay)}.`;
  const bodies = years.map((year) =>
    el(
      "tbody",
      {},
      el("tr", {}, el("th", { colspan: 3, scope: "rowgroup" }, year)),
      ...months.flatMap((month) => (month.year === year ? [month.row] : [])),
    ),
  );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...head)), ...bodies),
  );
}
