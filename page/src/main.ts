import { hasChain, hasYields } from "virtual:site";
import { stepAt } from "../../src/supply/circulating.ts";
import { belowOf } from "../view/below.ts";
import { drawnNow } from "../view/drawing-now.ts";
import { columnOf, differenceOf, timeOf } from "../view/format.ts";
import { monthsView } from "../view/months.ts";
import { overviewOf } from "../view/overview.ts";
import { type Timeline, timelineOf } from "../view/timeline.ts";
import { hasBars } from "../view/upcoming.ts";
import { showChainFigures } from "./chain-figures.ts";
import { scheduleCharts } from "./chart/panel.ts";
import { serviceNow, setClock } from "./clock.ts";
import { addCanonicalAddress, completeAddresses, followRevision } from "./deployment.ts";
import {
  type Holdings,
  type ObservedDay,
  parseHistory,
  parseHoldings,
  parseRates,
  type YieldProduct,
} from "./documents.ts";
import { focusRow, keepFocus, withCopy } from "./dom.ts";
import { byId, setText } from "./elements.ts";
import { fill, schedule, showCountdown, WHOLE } from "./first-view.ts";
import { showHoldings } from "./holdings.ts";
import { showObservedDays } from "./observed-days.ts";
import { member, poll, type Reading, readUntilAnswered, UNREAD, whenSeen } from "./polling.ts";
import { showBestRate, showRates } from "./rates.ts";

const DAY_MS = 86_400_000;
let timeline: Timeline | undefined;
let holdings: Reading<Holdings> = UNREAD;
let rates: Reading<readonly YieldProduct[]> = UNREAD;
let charts: ReturnType<typeof scheduleCharts> | undefined;
let shownDay: number | undefined;

/** Shows everything at an instant. Called when a reading changes, and on each UTC day. */
function show(nowMs: number): void {
  const isNewDay = shownDay !== Math.floor(nowMs / DAY_MS);
  shownDay = Math.floor(nowMs / DAY_MS);
  if (isNewDay) {
    timeline ??= timelineOf(schedule);
    fill(overviewOf(schedule, nowMs));
    fill(belowOf(schedule, timeline, nowMs));
    hideReachedNotes(timeline, nowMs);
    byId("next-chart").hidden = !hasBars(schedule, nowMs);
    fill({ "month-table": [monthsView(schedule, nowMs)] });
    charts?.draw(nowMs / 1_000);
  }
  if (hasChain) showChainFigures(schedule, holdings, nowMs);
  showCountdown(nowMs);
}

/** Hides notes of the drawing that today's line or value has reached since the build placed them. */
function hideReachedNotes(drawn: Timeline, nowMs: number): void {
  const { left = -1 } = drawnNow(drawn, nowMs) ?? {};
  for (const note of document.querySelectorAll<SVGElement>(".cliff-note")) {
    const [first = 0, last = 0] = (note.dataset["reached"] ?? "").split(",").map(Number);
    note.toggleAttribute("hidden", first <= left && left <= last);
  }
}

/** The first of the next unlocks are visible; the others are shown on demand. */
byId("upcoming-more").onclick = () => {
  byId("upcoming").classList.add("all");
  focusRow(byId("upcoming").querySelector("tbody tr:nth-child(4)"));
};

/** Draws the charts. They need not wait for the first paint, nor it for them. */
function showCharts(): void {
  timeline ??= timelineOf(schedule);
  charts = scheduleCharts(timeline, serviceNow() / 1_000);
  // The charts and their legend are drawn after the next layout.
  requestAnimationFrame(() => requestAnimationFrame(stayAtHash));
  if (!hasChain) return;
  // Requested when a reader scrolls down, because the first view does not need it.
  whenSeen([byId("chart"), byId("wallets")], () =>
    readUntilAnswered("/api/page/history", parseHistory, (days) => {
      charts?.observe(days ?? []);
      showObservedDays(days, comparedDay);
    }),
  );
}

let hasMoved = false;
for (const type of ["wheel", "touchmove", "keydown"])
  addEventListener(type, () => (hasMoved = true), { passive: true, once: true });
// The controls and the legend of the chart change the address, which then leads to the chart.
byId("explorer").addEventListener("click", () => (hasMoved = true), { once: true });

/** Returns the cells of a recorded day, beside the figure that the schedule planned. */
function comparedDay({ date, total, circulating }: ObservedDay): [label: string, text: string][] {
  const { decimals } = schedule.token;
  const planned = stepAt(schedule, Date.parse(date))?.circulating;
  const gap = planned === undefined || circulating === null ? undefined : circulating - planned;
  const text = (amount: bigint | null | undefined): string => (amount == null ? "–" : columnOf(amount, decimals));
  return [
    ["Total", text(total)],
    ["Observed", text(circulating)],
    ["Planned", text(planned)],
    ["Difference", gap === undefined ? "–" : differenceOf(gap, decimals)],
  ];
}

/** Keeps a reader at the section of the address while the page is filled in, until the reader moves. */
function stayAtHash(): void {
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/** Fills in the API's figures, and renews them. */
function followApi(): void {
  const ofChain = member("supply_breakdown", parseHoldings, (reading) => {
    holdings = reading;
    show(serviceNow());
    showHoldings(reading, schedule, serviceNow());
    stayAtHash();
    if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision, schedule.revision);
  });
  const ofYields = member("rates", parseRates, (reading) => {
    rates = reading;
    show(serviceNow());
    showBestRate(rates, serviceNow());
    showRates(rates, serviceNow());
    stayAtHash();
  });
  if (hasChain || hasYields) poll([...(hasChain ? [ofChain] : []), ...(hasYields ? [ofYields] : [])]);
  // Nothing is read, so the service is asked only for its time.
  else
    fetch("/", { method: "HEAD", cache: "no-cache" }).then(
      (answer) => setClock(answer),
      () => undefined,
    );
}

addEventListener("beforeprint", () =>
  setText("printed", `Printed from ${location.origin}/ on ${timeOf(serviceNow())}.`),
);
/** Offers a subscription: unlike a copied file it learns of a revision. */
function offerSubscription(): void {
  byId("subscribe").setAttribute("href", `webcal://${location.host}${byId("calendar").getAttribute("href")}`);
}
offerSubscription();
addCanonicalAddress();

stayAtHash();
// Requests and drawings would compete with the first paint.
afterFirstPaint(() => {
  show(serviceNow());
  followApi();
  setTimeout(showCharts);
});

/** Calls `run` after the first paint; at once in a background tab, which paints nothing yet. */
function afterFirstPaint(run: () => void): void {
  const painted = new PerformanceObserver(() => {
    painted.disconnect();
    run();
  });
  if (document.hidden) run();
  else painted.observe({ type: "paint", buffered: true });
}

setInterval(() => keepFocus(() => show(serviceNow())), 1_000);
for (const address of document.querySelectorAll("#wallets .address")) withCopy(address);
completeAddresses();
/** The page prints as a sheet of two pages. */
byId("print").onclick = () => {
  print();
  return false;
};
document.documentElement.classList.add(WHOLE);
