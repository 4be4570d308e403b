import type { Answer, Supply } from "./api.ts";
import { byId, h, show, showFailure } from "./dom.ts";
import { dayOf, duration, timeLeft, wholeTokens } from "./format.ts";

type Amount = NonNullable<Supply["total"]>;

/** The four cards on top. `onStep` is called when the countdown reaches the next unlock. */
export function showFigures(answer: Answer<Supply>, nowMs: () => number, onStep: () => void): void {
  const panel = byId("figures");
  if (answer.kind === "failure") {
    showFailure(panel, answer.message);
    return;
  }
  const { circulating, total, max, circulating_percent, effective_from, next_unlock, unavailable } = answer.value;
  show(
    panel,
    card(
      "Circulating",
      circulating,
      `${circulating_percent} % of the maximum, since ${dayOf(effective_from)}`,
      meter(circulating_percent),
    ),
    card(
      "Total on chain",
      total,
      total === null ? (unavailable["total"] ?? "Not known now.") : `Read from the chain${ago(answer.ageSeconds)}`,
    ),
    card("Maximum", max, "Fixed"),
    unlockCard(next_unlock, nowMs, onStep),
  );
}

/** The last good value may stand in for an hour: from a minute on its age is said. */
function ago(seconds: number): string {
  return seconds < 60 ? "" : ` ${duration(seconds)} ago`;
}

function card(title: string, amount: Amount | null, note: string, ...more: readonly Node[]): HTMLElement {
  const figure = h("p", { class: "figure" }, amount === null ? "–" : wholeTokens(amount.tokens));
  if (amount !== null) figure.title = `${amount.tokens} tokens, ${amount.base_units} base units`;
  return h("div", { class: "card" }, h("h3", {}, title), figure, ...more, h("p", { class: "note" }, note));
}

function meter(percentText: string): HTMLElement {
  return h("progress", { max: "100", value: percentText, "aria-label": "Circulating as percent of the maximum" });
}

function unlockCard(next: Supply["next_unlock"], nowMs: () => number, onStep: () => void): HTMLElement {
  if (next === null) {
    return h(
      "div",
      { class: "card" },
      h("h3", {}, "Next unlock"),
      h("p", { class: "figure" }, "None"),
      h("p", { class: "note" }, "The schedule has ended."),
    );
  }
  const countdown = h("p", { class: "figure", role: "timer" });
  const buckets = next.buckets.map(({ label, amount }) => h("li", {}, `${label}: ${wholeTokens(amount.tokens)}`));
  const element = h(
    "div",
    { class: "card" },
    h("h3", {}, "Next unlock"),
    countdown,
    h("p", { class: "note" }, `${wholeTokens(next.amount.tokens)} on ${dayOf(next.at)}, 00:00 UTC`),
    h("ul", { class: "note" }, ...buckets),
  );
  tick(element, countdown, Date.parse(next.at), nowMs, onStep);
  return element;
}

/** Counts down once a second for as long as the card is on the page. */
function tick(card: HTMLElement, countdown: HTMLElement, atMs: number, nowMs: () => number, onStep: () => void): void {
  const leftSeconds = (atMs - nowMs()) / 1000;
  countdown.textContent = timeLeft(leftSeconds);
  setTimeout(() => {
    if (!card.isConnected) return;
    if (leftSeconds <= 0) onStep();
    else tick(card, countdown, atMs, nowMs, onStep);
  }, 1_000);
}
