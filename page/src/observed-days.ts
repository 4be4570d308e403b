import { dayOf } from "../view/format.ts";
import type { ObservedDay } from "./documents.ts";
import { h } from "./dom.ts";
import { byId } from "./elements.ts";
import { cell } from "./wallet-rows.ts";

/** Days of history in the table; the history file has all. */
const DAYS = 30;

/**
 * Shows the last recorded days, the newest first. undefined: they could not be read. `cellsOf` lists the label and text
 * of a day's cells.
 */
export function showObservedDays(
  days: readonly ObservedDay[] | undefined,
  cellsOf: (day: ObservedDay) => readonly (readonly [label: string, text: string])[],
): void {
  const rows = (days ?? [])
    .slice(-DAYS)
    .reverse()
    .map((day) => {
      const cells = cellsOf(day).map(([label, text]) => cell(label, text));
      return h("tr", {}, h("th", { scope: "row" }, dayOf(day.date)), ...cells);
    });
  const body = byId("observed-days").querySelector("tbody");
  const none = days === undefined ? "The last days could not be read." : "No day has been recorded yet.";
  if (rows.length > 0) body?.replaceChildren(...rows);
  else body?.querySelector("td")?.replaceChildren(none);
}
