import { stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import { changeOf, columnOf, compactOf, dayOf, share, timeLeft, tokensOf } from "./format.ts";
import { bdi, type Content, el, type Markup } from "./markup.ts";

/** Number of recipients of the next unlock that are named; the others are counted. */
const MAX_NAMED = 2;

/** Makes the headline, the composition of the maximum, and the next unlock. */
export function overviewOf(schedule: UnlockSchedule, nowMs: number): Readonly<Record<string, readonly Content[]>> {
  const { token, maxSupply } = schedule;
  const step = stepAt(schedule, nowMs);
  const circulating = step?.circulating ?? 0n;
  const maximum = tokensOf(maxSupply, token.decimals);
  const amount = (units: bigint): Content[] => [columnOf(units, token.decimals)];
  return {
    headline: figure("circulating", step && tokensOf(circulating, token.decimals), "Not launched", token.symbol),
    "circulating-note": [
      step === undefined
        ? `Nothing circulates yet. The maximum is ${maximum}.`
        : `since ${dayOf(step.effectiveFromMs)}, 00:00 UTC; ${share(circulating, maxSupply)} of the maximum`,
    ],
    composition: bar(maxSupply > 0n ? Number((circulating * 10_000n) / maxSupply) / 100 : 0),
    "part-circulating": amount(circulating),
    "part-locked": amount(maxSupply - circulating),
    "part-maximum": [maximum.length > 16 ? columnOf(maxSupply, token.decimals) : maximum],
    next: nextOf(schedule, nowMs),
  };
}

/** Formats the date of the next unlock and the time until then; empty when none is left. */
export function countdownOf(schedule: UnlockSchedule, nowMs: number): string {
  const next = nextUnlock(schedule, stepAt(schedule, nowMs)?.effectiveFromMs ?? Number.NEGATIVE_INFINITY);
  return next === undefined ? "" : `${dayOf(next.atMs)}, 00:00 UTC, ${timeLeft((next.atMs - nowMs) / 1_000)}`;
}

function nextOf(schedule: UnlockSchedule, nowMs: number): readonly Content[] {
  const { token, maxSupply } = schedule;
  const step = stepAt(schedule, nowMs);
  const title = el("h2", { id: "next-title" }, step === undefined ? "Launch" : "Next unlock");
  const next = nextUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY);
  const amount = next && changeOf(next.amount, token.decimals);
  const shown = el("p", { class: "figure" }, ...figure("next-amount", amount, "None", token.symbol));
  if (next === undefined)
    return [
      title,
      shown,
      el("p", { id: "next-share", class: "note" }, "Everything that the schedule unlocks has unlocked."),
    ];
  const [whole, what] = step === undefined ? [maxSupply, "the maximum"] : [step.circulating, "what circulates now"];
  const at = { id: "next-date", datetime: new Date(next.atMs).toISOString().replace(".000", "") };
  const ordered = [...next.buckets].sort((one, other) => Number(other.amount - one.amount));
  const named = ordered.length === MAX_NAMED + 1 ? ordered : ordered.slice(0, MAX_NAMED);
  const others = ordered.length - named.length;
  const recipients = named.flatMap(({ bucket, amount: part }, index) => [
    index === 0 ? "" : ", ",
    bdi(bucket.label),
    ` ${compactOf(part, token.decimals)}`,
  ]);
  return [
    title,
    shown,
    el("p", {}, el("time", at, countdownOf(schedule, nowMs))),
    el("p", { id: "next-share", class: "note" }, `${share(next.amount, whole)} of ${what}`),
    el("p", { id: "next-recipients", class: "note" }, ...recipients, others > 0 ? `, ${others} more` : ""),
  ];
}

/**
 * Makes a figure with its unit. Its length is an attribute, from which its size follows. A word instead of a figure has
 * no unit.
 */
function figure(id: string, digits: string | undefined, word: string, unit: string): Content[] {
  const text = digits ?? word;
  const shown = el("span", { id, class: "digits", "data-length": text.length }, text);
  return digits === undefined ? [shown] : [shown, " ", el("span", { class: "unit" }, unit)];
}

/** Draws the composition as SVG, so that it is printed as on the screen. Locked tokens are hatched, as in the chart. */
function bar(percent: number): Content[] {
  const part = (name: string, x: number, width: number): Markup =>
    el("rect", { class: name, x: `${x}%`, width: `${width}%`, height: "100%" });
  return [
    el(
      "svg",
      { class: "bar", width: "100%", height: 16, "aria-hidden": "true" },
      el(
        "pattern",
        { id: "planned", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        el("rect", { class: "ground", width: 6, height: 6 }),
        el("rect", { class: "circulating", width: 2, height: 6 }),
      ),
      part("locked", percent, Math.round((100 - percent) * 100) / 100),
      part("circulating", 0, percent),
    ),
  ];
}
