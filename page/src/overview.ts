import { site } from "virtual:site";
import type { Answer, Supply, UnlockSchedule } from "./api.ts";
import { byId, h, setText } from "./dom.ts";
import { compact, dayOf, duration, share, timeLeft, tokensOf, wholeTokens } from "./format.ts";

const DASH = "–";
/** Rows for the recipients; of more, the last row expands the others. */
const RECIPIENT_ROWS = 3;
const MAX_COLUMN_CHARACTERS = 17;

/** The overview's input. The schedule has the figures that `/api/supply` lacks before the start. */
export interface Overview {
  readonly supply: Answer<Supply>;
  readonly schedule: UnlockSchedule;
  readonly nowMs: number;
}

/** Displays the headline figure with its composition, and the next unlock. Returns the unlock's time, or undefined. */
export function showOverview({ supply, schedule, nowMs }: Overview): number | undefined {
  byId("supply").setAttribute("aria-busy", "false");
  byId("headline-note").classList.remove("failure");
  if (supply.kind === "value") {
    showFigures(supply.value, supply.ageSeconds);
    return showNextUnlock(supply.value);
  }
  const [launch] = schedule.rows;
  if (launch !== undefined && Date.parse(launch.effective_from) > nowMs) return showLaunch(schedule, launch);
  showNothing(supply.message);
  return undefined;
}

function showFigures(supply: Supply, ageSeconds: number): void {
  const maximum = BigInt(supply.max.base_units);
  const circulating = BigInt(supply.circulating.base_units);
  const total = supply.total === null ? null : BigInt(supply.total.base_units);
  setFigure(
    "headline-amount",
    wholeTokens(supply.circulating.tokens),
    `${supply.circulating.tokens} ${site.token.symbol}`,
  );
  setText("headline-note", `${share(circulating, maximum)} of maximum, since ${dayOf(supply.effective_from)}`);
  setText("label-locked", total === null ? "Locked or not minted" : "Locked");
  const minted = total === null ? maximum : total < maximum ? total : maximum;
  const locked = minted > circulating ? minted - circulating : 0n;
  const unminted = total === null ? null : maximum - minted;
  showPart("circulating", circulating, maximum);
  showPart("locked", locked, maximum);
  showPart("unminted", unminted, maximum);
  showPart("maximum", maximum, maximum);
  setText("total-note", totalNote(supply, ageSeconds));
  byId("total-note").classList.toggle("failure", total === null || total > maximum);
}

/** The last good value is displayed for up to an hour, with its age from a minute on. */
function totalNote({ total, max, unavailable }: Supply, ageSeconds: number): string {
  if (total === null) return `Total on chain: ${unavailable["total"] ?? "not available now"}`;
  const age = ageSeconds < 60 ? "" : `, ${duration(ageSeconds)} ago`;
  const isAbove = BigInt(total.base_units) > BigInt(max.base_units);
  return `Total on chain ${wholeTokens(total.tokens)}${age}${isAbove ? "; this is above the maximum" : ""}`;
}

function showPart(name: string, amount: bigint | null, whole: bigint): void {
  const isLessThanOne = amount !== null && amount > 0n && amount < 10n ** BigInt(site.token.decimals);
  const exact = amount === null ? DASH : isLessThanOne ? "< 1" : tokensOf(amount, site.token.decimals);
  // The digits that fit a column on the narrowest phone; the exact figure is in the headline or a tooltip.
  const text =
    amount !== null && exact.length > MAX_COLUMN_CHARACTERS
      ? compact(Number(amount) / 10 ** site.token.decimals, true)
      : exact;
  setText(`part-${name}`, text);
  byId(`part-${name}`).title = exact;
  setText(`share-${name}`, amount === null ? DASH : share(amount, whole));
  const ratio = amount === null || whole <= 0n ? 0 : Number((amount * 10_000n) / whole) / 10_000;
  byId("composition").querySelector<HTMLElement>(`.${name}`)?.style.setProperty("flex-grow", String(ratio));
  byId("composition")
    .querySelector<HTMLElement>(`.${name}`)
    ?.toggleAttribute("hidden", ratio === 0);
}

/** Long figures get a smaller font and are never broken or truncated. Text has no unit. */
function setFigure(id: string, figure: string, exact: string): void {
  setText(id, figure);
  byId(id).title = exact;
  byId(id).style.setProperty("--characters", String(figure.length));
  byId(id).parentElement?.classList.toggle("wordy", !/\d/.test(figure));
}

