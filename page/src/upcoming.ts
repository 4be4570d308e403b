import { changeOf, columnOf, compactOf, dayOf, share } from "../../schedule-format/format.ts";
import { colorOf, type Timeline } from "../../schedule-format/timeline.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { type UnlockEvent, unlockEvents } from "../../src/supply/unlock-events.ts";
import { bdi, byId, focusRow, h, swatch } from "./dom.ts";
import { type Recipient, recipientsOf, sentenceOf } from "./unlocks.ts";

const ROWS = 12;
/** Before the reader asks for all of them. */
const FIRST_ROWS = 3;
/** Recipients that are named in a row; the others are counted, and named when it is opened. */
const NAMED = 2;
const DAY_MS = 86_400_000;

/** The sums of the periods around now, what repeats as one sentence, and the next unlocks. */
export function showUpcoming(schedule: Schedule, timeline: Timeline, nowMs: number): void {
  const events = unlockEvents(schedule);
  showSums(schedule, events, nowMs);
  const next = events.filter(({ atMs }) => atMs > nowMs);
  const said = sentenceOf(next, timeline, nowMs);
  byId("upcoming-said").textContent = said;
  byId("upcoming-said").hidden = said === "";
  const more = byId("upcoming-more");
  // A table of totals names nobody.
  const hasRecipients = schedule.plan.kind === "buckets";
  byId("upcoming-who").hidden = !hasRecipients;
  const fill = (): void => {
    const shown = next.slice(0, more.dataset["all"] === undefined ? FIRST_ROWS : ROWS);
    byId("upcoming")
      .querySelector("tbody")
      ?.replaceChildren(...shown.map((event) => row(event, timeline, hasRecipients)));
    more.hidden = shown.length >= Math.min(next.length, ROWS);
  };
  more.textContent = `Show ${Math.min(next.length, ROWS)}`;
  more.onclick = () => {
    more.dataset["all"] = "";
    fill();
    focusRow(byId("upcoming").querySelector("tbody")?.children[FIRST_ROWS]);
  };
  fill();
  byId("upcoming").hidden = byId("next-chart").hidden = next.length === 0;
  byId("upcoming-none").hidden = next.length > 0;
}

function showSums(schedule: Schedule, events: readonly UnlockEvent[], nowMs: number): void {
  const { decimals } = schedule.token;
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
      // What circulated from the start was a launch, not an unlock.
      const sum = events
        .filter(({ atMs }, index) => (index > 0 || atMs > nowMs) && atMs > fromMs && atMs <= toMs)
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
}

function row(event: UnlockEvent, timeline: Timeline, hasRecipients: boolean): HTMLElement {
  const { atMs, amount, cumulative } = event;
  const { decimals } = timeline;
  const cell = (name: string, label: string, text: string): HTMLElement =>
    h("td", { class: `${name} number`, "data-label": label }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "when" }, dayOf(atMs)),
    cell("amount", "Unlocks", changeOf(amount, decimals)),
    cell("share", "Of circulating", share(amount, cumulative - amount)),
    ...(hasRecipients ? [h("td", { class: "who" }, ...recipientCells(recipientsOf(event), timeline))] : []),
    cell("after", "Circulating then", columnOf(cumulative, decimals)),
  );
}

/** The largest recipients with their amounts; opened, all of them with every digit. */
function recipientCells(recipients: readonly Recipient[], timeline: Timeline): HTMLElement[] {
  const { decimals } = timeline;
  const name = ({ id, label, amount, isCliff }: Recipient, textOf: typeof compactOf): HTMLElement[] => [
    h(
      "span",
      { class: "name" },
      swatch(colorOf(timeline, id)),
      bdi(label),
      ...(isCliff ? [" ", h("span", { class: "tag" }, "cliff")] : []),
    ),
    h("span", { class: "number" }, textOf(amount, decimals)),
  ];
  const named = recipients.length === NAMED + 1 ? recipients : recipients.slice(0, NAMED);
  const others = recipients.length - named.length;
  const short = named.map((one) => h("span", { class: "recipient" }, ...name(one, compactOf)));
  if (recipients.length < 2) return short;
  return [
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "short" }, ...short, others > 0 ? `and ${others} more` : ""),
        h("span", { class: "full" }, "Every recipient"),
      ),
      h("ul", {}, ...recipients.map((one) => h("li", {}, ...name(one, changeOf)))),
    ),
  ];
}
