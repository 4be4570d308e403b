import { hasYields, maximum, token } from "virtual:site";
import { columnOf, timeOf, tokensOf } from "../../view/format.ts";
import { categoryText } from "../../view/wallet-kinds.ts";
import { type Alert, maximumAlerts, readingAlerts, unreadAlerts } from "../alerts.ts";
import { showAlerts } from "../chain-figures.ts";
import { readFrom, severalChains } from "../chain-nodes.ts";
import { showChains } from "../chains.ts";
import { serviceNow } from "../clock.ts";
import { addCanonicalAddress, completeAddresses, followRevision } from "../deployment.ts";
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
import { showObservedDays } from "../observed-days.ts";
import { member, poll, type Reading, readUntilAnswered, renewalText, whenSeen } from "../polling.ts";
import { showBestRate, showRates } from "../rates.ts";
import { sparkline } from "../sparkline.ts";
import { constantRow, versionOf, walletRow } from "../wallet-rows.ts";
import { revision } from "./first-view.ts";

const DASH = "–";
const { decimals } = token;

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
  // The alert tells the failure, once.
  if (value === undefined) byId("wallet-list").querySelector("td")?.replaceChildren(DASH);
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

/** Returns the alerts of a reading: this page has no plan with which it could be compared. */
function alertsOf(value: Holdings | undefined, unread: string): readonly Alert[] {
  const most = maximum === null ? null : unitsOf(maximum);
  return [
    ...(value === undefined ? [] : [...maximumAlerts(value, most, token), ...readingAlerts(value)]),
    ...unreadAlerts(unread),
  ];
}

/** Converts exact tokens, which the build wrote, to base units. */
function unitsOf(tokens: string): bigint {
  const [whole = "", fraction = ""] = tokens.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function showWallets(breakdown: SupplyBreakdown, total: bigint): void {
  const isOnSeveral = severalChains(breakdown).length > 0;
  const wallets = breakdown.non_circulating_wallets.map((wallet) => {
    const place = { bucket: categoryText(wallet.category), isNamed: isOnSeveral || wallet.chain !== "native" };
    return walletRow(wallet, place, total, decimals);
  });
  const rows = [...wallets, ...breakdown.constants.map((constant) => constantRow(constant, total, decimals))];
  const none = h("tr", {}, h("td", { colspan: 4 }, "None: nothing is held back."));
  byId("wallet-list")
    .querySelector("tbody")
    ?.replaceChildren(...(rows.length === 0 ? [none] : rows));
}

/** Shows the recorded days: the circulating supply as a line, and the last days as a table. undefined: not read. */
function showDays(days: readonly ObservedDay[] | undefined): void {
  const text = (amount: bigint | null): string => (amount === null ? DASH : columnOf(amount, decimals));
  showObservedDays(days, ({ total, circulating }) => [
    ["Total", text(total)],
    ["Circulating", text(circulating)],
  ]);
  const known = (days ?? []).flatMap(({ atSeconds, circulating }) =>
    circulating === null ? [] : [{ atSeconds, value: Number(circulating) }],
  );
  if (known.length > 1) byId("days-line").replaceChildren(sparkline(known));
}

const ofChain = member("supply_breakdown", parseHoldings, (reading) => {
  showHoldings(reading);
  if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision, revision);
});
const ofYields = member("rates", parseRates, (reading) => {
  showBestRate(reading, serviceNow());
  showRates(reading, serviceNow());
});
poll([ofChain, ...(hasYields ? [ofYields] : [])]);
whenSeen([byId("days")], () => readUntilAnswered("/api/page/history", parseHistory, showDays));
addCanonicalAddress();
completeAddresses();
document.documentElement.classList.add("whole");