function showNextUnlock({ next_unlock: next, circulating }: Supply): number | undefined {
  if (next === null) {
    showEvent("Next unlock", null, "None", "The schedule is complete.");
    byId("event-buckets").replaceChildren();
    return undefined;
  }
  const amount = BigInt(next.amount.base_units);
  const whole = wholeTokens(next.amount.tokens);
  showEvent(
    "Next unlock",
    next.at,
    amount > 0n ? `+${whole}` : whole,
    `${share(amount, BigInt(circulating.base_units))} of what circulates now`,
  );
  const recipients = next.buckets.map(({ label, amount: part }) => ({ label, amount: BigInt(part.base_units) }));
  showRecipients(recipients, amount);
  return Date.parse(next.at);
}

function showLaunch(schedule: UnlockSchedule, launch: UnlockSchedule["rows"][number]): number {
  const maximum = BigInt(schedule.max_supply.base_units);
  setFigure("headline-amount", "Not launched", "Nothing circulates before the launch.");
  setText("headline-note", `Launches ${dayOf(launch.effective_from)}, 00:00 UTC`);
  for (const name of ["circulating", "locked", "unminted"]) showPart(name, null, maximum);
  showPart("maximum", maximum, maximum);
  setText("total-note", "");
  const amount = BigInt(launch.circulating.base_units);
  showEvent(
    "Launch",
    launch.effective_from,
    wholeTokens(launch.circulating.tokens),
    `${share(amount, maximum)} of the maximum`,
  );
  const labels = new Map(site.buckets.map(({ id, label }) => [id, label]));
  const recipients = Object.entries(launch.buckets).map(([id, units]) => ({
    label: labels.get(id) ?? id,
    amount: BigInt(units),
  }));
  showRecipients(
    recipients.filter(({ amount: part }) => part > 0n),
    amount,
  );
  return Date.parse(launch.effective_from);
}

/** Without figures: dashes and the reason. The last good figures are removed, because their age would be unclear. */
function showNothing(message: string): void {
  setFigure("headline-amount", DASH, "");
  setText("headline-note", message);
  byId("headline-note").classList.add("failure");
  for (const name of ["circulating", "locked", "unminted"]) showPart(name, null, 1n);
  showPart("maximum", null, 1n);
  setText("total-note", "");
  showEvent("Next unlock", null, DASH, "Not available now.");
  byId("event-buckets").replaceChildren();
}

function showEvent(title: string, at: string | null, amount: string, note: string): void {
  setText("event-title", title);
  setText("event-date", at === null ? "" : `${dayOf(at)}, 00:00 UTC`);
  if (at === null) byId("event-date").removeAttribute("datetime");
  else byId("event-date").setAttribute("datetime", at);
  if (at === null) setText("event-countdown", "");
  setFigure("event-amount", amount, amount);
  setText("event-share", note);
  byId("event-links").classList.toggle("nothing", at === null);
}

/** Displays the remaining time until an instant. */
export function showCountdown(atMs: number, nowMs: number): void {
  setText("event-countdown", atMs > nowMs ? `in ${timeLeft((atMs - nowMs) / 1000)}` : "now");
}

interface Recipient {
  readonly label: string;
  readonly amount: bigint;
}

function showRecipients(recipients: readonly Recipient[], whole: bigint): void {
  const ordered = [...recipients].sort((one, other) =>
    one.amount > other.amount ? -1 : one.amount < other.amount ? 1 : 0,
  );
  const list = (some: readonly Recipient[]): HTMLElement =>
    h(
      "ul",
      {},
      ...some.map((one) =>
        h(
          "li",
          {},
          h("span", { title: one.label, dir: "auto" }, one.label),
          h("span", { class: "digits" }, tokensOf(one.amount, site.token.decimals)),
          h("span", { class: "note" }, share(one.amount, whole)),
        ),
      ),
    );
  const named = ordered.length > RECIPIENT_ROWS ? RECIPIENT_ROWS - 1 : ordered.length;
  const rest = ordered.slice(named);
  byId("event-buckets").replaceChildren(
    h("h3", {}, "Goes to"),
    list(ordered.slice(0, named)),
    ...(rest.length > 0 ? [h("details", {}, h("summary", {}, `${rest.length} more`), list(rest))] : []),
  );
}
