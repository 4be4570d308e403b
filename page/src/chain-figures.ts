import { LAST_GOOD_SECONDS } from "../../src/base/last-good.ts";
import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { LONG_ROOM } from "../view/bars.ts";
import { columnOf, isWhole, timeOf } from "../view/format.ts";
import { type Alert, alertsOf } from "./alerts.ts";
import { readFrom } from "./chain-nodes.ts";
import type { Holdings } from "./documents.ts";
import { h, svg } from "./dom.ts";
import { byId, setText } from "./elements.ts";
import { type Reading, renewalText } from "./polling.ts";
import { abovePlanOf, groupOf } from "./reconciliation.ts";
import { verdictOf } from "./verdict.ts";

/** Least width in percent at which a part of the bar can be seen. */
const MIN_PERCENT = 0.5;

/** Shows the first view's figures that are read from the chain, the proof and the alerts. */
export function showChainFigures(schedule: UnlockSchedule, reading: Reading<Holdings>, nowMs: number): void {
  const { value, failure } = reading;
  const figures = { "on-chain": value?.onChain, total: value?.total, burned: value?.burned };
  for (const [name, amount] of Object.entries(figures)) {
    // The page has no element of a figure that this deployment does not have.
    if (document.getElementById(`part-${name}`) === null) continue;
    const missing = failure === undefined ? "" : "–";
    setText(`part-${name}`, amount === undefined ? missing : columnOf(amount, schedule.token.decimals));
  }
  showProof(reading, nowMs);
  showAlerts(alertsOf(value, renewalText(reading, "The chain"), schedule));
  showAbovePlan((value && abovePlanOf(value, schedule)) ?? 0n, schedule);
}

/** Shows the proof in few words: the verdict, the number of wallets and nodes, and the time of the reading. */
function showProof(reading: Reading<Holdings>, nowMs: number): void {
  const { text, state, read } = saidOf(reading, nowMs);
  const { value, readAtMs } = reading;
  byId("chain-note").dataset["state"] = state;
  const isProof = state === "verified" && value !== undefined && readAtMs !== undefined;
  setText("chain-proof", isProof ? "Locked tokens in place" : "");
  setText(
    "chain-said",
    isProof
      ? ` ${walletsOf(value)}, ${readFrom(value.breakdown)}, ${timeOf(readAtMs)}.`
      : text === ""
        ? ""
        : `${text}, ${read}`,
  );
}

function walletsOf({ breakdown }: Holdings): string {
  const count = breakdown.non_circulating_wallets.filter((wallet) => groupOf(wallet) === "locked").length;
  return `${count} ${count === 1 ? "wallet" : "wallets"}`;
}

/** Shows alerts instead of the proof, one sentence each; one link leads to the wallets. */
export function showAlerts(alerts: readonly Alert[]): void {
  const band = byId("alert");
  const lines = alerts.map(({ fact, detail }) => h("p", {}, h("strong", {}, fact), ` ${detail} `));
  lines.at(-1)?.append(h("a", { href: "#wallets" }, "See the wallets"));
  const [gravest] = alerts;
  // The page is drawn each second, and the link must keep the focus: replace nothing that is unchanged.
  if (band.textContent === lines.map(({ textContent }) => textContent).join("")) return;
  band.dataset["state"] = gravest?.state ?? "";
  band.replaceChildren(...lines);
}

/**
 * Draws what circulates beyond the plan as a segment of the bar, wide enough to be seen. Text that has no room beside
 * it is hidden.
 */
function showAbovePlan(above: bigint, { maxSupply: maximum, token }: UnlockSchedule): void {
  const bar = byId("composition").querySelector("svg");
  const planned = Number.parseFloat(bar?.querySelector(".locked")?.getAttribute("x") ?? "");
  if (bar === null || Number.isNaN(planned)) return;
  bar.querySelector(".above")?.remove();
  const isAbove = isWhole(above, token.decimals) && maximum > 0n;
  const percent = isAbove ? Math.max(Number((above * 10_000n) / maximum) / 100, MIN_PERCENT) : 0;
  const [words, locked] = bar.querySelectorAll("text");
  const isBeside = words?.classList.contains("inside") === false;
  if (isBeside) words?.setAttribute("x", `${planned + percent}%`);
  const isFull = isAbove && 100 - planned - percent < LONG_ROOM;
  words?.toggleAttribute("hidden", isFull && isBeside);
  locked?.toggleAttribute("hidden", isFull);
  if (isAbove) words?.before(svg("rect", { class: "above", x: `${planned}%`, width: `${percent}%`, height: "100%" }));
}

/**
 * Returns the verdict of the wallets, and apart from it the time of the reading and the nodes that confirmed it, which
 * change each minute. A proof expires with the reading's hour.
 */
export function saidOf(
  { value, readAtMs }: Reading<Holdings>,
  nowMs: number,
): { readonly text: string; readonly state: string; readonly read: string } {
  if (value === undefined || readAtMs === undefined) return { text: "", state: "none", read: "" };
  const { text, state } = verdictOf(value.breakdown);
  const isProof = state === "verified" && nowMs - readAtMs <= LAST_GOOD_SECONDS * 1_000;
  return {
    text,
    state: state === "verified" && !isProof ? "expired" : state,
    read: `read on ${timeOf(readAtMs)} from ${readFrom(value.breakdown)}.`,
  };
}
