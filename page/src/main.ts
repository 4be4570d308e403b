import { paths } from "virtual:site";
import { stepAt } from "../../src/supply/circulating.ts";
import { showAllocations } from "./allocations.ts";
import { showChart, showNextMonths } from "./chart/panel.ts";
import { timelineOf } from "./chart/timeline.ts";
import { type Holdings, parseHistory, parseHoldings, parseRates } from "./documents.ts";
import { byId, h } from "./dom.ts";
import { showHoldings, showObservedDays } from "./holdings.ts";
import { showComposition, showCountdown, showOverview } from "./overview.ts";
import { poll, type Reading, read, whenSeen } from "./polling.ts";
import { showBestRate, showRates } from "./rates.ts";
import { parseSchedule } from "./schedule.ts";
import { showUpcoming } from "./upcoming.ts";
import { showUse } from "./use.ts";

/** The build writes the schedule into the HTML: everything that follows from it needs no request. */
const schedule = parseSchedule(byId("schedule-data").textContent ?? "");
const timeline = timelineOf(schedule);
let holdings: Reading<Holdings> = { value: undefined, readAtMs: undefined, failure: undefined };
let nextMs: number | undefined;

/** What follows from the schedule and changes at a step only. */
function showScheduled(): void {
  const nowMs = Date.now();
  nextMs = showOverview(schedule, nowMs);
  showCountdown(nextMs, nowMs);
  showComposition(schedule, holdings, nowMs);
  showUpcoming(schedule, timeline, nowMs);
}

/** The sections below the first view, which need not wait for one another nor the first paint for them. */
function showBelow(): void {
  const nowMs = Date.now();
  showNextMonths(timeline, nowMs / 1_000);
  showAllocations(schedule, timeline, nowMs);
  markMonth(nowMs);
  showUse(schedule, paths, nowMs);
  const showObserved = showChart(timeline, nowMs / 1_000);
  // For readers who scroll to the chart: the first view needs no further request.
  whenSeen(byId("chart"), async () => {
    const history = await read("/api/history", parseHistory);
    if (history.kind === "failure") return;
    showObserved(history.value);
    showObservedDays(history.value, schedule);
  });
}

/** The month table is in the HTML; the row in force now is marked. */
function markMonth(nowMs: number): void {
  const index = stepAt(schedule, nowMs)?.index;
  for (const [row, element] of byId("months").querySelectorAll("tbody tr").entries()) {
    if (row === index) element.setAttribute("aria-current", "date");
    else element.removeAttribute("aria-current");
  }
}

/** A page that stays open over a deployment loads the new one, once: the new page may be slower than the API. */
function followRevision(revision: number): void {
  if (revision === schedule.revision || sessionStorage.getItem("revision") === String(revision)) return;
  sessionStorage.setItem("revision", String(revision));
  location.reload();
}

document.documentElement.classList.add("ready");
// Without scripts the table is open.
(byId("months") as HTMLDetailsElement).open = false;
matchMedia("print").addEventListener("change", ({ matches }) => {
  for (const details of document.querySelectorAll("details")) details.open = matches;
});
// Link previews and search engines need an absolute address, which a build for any host does not know.
if (document.querySelector("link[rel=canonical]") === null)
  document.head.append(h("link", { rel: "canonical", href: `${location.origin}/` }));
showScheduled();
requestAnimationFrame(() => setTimeout(showBelow));

poll("/api/supply-breakdown", parseHoldings, (reading) => {
  holdings = reading;
  showComposition(schedule, holdings, Date.now());
  showHoldings(reading, schedule.token.decimals);
  if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision);
});
poll("/api/rates", parseRates, (reading) => {
  showBestRate(reading, Date.now());
  showRates(reading, Date.now());
});
setInterval(() => {
  const nowMs = Date.now();
  if (nextMs === undefined || nextMs > nowMs) {
    showCountdown(nextMs, nowMs);
    return;
  }
  showScheduled();
  showAllocations(schedule, timeline, nowMs);
  markMonth(nowMs);
}, 1_000);
