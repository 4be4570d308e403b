import { stepAt } from "../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { nextPlannedUnlock, type Unlock } from "../../src/supply/unlock-events.ts";
import { supplyBar } from "./bars.ts";
import { changeOf, columnOf, dayOf, growthOf, timeLeft, tokensOf } from "./format.ts";
import { type Content, el, type Markup } from "./markup.ts";
import { splitOf } from "./split.ts";

/** Makes the headline, the composition of the maximum, and the next unlock. */
export function overviewOf(schedule: UnlockSchedule, nowMs: number): Readonly<Record<string, readonly Content[]>> {
  const { token, maxSupply } = schedule;
  const step = stepAt(schedule, nowMs);
  const circulating = step?.circulating ?? 0n;
  const maximum = tokensOf(maxSupply, token.decimals);
  const next = nextOf(schedule, nowMs);
  return {
    headline: figure("circulating", step && tokensOf(circulating, token.decimals), "Not launched", token.symbol),
    "circulating-note":
      step === undefined
        ? [`Nothing circulates yet. The maximum is ${maximum}.`]
        : [
            "since ",
            el("strong", {}, dayOf(step.effectiveFromMs)),
            ", 00:00 UTC.",
            ...(next === undefined
              ? []
              : [el("span", { class: "wide" }, " Next change ", countdown(next, nowMs), ".")]),
          ],
    composition: supplyBar(circulating, maxSupply, token),
    next: nextCard(schedule, next, nowMs),
  };
}

/** Returns the numbers below the drawing that follow from the schedule. */
export function partsOf(schedule: UnlockSchedule, nowMs: number): Readonly<Record<string, readonly Content[]>> {
  const { token, maxSupply } = schedule;
  const circulating = stepAt(schedule, nowMs)?.circulating ?? 0n;
  return {
    "part-locked": [columnOf(maxSupply - circulating, token.decimals)],
    "part-maximum": [columnOf(maxSupply, token.decimals)],
  };
}

/** Returns texts of the time until the next unlock, by the ids of their elements; empty if none is left. */
export function countdownsOf(schedule: UnlockSchedule, nowMs: number): Readonly<Record<string, string>> {
  const next = nextOf(schedule, nowMs);
  if (next === undefined) return {};
  const isRunning = stepAt(schedule, nowMs) !== undefined;
  return { "next-date": dateText(next, nowMs), ...(isRunning ? { "next-change": untilText(next, nowMs) } : {}) };
}

const countdown = (next: Unlock, nowMs: number): Markup => el("strong", { id: "next-change" }, untilText(next, nowMs));
const untilText = ({ atMs }: Unlock, nowMs: number): string => timeLeft((atMs - nowMs) / 1_000);
const dateText = (next: Unlock, nowMs: number): string => `${dayOf(next.atMs)}, 00:00 UTC, ${untilText(next, nowMs)}`;

function nextOf(schedule: UnlockSchedule, nowMs: number): Unlock | undefined {
  return nextPlannedUnlock(schedule, stepAt(schedule, nowMs)?.effectiveFromMs ?? Number.NEGATIVE_INFINITY);
}

/** Shows the next unlock: its day, its amount and its share in the same size, and its recipients. */
function nextCard(schedule: UnlockSchedule, next: Unlock | undefined, nowMs: number): readonly Content[] {
  const { token, maxSupply } = schedule;
  const step = stepAt(schedule, nowMs);
  const title = el("h2", { id: "next-title" }, step === undefined ? "Launch" : "Next unlock");
  if (next === undefined)
    return [
      title,
      el("p", { class: "figure" }, ...figure("next-amount", undefined, "None", token.symbol)),
      el("p", { id: "next-share", class: "note" }, "Everything that the schedule unlocks has unlocked."),
    ];
  const [whole, what] = step === undefined ? [maxSupply, "the maximum"] : [step.circulating, "what circulates now"];
  const at = { id: "next-date", datetime: new Date(next.atMs).toISOString().replace(".000", "") };
  const amount = changeOf(next.amount, token.decimals);
  // While nothing circulates there is no share.
  const part = growthOf(next.amount, whole);
  const length = lengthOf(amount.length + part.length + token.symbol.length + 3);
  return [
    title,
    el("p", { class: "note" }, el("time", at, dateText(next, nowMs))),
    el(
      "p",
      { class: "figure" },
      digits("next-amount", amount, length),
      " ",
      el("span", { class: "unit" }, token.symbol),
      ...(part === ""
        ? []
        : [" ", digits("next-share", part, length), el("span", { class: "visually-hidden" }, ` of ${what}`)]),
    ),
    ...splitOf(schedule, next),
  ];
}

/** Writes a figure with its unit, or a word, which has none. */
function figure(id: string, text: string | undefined, word: string, unit: string): Content[] {
  const shown = digits(id, text ?? word, lengthOf((text ?? word).length));
  return text === undefined ? [shown] : [shown, " ", el("span", { class: "unit" }, unit)];
}

function digits(id: string, text: string, length: number): Markup {
  return el("span", { id, class: "digits", "data-length": length }, text);
}

/** Rounds a number of characters up to an even one. The style sheet sizes a line of digits by even numbers. */
const lengthOf = (characters: number): number => characters + (characters % 2);
