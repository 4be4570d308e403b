import { hasYields, maximum, token } from "virtual:site";
import { columnOf, dayOf, timeOf, tokensOf } from "../../view/format.ts";
import { type Alert, readingAlerts } from "../alerts.ts";
import { showAlerts } from "../chain-figures.ts";
import { readFrom, severalChains } from "../chain-nodes.ts";
import { showChains } from "../chains.ts";
import { serviceNow } from "../clock.ts";
import {
  type Holdings,
  type ObservedDay,
  parseHistory,
  parseHoldings,
  parseRates,
  type SupplyBreakdown,
} from "../documents.ts";
import { h } from "../dom.ts";
import { byId, setText } from "../elements.ts";
import { member, poll, type Reading, read, renewalText, whenSeen } from "../polling.ts";
import { showBestRate, showRates } from "../rates.ts";
import { sparkline } from "../sparkline.ts";
import { versionOf, walletRow } from "../wallet-rows.ts";
import { revision } from "./first-view.ts";

const DASH = "–";
/** Days of history in the table; the history file has all. */
const DAYS = 30;
const { decimals, symbol } = token;

/** Shows the figures of a reading, and the wallets that are subtracted. */
function showHoldings(reading: Reading<Holdings>): void {
  const { value, readAtMs, failure } = reading;
  const unread = failure === undefined ? "" : DASH;
  const text = (amount: bigint | undefined): string => (amount === undefined ? unread : columnOf(amount, decimals));
  setText("circulating", value === undefined ? unread : tokensOf(value.onChain, decimals));
  setText("part-total", text(value?.total));
  setText("part-held", text(value && value.total - value.onChain));
  if (document.getElementById("part-burned") !== null) setText("part-burned", text(value?.burned));
  showAlerts(alertsOf(value, renewalText(reading, "The chain")));
  setText("wallets-note", renewalText(reading, "The wallets", true));
  if (value === undefined || readAtMs === undefined) return;
  setText("chain-said", `Read on ${timeOf(readAtMs)} from ${readFrom(value.breakdown)}.`);
  showChains(value.breakdown, decimals);
  showWallets(value.breakdown, value.total);
  byId("wallets-source").replaceChildren(
    "Read at ",
    ...versionOf(value.breakdown.ledger_version),
    `, ${timeOf(readAtMs)}.`,
  );
}

function alertsOf(value: Holdings | undefined, unread: string): readonly Alert[] {
  const excess = value === undefined || maximum === null ? 0n : value.minted - unitsOf(maximum);
  const fact = `${columnOf(excess, decimals)} ${symbol} more exist on chain than the maximum.`;
  return [
    ...(excess > 0n ? [{ state: "short", fact, detail: "" } as const] : []),
    ...(value === undefined ? [] : readingAlerts(value)),
    ...(unread === "" ? [] : [{ state: "partial", fact: unread, detail: "" } as const]),
  ];
}

/** Converts exact tokens, which the build wrote, to base units. */
function unitsOf(tokens: string): bigint {
  const [whole = "", fraction = ""] = tokens.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function showWallets(breakdown: SupplyBreakdown, total: bigint): void {
  const isOnSeveral = severalChains(breakdown).length > 0;
  const rows = breakdown.non_circulating_wallets.map((wallet) => {
    const place = { bucket: wallet.category.replaceAll("_", " "), isNamed: isOnSeveral || wallet.chain !== "native" };
    return walletRow(wallet, place, total, decimals);
  });
  const none = h("tr", {}, h("td", { colspan: 4 }, "None: nothing is held back."));
  byId("wallet-list")
    .querySelector("tbody")
    ?.replaceChildren(...(rows.length === 0 ? [none] : rows));
}

/** Shows the recorded days: the circulating supply as a line, and the last days as a table. */
function showDays(days: readonly ObservedDay[]): void {
  const cell = (label: string, amount: bigint | null) =>
    h("td", { "data-label": label, class: "number" }, amount === null ? DASH : columnOf(amount, decimals));
  const rows = days
    .slice(-DAYS)
    .reverse()
    .map(({ date, total, circulating }) =>
      h("tr", {}, h("th", { scope: "row" }, dayOf(date)), cell("Total", total), cell("Circulating", circulating)),
    );
  const none = h("tr", {}, h("td", { colspan: 3 }, "No day has been recorded yet."));
  byId("observed-days")
    .querySelector("tbody")
    ?.replaceChildren(...(rows.length === 0 ? [none] : rows));
  const known = days.flatMap(({ atSeconds, circulating }) =>
    circulating === null ? [] : [{ atSeconds, value: Number(circulating) }],
  );
  if (known.length > 1) byId("days-line").replaceChildren(sparkline(known));
}

/** Loads the new page after a deployment, only once: the new page may be deployed later than the API. */
function followRevision(served: number): void {
  if (served === revision || history.state === served) return;
  history.replaceState(served, "");
  location.reload();
}

const ofChain = member("supply_breakdown", parseHoldings, (reading) => {
  showHoldings(reading);
  if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision);
});
const ofYields = member("rates", parseRates, (reading) => {
  showBestRate(reading, serviceNow());
  showRates(reading, serviceNow());
});
poll([ofChain, ...(hasYields ? [ofYields] : [])]);
whenSeen([byId("days")], async () => {
  const recorded = await read("/api/page/history", parseHistory);
  if (!recorded.failure) showDays(recorded.value);
});
// Link previews and search engines need an absolute address, which a build for any host does not know.
if (document.querySelector("link[rel=canonical]") === null)
  document.head.append(h("link", { rel: "canonical", href: `${location.origin}/` }));
document.documentElement.classList.add("whole");
