import { stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { type UnlockEvent, unlockEvents } from "../../src/supply/unlock-events.ts";
import { colorOf } from "./bands.ts";
import { changeOf, columnOf, compactOf, dayOf, share } from "./format.ts";
import { bdi, type Content, el, type Markup, swatch } from "./markup.ts";
import type { Timeline } from "./timeline.ts";
import { type Recipient, recipientsOf, repeatedUnlocksText } from "./unlocks.ts";

const MAX_ROWS = 12;
/** Number of recipients that a row names; the others are counted, and listed when the row is opened. */
const MAX_NAMED = 2;
const DAY_MS = 86_400_000;

/** Makes the head of the table of the next unlocks. A schedule of totals alone has no recipients. */
export function upcomingHead({ plan }: UnlockSchedule): readonly Content[] {
  const heads = [
    "Date",
    "Unlocks",
    "Of circulating",
    ...(plan.kind === "buckets" ? ["Goes to"] : []),
    "Circulating then",
  ];
  return heads.map((name) =>
    el("th", { scope: "col", class: name === "Date" || name === "Goes to" ? "" : "number" }, name),
  );
}

/** Makes the sums of the periods around now, the summary of repeated unlocks, and the rows of the next ones. */
export function upcomingOf(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Readonly<Record<string, readonly Content[]>> {
  const events = unlockEvents(schedule);
  const next = events.filter(({ atMs }) => atMs > nowMs);
  return {
    sums: sumsOf(schedule, events, nowMs),
    "upcoming-more": [`Show the next ${Math.min(next.length, MAX_ROWS)} unlocks`],
    "upcoming-said": [repeatedUnlocksText(next, timeline, nowMs)],
    "upcoming-none": next.length > 0 ? [] : ["Nothing is left to unlock: the schedule is complete."],
    "upcoming-rows": next.slice(0, MAX_ROWS).map((event) => row(event, timeline, schedule)),
  };
}

/** Fewest different amounts of which a drawing says more than the sentence above it. */
const MIN_SIZES = 3;

/** Whether the next unlocks are drawn as bars: their amounts differ, as they are displayed. */
export function hasBars(schedule: UnlockSchedule, nowMs: number): boolean {
  const next = unlockEvents(schedule).filter(({ atMs }) => atMs > nowMs);
  const sizes = next.slice(0, MAX_ROWS).map(({ amount }) => compactOf(amount, schedule.token.decimals));
  return new Set(sizes).size >= MIN_SIZES;
}

function sumsOf(schedule: UnlockSchedule, events: readonly UnlockEvent[], nowMs: number): Content[] {
  const { decimals } = schedule.token;
  const circulating = stepAt(schedule, nowMs)?.circulating ?? 0n;
  const year = new Date(nowMs);
  year.setUTCFullYear(year.getUTCFullYear() + 1);
  // The amount at the start was a launch, not an unlock.
  const sumOf = (fromMs: number, toMs: number): bigint =>
    events
      .filter(({ atMs }, index) => (index > 0 || atMs > nowMs) && atMs > fromMs && atMs <= toMs)
      .reduce((all, { amount }) => all + amount, 0n);
  const [past, next] = [sumOf(nowMs - 30 * DAY_MS, nowMs), sumOf(nowMs, nowMs + 30 * DAY_MS)];
  const periods = [
    // In most months both are equal, and one of them says nothing.
    ...(past === next ? [] : [["Past 30 days", past] as const]),
    ["Next 30 days", next],
    ["Next 12 months", sumOf(nowMs, year.getTime())],
  ] as const;
  return periods.map(([label, sum]) => {
    const part = circulating > 0n ? `${share(sum, circulating)} of circulating` : "";
    return el(
      "div",
      {},
      el("dt", {}, label),
      el("dd", { class: "number big" }, changeOf(sum, decimals)),
      el("dd", {}, part),
    );
  });
}

function row(event: UnlockEvent, timeline: Timeline, { calendar, plan }: UnlockSchedule): Markup {
  const { atMs, amount, cumulative } = event;
  const { decimals } = timeline;
  const cell = (name: string, text: string, label: Markup["attributes"] = {}): Markup =>
    el("td", { class: `${name} number`, ...label }, text);
  return el(
    "tr",
    {},
    el("th", { scope: "row", class: "when" }, dayOf(atMs)),
    cell("amount", changeOf(amount, decimals)),
    cell("share", share(amount, cumulative - amount)),
    ...(plan.kind === "buckets"
      ? [el("td", { class: "who" }, ...recipientCells(recipientsOf(event, calendar), timeline))]
      : []),
    cell("after", columnOf(cumulative, decimals), { "data-label": "Circulating then" }),
  );
}

/** The largest recipients with their amounts; where others are counted, it opens to all of them with every digit. */
function recipientCells(recipients: readonly Recipient[], timeline: Timeline): Markup[] {
  const { decimals } = timeline;
  const name = ({ id, label, amount, isCliff }: Recipient, textOf: typeof compactOf): Markup[] => [
    el(
      "span",
      { class: "name" },
      swatch(colorOf(timeline, id)),
      bdi(label),
      ...(isCliff ? [" ", el("span", { class: "tag" }, "cliff")] : []),
    ),
    el("span", { class: "number" }, textOf(amount, decimals)),
  ];
  const named = recipients.length === MAX_NAMED + 1 ? recipients : recipients.slice(0, MAX_NAMED);
  const others = recipients.length - named.length;
  const short = named.map((one) => el("span", { class: "recipient" }, ...name(one, compactOf)));
  if (others === 0) return short;
  return [
    el(
      "details",
      {},
      el(
        "summary",
        {},
        el("span", { class: "short" }, ...short, others > 0 ? `and ${others} more` : ""),
        el("span", { class: "full" }, "Every recipient"),
      ),
      el("ul", {}, ...recipients.map((one) => el("li", {}, ...name(one, changeOf)))),
    ),
  ];
}
