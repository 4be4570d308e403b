import { stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { columnOf, dayOf } from "../view/format.ts";
import type { ObservedDay } from "./documents.ts";
import { h } from "./dom.ts";
import { byId } from "./elements.ts";
import { difference } from "./holdings.ts";

const DASH = "–";
/** Days of history in the table; the history file has all. */
const DAYS = 30;

/** Shows the last observed days, each beside the figure that the schedule planned. */
export function showObservedDays(days: readonly ObservedDay[], schedule: UnlockSchedule): void {
  const { decimals } = schedule.token;
  const cell = (label: string, amount: bigint | null | undefined, textOf = columnOf): HTMLElement =>
    h(
      "td",
      { "data-label": label, class: "number" },
      amount === null || amount === undefined ? DASH : textOf(amount, decimals),
    );
  const compared = days.map((day) => {
    const planned = stepAt(schedule, Date.parse(day.date))?.circulating;
    const gap = planned === undefined || day.circulating === null ? null : day.circulating - planned;
    return { ...day, planned, gap };
  });
  const rows = compared
    .slice(-DAYS)
    .reverse()
    .map(({ date, total, circulating, planned, gap }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, dayOf(date)),
        cell("Total", total),
        cell("Observed", circulating),
        cell("Planned", planned),
        cell("Difference", gap, difference),
      ),
    );
  const none = h("tr", {}, h("td", { colspan: 5 }, "No day has been recorded yet."));
  byId("observed-days")
    .querySelector("tbody")
    ?.replaceChildren(...(rows.length === 0 ? [none] : rows));
}
