import { brand } from "virtual:site";
import { stepAt } from "../../src/supply/circulating.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { type Holdings, type ObservedDay, type SupplyBreakdown, units, type Wallet } from "./documents.ts";
import { byId, h, mark, setText } from "./dom.ts";
import { changeOf, columnOf, dayOf, duration, share } from "./format.ts";
import { renewalText } from "./overview.ts";
import type { Reading } from "./polling.ts";
import { WALLET_KINDS } from "./wallet-kinds.ts";

const DASH = "–";
/** Days of history in the table; the file has all. */
const DAYS = 30;

/** The wallets of locked tokens compared with the schedule: the result first, the details folded. */
export function showHoldings(reading: Reading<Holdings>, decimals: number): void {
  const { value, failure, readAtMs } = reading;
  setText("wallets-note", renewalText(failure, readAtMs));
  if (value === undefined) return;
  const { breakdown, onChain } = value;
  const { buckets, non_circulating_wallets: wallets } = breakdown;
  const hasWallets = wallets.length > 0;
  const verdict = verdictOf(breakdown);
  setText("verdict", verdict.text);
  byId("verdict").dataset["state"] = verdict.state;
  const whole = (amount: { readonly base_units: string }): string => columnOf(units(amount), decimals);
  const { circulating_supply_scheduled: scheduled } = breakdown;
  byId("comparison").hidden = !hasWallets;
  byId("comparison").replaceChildren(
    ...(hasWallets && scheduled !== null
      ? [
          fact("Circulating", whole(scheduled), "what the published schedule has unlocked"),
          fact(
            "Circulating on chain",
            columnOf(onChain, decimals),
            "what exists on chain and is not held by the project",
          ),
          fact("Difference", difference(onChain - units(scheduled), decimals), "on chain less the schedule"),
        ]
      : []),
  );
  byId("wallets-details").hidden = !hasWallets;
  fill(
    "wallet-buckets",
    buckets.map((bucket) => bucketRow(bucket, decimals)),
  );
  const labels = new Map(buckets.map(({ id, label }) => [id, label]));
  fill(
    "wallet-list",
    wallets.map((wallet) => walletRow(wallet, labels.get(wallet.bucket) ?? wallet.category, value.total, decimals)),
  );
  const age = Math.max(0, (Date.now() - (readAtMs ?? 0)) / 1_000);
  setText(
    "wallets-source",
    `Read at ledger version ${breakdown.ledger_version}, ${dayOf(breakdown.as_of)}${age < 60 ? "" : `, ${duration(age)} ago`}.`,
  );
}

function verdictOf({ buckets, non_circulating_wallets: wallets, complete }: SupplyBreakdown): {
  text: string;
  state: string;
} {
  if (wallets.length === 0) return { text: "The schedule names no wallets that hold locked tokens.", state: "none" };
  const short = buckets.filter(isShort).map(({ label }) => label);
  if (short.length > 0) return { text: `Less than scheduled is held for ${short.join(", ")}.`, state: "short" };
  const odd = wallets.filter(({ anomaly }) => anomaly).length;
  if (odd > 0) return { text: `${odd} of ${wallets.length} wallets need a look.`, state: "short" };
  if (!complete) return { text: "Not every wallet can be read here.", state: "partial" };
  return {
    text: `Verified on chain: ${wallets.length === 1 ? "the wallet holds" : `all ${wallets.length} wallets hold`} what the schedule locks.`,
    state: "verified",
  };
}

type Bucket = SupplyBreakdown["buckets"][number];

/** A difference below a whole token is the rounding of an unlock. */
function isShort({ difference: found }: Bucket): boolean {
  return found !== null && /^-[1-9]/.test(found.tokens);
}

function difference(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  return amount / unit === 0n ? "0" : changeOf(amount, decimals);
}

function fact(label: string, text: string, meaning: string): HTMLElement {
  return h("div", {}, h("dt", {}, label), h("dd", { class: "number big" }, text), h("dd", {}, meaning));
}

function fill(id: string, rows: readonly HTMLElement[]): void {
  byId(id)
    .querySelector("tbody")
    ?.replaceChildren(...rows);
}

function bucketRow(bucket: Bucket, decimals: number): HTMLElement {
  const { label, locked_by_schedule: locked, held_on_chain: held, difference: found } = bucket;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", dir: "auto" },
      label,
      ...(isShort(bucket) ? [" ", mark("less than scheduled")] : []),
      ...(held === null && units(locked) > 0n ? [" ", mark("no wallet read")] : []),
    ),
    cell("Locked by schedule", columnOf(units(locked), decimals)),
    cell("On chain", held === null ? DASH : columnOf(units(held), decimals)),
    cell("Difference", found === null ? DASH : difference(units(found), decimals)),
  );
}

function walletRow(wallet: Wallet, bucket: string, total: bigint, decimals: number): HTMLElement {
  const { balance, label, holds } = wallet;
  return h(
    "tr",
    {},
    h("th", { scope: "row", dir: "auto" }, label, h("br"), address(wallet), ...marksOf(wallet, decimals)),
    h("td", { "data-label": "Bucket", dir: "auto" }, `${bucket}, ${WALLET_KINDS[holds]}`),
    cell("Balance", balance === null ? DASH : columnOf(units(balance), decimals)),
    cell("Of total", balance === null ? DASH : share(units(balance), total)),
  );
}

function marksOf(
  { anomaly, anomaly_reason: reason, observed_balance: observed, verification, chain }: Wallet,
  decimals: number,
): Node[] {
  const read = observed === null ? "" : ` Read now: ${columnOf(units(observed), decimals)}.`;
  return [
    ...(anomaly ? [h("br"), mark("anomaly"), h("span", { class: "note" }, ` ${reason ?? ""}${read}`)] : []),
    ...(verification === "unverified" ? [h("br"), mark(`unverified, on ${chain}`)] : []),
  ];
}

/** The abbreviated address, linked to the operator's explorer if the brand has one. */
function address({ address: whole, chain }: Wallet): HTMLElement {
  const text = whole.length > 16 ? `${whole.slice(0, 8)}…${whole.slice(-6)}` : whole;
  const { explorer } = brand;
  if (explorer === undefined || chain !== "native") return h("code", { title: whole }, text);
  const href = explorer.replace("{address}", () => encodeURIComponent(whole));
  return h("a", { href, title: whole, rel: "noopener noreferrer" }, h("code", {}, text));
}

function cell(label: string, text: string): HTMLElement {
  return h("td", { "data-label": label, class: "number" }, text);
}

/** The last days as they were observed, each beside what the schedule planned for it. */
export function showObservedDays(days: readonly ObservedDay[], schedule: Schedule): void {
  const { decimals } = schedule.token;
  if (days.length === 0) {
    fill("observed-days", [h("tr", {}, h("td", { colspan: 5 }, "No day has been recorded yet."))]);
    return;
  }
  fill(
    "observed-days",
    days
      .slice(-DAYS)
      .reverse()
      .map(({ date, total, circulating }) => {
        const planned = stepAt(schedule, Date.parse(date))?.circulating;
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, dayOf(date)),
          cell("Total", columnOf(total, decimals)),
          cell("Observed", circulating === null ? DASH : columnOf(circulating, decimals)),
          cell("Planned", planned === undefined ? DASH : columnOf(planned, decimals)),
          cell(
            "Difference",
            planned === undefined || circulating === null ? DASH : difference(circulating - planned, decimals),
          ),
        );
      }),
  );
}
