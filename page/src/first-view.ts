import type { Content } from "../view/markup.ts";
import { countdownsOf, overviewOf } from "../view/overview.ts";
import { serviceNow } from "./clock.ts";
import { byId, domOf, setText } from "./elements.ts";
import { parseSchedule } from "./schedule.ts";

/*
 * This stands right after the first view, whose figures it makes those of now: they are painted before the rest of the
 * page has arrived. The script of the rest (main.ts) imports from it what both need.
 */

/** The build writes the schedule into the HTML: everything that follows from it needs no request. */
export const schedule = parseSchedule(byId("schedule-data").textContent ?? "");

export function fill(contents: Readonly<Record<string, readonly Content[]>>): void {
  for (const [id, content] of Object.entries(contents)) byId(id).replaceChildren(...content.map(domOf));
}

export function showCountdown(nowMs: number): void {
  for (const [id, text] of Object.entries(countdownsOf(schedule, nowMs))) setText(id, text);
}

const { classList } = document.documentElement;
/** Set by the script of the rest at its end: without it there is only what the build wrote, and the page says so. */
export const WHOLE = "whole";

const contents = overviewOf(schedule, serviceNow());
const built = Object.keys(contents).map((id) => [byId(id), [...byId(id).childNodes]] as const);
fill(contents);
showCountdown(serviceNow());
// The parts below have their places from now on, and nothing moves when they are filled in.
classList.add("ready");
document.addEventListener("DOMContentLoaded", () => {
  if (classList.contains(WHOLE)) return;
  // The rest stays that of the build's day, which the page names: so must this.
  for (const [element, nodes] of built) element.replaceChildren(...nodes);
  classList.remove("ready");
});
