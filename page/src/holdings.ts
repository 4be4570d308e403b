import { site } from "virtual:site";
import type { Answer, SupplyBreakdown, Wallet } from "./api.ts";
import { byId, h, mark } from "./dom.ts";
import { dayOf, duration, share, wholeTokens } from "./format.ts";
import { WALLET_KINDS } from "./wallet-kinds.ts";

const DASH = "–";

/** The wallets of locked tokens, and their balances compared with the schedule. */
export function showHoldings(answer: Answer<SupplyBreakdown>): void {
  const panel = byId("holdings-panel");
  // A later failure keeps the displayed figures and adds a note.
  const hasValue = panel.getAttribute("aria-busy") === "false" && panel.dataset["state"] === "value";
  panel.setAttribute("aria-busy", "false");
  if (answer.kind === "failure") {
    note(`${hasValue ? "Not renewed. " : ""}${answer.message} Trying again shortly.`, true);
    return;
  }
  panel.dataset["state"] = "value";
  const { buckets, non_circulating_wallets: wallets, total_supply: total } = answer.value;
  note(summary(answer.value, answer.ageSeconds), false);
  fill("holdings-buckets", buckets.map(bucketRow));
  const labels = new Map(buckets.map(({ id, label }) => [id, label]));
  fill(
    "holdings-wallets",
    wallets.map((wallet) => walletRow(wallet, labels.get(wallet.bucket) ?? wallet.bucket, BigInt(total.base_units))),
  );
}

function note(text: string, isFailure: boolean): void {
  const element = byId("holdings-note");
  element.classList.toggle("failure", isFailure);
  element.textContent = text;
}

function summary(breakdown: SupplyBreakdown, ageSeconds: number): string {
  const { non_circulating_wallets: wallets, circulating_supply_scheduled: scheduled, as_of } = breakdown;
  if (wallets.length === 0) return "The schedule names no wallets that hold locked tokens.";
  const age = ageSeconds < 60 ? "" : `, ${duration(ageSeconds)} ago`;
  const parts = [
    `Total on chain ${whole(breakdown.total_supply)} less these wallets ${whole(breakdown.non_circulating_supply)} is ${whole(breakdown.circulating_supply_on_chain)} observed`,
    ...(scheduled === null ? [] : [`, ${whole(scheduled)} scheduled`]),
    `. Read at ledger version ${breakdown.ledger_version}, ${dayOf(as_of)}${age}.`,
    ...(breakdown.complete ? [] : [" Incomplete: not every locked token is in a wallet that can be read."]),
  ];
  return parts.join("");
}

function fill(id: string, rows: readonly HTMLElement[]): void {
  const table = byId(id);
  table.hidden = rows.length === 0;
  table.querySelector("tbody")?.replaceChildren(...rows);
}

/** `-0.4` is 0 whole tokens, and 12 more is `+12`. */
function signed(tokens: string): string {
  const text = wholeTokens(tokens);
  return text === "-0" ? "0" : /^[1-9]/.test(text) ? `+${text}` : text;
}

type Bucket = SupplyBreakdown["buckets"][number];

function bucketRow({ label, locked_by_schedule: locked, held_on_chain: onChain, difference }: Bucket): HTMLElement {
  // A difference below a whole token is the rounding of an unlock.
  const isShort = difference !== null && /^-[1-9]/.test(difference.tokens);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", dir: "auto" },
      label,
      ...(isShort ? [" ", mark("less than scheduled")] : []),
      ...(onChain === null ? [" ", h("span", { class: "note" }, "no wallet read")] : []),
    ),
    cell("Scheduled", whole(locked)),
    cell("On chain", onChain === null ? DASH : whole(onChain)),
    cell("Difference", difference === null ? DASH : signed(difference.tokens)),
  );
}

function walletRow(wallet: Wallet, bucket: string, total: bigint): HTMLElement {
  const marks = marksOf(wallet);
  return h(
    "tr",
    marks.length > 0 ? { class: "marked" } : {},
    h("th", { scope: "row", dir: "auto" }, wallet.label, h("br"), address(wallet), ...marks),
    cell("Bucket", bucket, "text"),
    cell("Kind", WALLET_KINDS[wallet.holds], "text"),
    cell("Balance", wallet.balance === null ? DASH : whole(wallet.balance)),
    cell("Of total", wallet.balance === null ? DASH : share(BigInt(wallet.balance.base_units), total)),
  );
}

function marksOf({ anomaly, anomaly_reason: reason, observed_balance: observed, verification, chain }: Wallet): Node[] {
  const read = observed === null ? "" : ` Read now: ${whole(observed)}.`;
  return [
    ...(anomaly ? [h("br"), mark("anomaly"), h("span", { class: "note" }, ` ${reason ?? ""}${read}`)] : []),
    ...(verification === "unverified" ? [h("br"), mark(`unverified, on ${chain}`)] : []),
  ];
}

/** The abbreviated address, linked to the operator's explorer if the brand has one. */
function address({ address: whole, chain }: Wallet): HTMLElement {
  const text = whole.length > 16 ? `${whole.slice(0, 8)}…${whole.slice(-6)}` : whole;
  const { explorer } = site.brand;
  if (explorer === undefined || chain !== "native") return h("code", { title: whole }, text);
  const href = explorer.replace("{address}", () => encodeURIComponent(whole));
  return h("a", { href, title: whole, rel: "noopener noreferrer" }, h("code", {}, text));
}

function cell(label: string, text: string, className = "number"): HTMLElement {
  return h("td", { "data-label": label, class: className }, text);
}

function whole({ tokens }: { readonly tokens: string }): string {
  return wholeTokens(tokens);
}
