import type { Content } from "../view/markup.ts";
import { countdownsOf, overviewOf } from "../view/overview.ts";
import { serviceNow } from "./clock.ts";
import { byId, domOf, setText } from "./elements.ts";
import { parseSchedule } from "./schedule.ts";

/*
 * Script of the first view, which stands right after it in the HTML: it writes the present figures before the rest of
 * the page has arrived. The script of the rest (main.ts) imports what both need from here.
 */

/** Schedule from the page's HTML, where the build writes it: what follows from it needs no request. */
export const schedule = parseSchedule(byId("schedule-data").textContent ?? "");

export function fill(contents: Readonly<Record<string, readonly Content[]>>): void {
  for (const [id, content] of Object.entries(contents)) byId(id).replaceChildren(...content.map(domOf));
}

export function showCountdown(nowMs: number): void {
  for (const [id, text] of Object.entries(countdownsOf(schedule, nowMs))) setText(id, text);
}

const { classList } = document.documentElement;
/**
 * Class that the script of the rest sets at its end. Without it the page has only what the build wrote, and says so.
 */
export const WHOLE = "whole";

const contents = overviewOf(schedule, serviceNow());
const built = Object.keys(contents).map((id) => [byId(id), [...byId(id).childNodes]] as const);
fill(contents);
showCountdown(serviceNow());
// From now on the parts below have their places, and nothing moves when they are filled in.
classList.add("ready");
document.addEventListener("DOMContentLoaded", () => {
  if (classList.contains(WHOLE)) return;
  // Without its script the rest shows the day of the build, which the page names. Show that day here too.
  for (const [element, nodes] of built) element.replaceChildren(...nodes);
  classList.remove("ready");
});
