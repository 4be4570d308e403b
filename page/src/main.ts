import { paths } from "virtual:site";
import { timelineOf } from "../../schedule-format/timeline.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { showAllocations } from "./allocations.ts";
import { showChart, showNextMonths } from "./chart/panel.ts";
import { type Holdings, parseHistory, parseHoldings, parseRates } from "./documents.ts";
import { byId, h } from "./dom.ts";
import { showHoldings } from "./holdings.ts";
import { showObservedDays } from "./observed-days.ts";
import { showChainNote, showComposition, showCountdown, showOverview } from "./overview.ts";
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
  showComposition(schedule, nowMs);
  if (hasChain) showChainNote(schedule, holdings, nowMs);
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
  // The charts are drawn after the next layout, and their legend with them.
  requestAnimationFrame(() => requestAnimationFrame(scrollToHash));
  if (!hasChain) return;
  // For readers who scroll down: the first view needs no further request.
  whenSeen([byId("chart"), byId("wallets")], async () => {
    const history = await read("/api/history", parseHistory);
    if (history.kind === "failure") return;
    showObserved(history.value);
    showObservedDays(history.value, schedule);
  });
}

/** The month table is in the HTML; the row in force now is marked. */
function markMonth(nowMs: number): void {
  const index = stepAt(schedule, nowMs)?.index ?? -1;
  const months = byId("months");
  months.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const rows = [...months.querySelectorAll<HTMLElement>("[data-step]")];
  rows.find(({ dataset }) => Number(dataset["step"]) >= index && index >= 0)?.setAttribute("aria-current", "date");
}

/** A page that stays open over a deployment loads the new one, once: the new page may be slower than the API. */
function followRevision(revision: number): void {
  if (revision === schedule.revision || sessionStorage.getItem("revision") === String(revision)) return;
  sessionStorage.setItem("revision", String(revision));
  location.reload();
}

/** The build leaves out of the page what this deployment does not have. */
const [hasChain, hasYields] = ["/api/supply-breakdown", "/api/rates"].map((path) => paths.includes(path));

document.documentElement.classList.add("ready");
// Without scripts the table is open.
(byId("months") as HTMLDetailsElement).open = false;
// Before the browser counts the pages: what opens later is cut off.
let closed: readonly HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});
// Link previews and search engines need an absolute address, which a build for any host does not know.
if (document.querySelector("link[rel=canonical]") === null)
  document.head.append(h("link", { rel: "canonical", href: `${location.origin}/` }));
// A table of figures has no allocations.
for (const element of document.querySelectorAll<HTMLElement>("#allocations, a[href='#allocations']"))
  element.hidden = schedule.plan.kind === "table";
showScheduled();
// Requests, and the sections below the first view, would compete with the first paint.
afterFirstPaint(() => {
  followApi();
  setTimeout(showBelow);
});

/** At once in a tab in the background, which paints nothing yet. */
function afterFirstPaint(run: () => void): void {
  const painted = new PerformanceObserver(() => {
    painted.disconnect();
    run();
  });
  if (document.hidden) run();
  else painted.observe({ type: "paint", buffered: true });
}

/** One who came to a section and has not moved since stays there, whatever is filled in. */
function scrollToHash(): void {
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/**
 * Fills a section with what was read. A reader who is below it stays at the same line; one who came to it, or to a
 * section below it, and has not moved since stays at that section.
 */
function settle(id: string, fill: () => void): void {
  const section = byId(id);
  const isAbove = section.getBoundingClientRect().bottom < innerHeight / 2;
  const before = document.documentElement.scrollHeight;
  try {
    fill();
  } finally {
    // What waits for this section is shown whatever becomes of it.
    section.classList.add("settled");
  }
  const target = hasMoved ? null : document.getElementById(location.hash.slice(1));
  const isAtOrBelow =
    target === section || section.compareDocumentPosition(target ?? section) === Node.DOCUMENT_POSITION_FOLLOWING;
  if (isAtOrBelow) scrollToHash();
  else if (isAbove) scrollBy({ top: document.documentElement.scrollHeight - before, behavior: "instant" });
}

let hasMoved = false;
for (const type of ["wheel", "touchmove", "keydown"])
  addEventListener(type, () => (hasMoved = true), { passive: true, once: true });

/** Fills in what the API says, and renews it. */
function followApi(): void {
  if (hasChain)
    poll("/api/supply-breakdown", parseHoldings, (reading) => {
      holdings = reading;
      const { decimals } = schedule.token;
      showChainNote(schedule, holdings, Date.now());
      settle("wallets", () => showHoldings(reading, { decimals, maxSupply: schedule.maxSupply }, Date.now()));
      if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision);
    });
  if (hasYields)
    poll("/api/rates", parseRates, (reading) => {
      showBestRate(reading, Date.now());
      settle("yield", () => showRates(reading, Date.now()));
    });
}

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
