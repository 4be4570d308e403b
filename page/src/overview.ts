import { brand } from "virtual:site";
import {
  changeOf,
  columnOf,
  compactOf,
  dayOf,
  share,
  timeLeft,
  timeOf,
  tokensOf,
} from "../../schedule-format/format.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import type { Holdings } from "./documents.ts";
import { bdi, byId, h, setText } from "./dom.ts";
import { type Reading, renewalText } from "./polling.ts";

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
    const others = ordered.length - named.length;
    byId("next-recipients").replaceChildren(
      ...named.flatMap(({ bucket, amount }, index) => [
        index === 0 ? "" : ", ",
        bdi(bucket.label),
        ` ${compactOf(amount, token.decimals)}`,
      ]),
      others > 0 ? `, ${others} more` : "",
    );
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

/** What the maximum consists of by the schedule. */
export function showComposition(schedule: Schedule, nowMs: number): void {
  const { maxSupply, token } = schedule;
  const circulating = stepAt(schedule, nowMs)?.circulating ?? 0n;
  const rows = [
    ["circulating", "Circulating", circulating],
    ["locked", "Locked", maxSupply - circulating],
  ] as const;
  byId("parts").replaceChildren(
    ...rows.map(([name, label, part]) =>
      h(
        "div",
        {},
        h("dt", {}, h("i", { class: `swatch ${name}` }), label),
        h("dd", { class: "number" }, columnOf(part, token.decimals)),
        h("dd", { class: "number" }, share(part, maxSupply)),
      ),
    ),
  );
  byId("composition").replaceChildren(
    ...rows.map(([name, , part]) => {
      const element = h("span", { class: name });
      element.style.flexGrow = maxSupply > 0n ? String(Number((part * 10_000n) / maxSupply) / 10_000) : "0";
      return element;
    }),
  );
  showProvenance(schedule);
}

/** What the chain says, once it is read. */
export function showChainNote(schedule: Schedule, reading: Reading<Holdings>, nowMs: number): void {
  const { maxSupply } = schedule;
  const { value, failure } = reading;
  const note = byId("chain-note");
  note.classList.toggle("failure", failure !== undefined || (value !== undefined && value.total > maxSupply));
  note.textContent = [chainText(schedule, reading, nowMs), renewalText(reading, "The on-chain total", nowMs)]
    .join(" ")
    .trim();
}

/** Whose schedule it is, of which day, and the document that says so. */
function showProvenance({ publisher, publishedAt, revision, sources, sha256 }: Schedule): void {
  const [source] = sources;
  byId("provenance").replaceChildren(
    bdi(publisher ?? brand.name),
    `, schedule of ${dayOf(publishedAt)} (revision ${revision})`,
    ...(sha256 === undefined
      ? []
      : [
          ", ",
          h("a", { href: "/schedule/native.json", title: `SHA-256 ${sha256}` }, `SHA-256 ${sha256.slice(0, 8)}…`),
        ]),
    ...(source === undefined ? [] : [": ", h("a", { href: source.url, rel: "noopener noreferrer" }, source.title)]),
  );
}

function chainText({ maxSupply, token }: Schedule, { value, readAtMs }: Reading<Holdings>, nowMs: number): string {
  if (value === undefined || readAtMs === undefined) return "";
  const { total, minted, burned } = value;
  const unit = 10n ** BigInt(token.decimals);
  const amount = (units: bigint): string => tokensOf(units, token.decimals);
  const facts = [
    `${amount(total)} ${token.symbol} exist on chain`,
    // Less than a whole token is the chain's own rounding.
    ...(burned >= unit ? [`${amount(burned)} are burned`] : []),
    ...(maxSupply - minted >= unit ? [`${amount(maxSupply - minted)} not minted yet`] : []),
    ...(total > maxSupply ? ["more than the maximum"] : []),
    `read ${timeOf(readAtMs, nowMs)}`,
  ];
  return `${facts.join(", ")}.`;
}

/** A figure and its length, from which its size follows; words have no unit. */
function setFigure(id: string, figure: string): void {
  setText(id, figure);
  const element = byId(id);
  element.style.setProperty("--length", String(Math.max(figure.length, 11)));
  element.parentElement?.classList.toggle("wordy", !/\d/.test(figure));
}
