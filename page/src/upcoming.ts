import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { type UnlockEvent, unlockEvents } from "../../src/supply/unlock-events.ts";
import { bandOf, type Timeline } from "./chart/timeline.ts";
import { byId, h, swatch } from "./dom.ts";
import { changeOf, columnOf, dayOf, share } from "./format.ts";

const ROWS = 12;
/** Recipients in a row; of more the last ones are counted. */
const MAX_NAMED = 3;
const DAY_MS = 86_400_000;

/** The sums of the periods around now, and the next twelve unlocks. */
export function showUpcoming(schedule: Schedule, timeline: Timeline, nowMs: number): void {
  const { decimals } = schedule.token;
  const events = unlockEvents(schedule);
  const circulating = stepAt(schedule, nowMs)?.circulating ?? 0n;
  const year = new Date(nowMs);
  year.setUTCFullYear(year.getUTCFullYear() + 1);
  const periods = [
    ["Past 30 days", nowMs - 30 * DAY_MS, nowMs],
    ["Next 30 days", nowMs, nowMs + 30 * DAY_MS],
    ["Next 12 months", nowMs, year.getTime()],
  ] as const;
  byId("sums").replaceChildren(
    ...periods.map(([label, fromMs, toMs]) => {
      // What circulates from the start is a launch, not an unlock.
      const sum = events
        .filter(({ atMs }, index) => index > 0 && atMs > fromMs && atMs <= toMs)
        .reduce((all, { amount }) => all + amount, 0n);
      const part = circulating > 0n ? `${share(sum, circulating)} of circulating` : "";
      return h(
        "div",
        {},
        h("dt", {}, label),
        h("dd", { class: "number big" }, changeOf(sum, decimals)),
        h("dd", {}, part),
      );
    }),
  );
  const next = events.filter(({ atMs }) => atMs > nowMs).slice(0, ROWS);
  byId("upcoming")
    .querySelector("tbody")
    ?.replaceChildren(...next.map((event) => row(event, timeline)));
  byId("upcoming").hidden = byId("next-chart").hidden = next.length === 0;
  byId("upcoming-none").hidden = next.length > 0;
}

function row({ atMs, amount, cumulative, parts }: UnlockEvent, timeline: Timeline): HTMLElement {
  const { decimals } = timeline;
  const buckets = new Map(parts.map(({ bucket: { id, label } }) => [id, label]));
  const named = buckets.size > MAX_NAMED ? [...buckets].slice(0, MAX_NAMED - 1) : [...buckets];
  const recipients = named.map(([id, label]) => h("span", { class: "name" }, swatch(bandOf(timeline, id)), label));
  const others = buckets.size - named.length;
  // What circulates from the start is a launch, no cliff.
  const cliff =
    cumulative !== amount && parts.some(({ kind }) => kind === "cliff") ? [h("span", { class: "tag" }, "cliff")] : [];
  const cell = (name: string, label: string, text: string): HTMLElement =>
    h("td", { class: `${name} number`, "data-label": label }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "when" }, dayOf(atMs)),
    cell("amount", "Unlocks", changeOf(amount, decimals)),
    cell("share", "Of circulating", share(amount, cumulative - amount)),
    h(
      "td",
      { class: "who", dir: "auto", title: [...buckets.values()].join(", ") },
      ...recipients,
      ...(others > 0 ? [`and ${others} more`] : []),
      ...cliff,
    ),
    cell("after", "Circulating then", columnOf(cumulative, decimals)),
  );
}
