import { brand } from "virtual:site";
import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import type { Holdings } from "./documents.ts";
import { byId, h, setText, swatch } from "./dom.ts";
import { changeOf, columnOf, compactOf, dayOf, duration, share, timeLeft, timeOf, tokensOf } from "./format.ts";
import type { Reading } from "./polling.ts";

/** Recipients of the next unlock that are named; the others are counted. */
const NAMED = 2;

/**
 * The headline and the next unlock, from the schedule alone. Returns the instant at which they change, or undefined
 * when nothing changes any more.
 */
export function showOverview(schedule: Schedule, nowMs: number): number | undefined {
  const { token, maxSupply } = schedule;
  const step = stepAt(schedule, nowMs);
  const next = nextUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY);
  const maximum = tokensOf(maxSupply, token.decimals);
  if (step === undefined) {
    setFigure("circulating", "Not launched");
    setText("circulating-note", `Nothing circulates yet. The maximum is ${maximum}.`);
  } else {
    setFigure("circulating", tokensOf(step.circulating, token.decimals));
    setText("circulating-note", `${share(step.circulating, maxSupply)} of the maximum of ${maximum}`);
  }
  setText("next-title", step === undefined ? "Launch" : "Next unlock");
  if (next === undefined) {
    setFigure("next-amount", "None");
    setText("next-share", "Everything that the schedule unlocks has unlocked.");
    setText("next-recipients", "");
  } else {
    setFigure("next-amount", changeOf(next.amount, token.decimals));
    const whole = step === undefined ? maxSupply : step.circulating;
    setText(
      "next-share",
      `${share(next.amount, whole)} of ${step === undefined ? "the maximum" : "what circulates now"}`,
    );
    const ordered = [...next.buckets].sort((one, other) => Number(other.amount - one.amount));
    const named = ordered.length === NAMED + 1 ? ordered : ordered.slice(0, NAMED);
    const parts = named.map(({ bucket, amount }) => `${bucket.label} ${compactOf(amount, token.decimals)}`);
    const others = ordered.length - named.length;
    setText("next-recipients", [...parts, ...(others > 0 ? [`${others} more`] : [])].join(", "));
  }
  return next?.atMs;
}

/** The date of the next unlock and the time until then. */
export function showCountdown(atMs: number | undefined, nowMs: number): void {
  const text = atMs === undefined ? "" : `${dayOf(atMs)}, ${timeLeft((atMs - nowMs) / 1_000)}`;
  setText("next-date", text);
  if (atMs === undefined) byId("next-date").removeAttribute("datetime");
  else byId("next-date").setAttribute("datetime", new Date(atMs).toISOString().replace(".000", ""));
}

/** What the maximum consists of, and whose figures these are: the schedule's, and the chain's once they are read. */
export function showComposition(
  schedule: Schedule,
  { value, readAtMs, failure }: Reading<Holdings>,
  nowMs: number,
): void {
  const { maxSupply, token, revision, sources } = schedule;
  const circulating = stepAt(schedule, nowMs)?.circulating ?? 0n;
  const locked = maxSupply - circulating;
  const unminted = value === undefined || value.minted >= maxSupply ? 0n : maxSupply - value.minted;
  const unit = 10n ** BigInt(token.decimals);
  const minted = unminted > locked ? 0n : locked - unminted;
  const amount = (units: bigint): string => columnOf(units, token.decimals);
  const rows = [
    ["circulating", "Circulating", circulating],
    ["locked", "Locked", locked],
    // Less than a whole token is the chain's own rounding.
    ...(unminted >= unit ? [["unminted", "of it not minted yet", unminted] as const] : []),
    ...(value !== undefined && value.burned >= unit ? [["burned", "burned for good", value.burned] as const] : []),
  ] as const;
  byId("parts").replaceChildren(
    ...rows.map(([name, label, part]) =>
      h(
        "div",
        { class: name },
        h("dt", {}, swatch(name), label),
        h("dd", { class: "number" }, amount(part)),
        h("dd", { class: "number" }, share(part, maxSupply)),
      ),
    ),
  );
  byId("composition").replaceChildren(
    ...(
      [
        ["circulating", circulating],
        ["locked", minted],
        ["unminted", unminted],
      ] as const
    ).map(([name, part]) => {
      const element = h("span", { class: name });
      element.style.flexGrow = maxSupply > 0n ? String(Number((part * 10_000n) / maxSupply) / 10_000) : "0";
      return element;
    }),
  );
  const [source] = sources;
  byId("provenance").replaceChildren(
    `Published by ${brand.name}, schedule revision ${revision}`,
    ...(source === undefined ? [] : [": ", h("a", { href: source.url, rel: "noopener noreferrer" }, source.title)]),
    ".",
  );
  const note = byId("chain-note");
  note.classList.toggle("failure", failure !== undefined || (value !== undefined && value.total > maxSupply));
  note.textContent = [chainText(schedule, value, readAtMs, nowMs), renewalText(failure, readAtMs)].join(" ").trim();
}

function chainText(
  { maxSupply, token }: Schedule,
  value: Holdings | undefined,
  readAtMs: number | undefined,
  nowMs: number,
): string {
  if (value === undefined || readAtMs === undefined) return "";
  const ageSeconds = Math.max(0, (nowMs - readAtMs) / 1_000);
  const age = ageSeconds < 60 ? "" : `, read ${duration(ageSeconds)} ago`;
  const above = value.total > maxSupply ? ", more than the maximum" : "";
  return `On chain: ${tokensOf(value.total, token.decimals)} exist${above}, ledger version ${value.breakdown.ledger_version}${age}.`;
}

/** Why a figure is not renewed, and since when; empty while it is. */
export function renewalText(failure: string | undefined, readAtMs: number | undefined): string {
  if (failure === undefined) return "";
  return readAtMs === undefined ? `Chain not read: ${failure}` : `Not renewed since ${timeOf(readAtMs)}: ${failure}`;
}

/** Long figures get a smaller size of the scale and are never broken; text has no unit. */
function setFigure(id: string, figure: string): void {
  setText(id, figure);
  const element = byId(id);
  element.dataset["length"] = figure.length <= 11 ? "short" : figure.length <= 15 ? "medium" : "long";
  element.parentElement?.classList.toggle("wordy", !/\d/.test(figure));
}
