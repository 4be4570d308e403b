import { paths } from "virtual:site";
import { stepAt } from "../../src/supply/circulating.ts";
import { showAllocations } from "./allocations.ts";
import { showChart, showNextMonths } from "./chart/panel.ts";
import { timelineOf } from "./chart/timeline.ts";
import { type Holdings, parseHistory, parseHoldings, parseRates } from "./documents.ts";
import { byId } from "./dom.ts";
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
  showAllocations(schedule, timeline, nowMs);
  markMonth(nowMs);
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
showScheduled();
const startMs = Date.now();
showNextMonths(timeline, startMs / 1_000);
const showObserved = showChart(timeline, startMs / 1_000);
showUse(schedule, paths, startMs);

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
// For readers who scroll to the chart: the first view needs no further request.
whenSeen(byId("chart"), async () => {
  const history = await read("/api/history", parseHistory);
  if (history.kind === "failure") return;
  showObserved(history.value);
  showObservedDays(history.value, schedule);
});

setInterval(() => {
  if (nextMs !== undefined && nextMs <= Date.now()) showScheduled();
  else showCountdown(nextMs, Date.now());
}, 1_000);
