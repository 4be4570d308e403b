import { paths } from "virtual:site";
import { timeOf } from "../../schedule-format/format.ts";
import type { Content } from "../../schedule-format/markup.ts";
import { type Timeline, timelineOf } from "../../schedule-format/timeline.ts";
import { countdownOf, overviewOf } from "../../schedule-format/view/overview.ts";
import { belowOf } from "../../schedule-format/view/scheduled.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { showChainFigures } from "./chain-figures.ts";
import { scheduleCharts } from "./chart/panel.ts";
import { serviceNow, setClock } from "./clock.ts";
import { type Holdings, parseHistory, parseHoldings, parseRates, type YieldProduct } from "./documents.ts";
import { byId, domOf, focusRow, h, keepFocus, setText, withCopy } from "./dom.ts";
import { showHoldings } from "./holdings.ts";
import { showObservedDays } from "./observed-days.ts";
import { poll, type Reading, read, UNREAD, whenSeen } from "./polling.ts";
import { showBestRate, showRates } from "./rates.ts";
import { parseSchedule } from "./schedule.ts";

const DAY_MS = 86_400_000;
/** The build leaves out of the page what this deployment does not have. */
const [hasChain, hasYields] = ["/api/supply-breakdown", "/api/rates"].map((path) => paths.includes(path));

/** The build writes the schedule into the HTML: everything that follows from it needs no request. */
const schedule = parseSchedule(byId("schedule-data").textContent ?? "");
let timeline: Timeline | undefined;
let holdings: Reading<Holdings> = UNREAD;
let rates: Reading<readonly YieldProduct[]> = UNREAD;
let charts: ReturnType<typeof scheduleCharts> | undefined;
let shownDay: number | undefined;

function fill(contents: Readonly<Record<string, readonly Content[]>>): void {
  for (const [id, content] of Object.entries(contents)) byId(id).replaceChildren(...content.map(domOf));
}

/** All that the first paint waits for: what is below it is there, of the day of the build. */
function showFirstView(nowMs: number): void {
  fill(overviewOf(schedule, nowMs));
  showCountdown(nowMs);
  showMore();
}

function showCountdown(nowMs: number): void {
  const countdown = countdownOf(schedule, nowMs);
  if (countdown !== "") setText("next-date", countdown);
}

/** Everything that the page shows, as it is at an instant: called when what was read changes, and on each UTC day. */
function show(nowMs: number): void {
  const isNewDay = shownDay !== Math.floor(nowMs / DAY_MS);
  shownDay = Math.floor(nowMs / DAY_MS);
  if (isNewDay) {
    timeline ??= timelineOf(schedule);
    fill(overviewOf(schedule, nowMs));
    fill(belowOf(schedule, timeline, nowMs));
    // A table of figures has no allocations.
    for (const element of document.querySelectorAll<HTMLElement>("#allocations, nav [href='#allocations']"))
      element.hidden = schedule.plan.kind === "table";
    showMore();
    markMonth(nowMs);
    charts?.draw(nowMs / 1_000);
  }
  if (hasChain) showChainFigures(schedule, holdings, nowMs);
  showCountdown(nowMs);
}

/** The first of the next unlocks; the others on demand. */
function showMore(): void {
  const table = byId("upcoming");
  byId("next-chart").hidden = table.childElementCount === 0;
  const count = table.querySelectorAll("tbody tr").length;
  const more = byId("upcoming-more");
  more.textContent = `Show the next ${count} unlocks`;
  more.hidden = count <= 3 || table.classList.contains("all");
  more.onclick = () => {
    table.classList.add("all");
    more.hidden = true;
    focusRow(table.querySelector("tbody tr:nth-child(4)"));
  };
}

/** The month table is in the HTML; the row in force now is marked. */
function markMonth(nowMs: number): void {
  const index = stepAt(schedule, nowMs)?.index ?? -1;
  const months = byId("months");
  months.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const rows = [...months.querySelectorAll<HTMLElement>("[data-step]")];
  rows.find(({ dataset }) => Number(dataset["step"]) >= index && index >= 0)?.setAttribute("aria-current", "date");
}

/** The charts, which need not wait for the first paint nor it for them. */
function showCharts(): void {
  timeline ??= timelineOf(schedule);
  charts = scheduleCharts(timeline, serviceNow() / 1_000);
  // They are drawn after the next layout, and the legend with them.
  requestAnimationFrame(() => requestAnimationFrame(stayAtHash));
  if (!hasChain) return;
  // For readers who scroll down: the first view needs no further request.
  whenSeen([byId("chart"), byId("wallets")], async () => {
    const history = await read("/api/history", parseHistory);
    if (history.kind === "failure") return;
    charts?.observe(history.value);
    showObservedDays(history.value, schedule);
  });
}

/** A page that stays open over a deployment loads the new one, once: the new page may be slower than the API. */
function followRevision(revision: number): void {
  if (revision === schedule.revision || sessionStorage.getItem("revision") === String(revision)) return;
  sessionStorage.setItem("revision", String(revision));
  location.reload();
}

let hasMoved = false;
for (const type of ["wheel", "touchmove", "keydown"])
  addEventListener(type, () => (hasMoved = true), { passive: true, once: true });

/** One who came to a section and has not moved since stays there, whatever is filled in. */
function stayAtHash(): void {
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/** Fills in what the API says, and renews it. */
function followApi(): void {
  if (hasChain)
    poll("/api/supply-breakdown", parseHoldings, (reading) => {
      holdings = reading;
      show(serviceNow());
      showHoldings(reading, { decimals: schedule.token.decimals, maxSupply: schedule.maxSupply }, serviceNow());
      stayAtHash();
      if (reading.value !== undefined) followRevision(reading.value.breakdown.schedule_revision);
    });
  if (hasYields)
    poll("/api/rates", parseRates, (reading) => {
      rates = reading;
      show(serviceNow());
      showBestRate(rates, serviceNow());
      showRates(rates, serviceNow());
      stayAtHash();
    });
  // Nothing is read: the service is asked for its clock alone.
  if (!hasChain && !hasYields) fetch("/", { method: "HEAD", cache: "no-cache" }).then(setClock, () => undefined);
}

addEventListener("beforeprint", () =>
  setText("printed", `Printed from ${location.origin}/ on ${timeOf(serviceNow())}.`),
);
/** A copy of the calendar never learns of a revision: this one asks again. */
function offerSubscription(): void {
  const href = `webcal://${location.host}${byId("calendar").getAttribute("href")}`;
  byId("calendar").after(" ", h("a", { class: "button", href }, "Subscribe to the calendar"));
}
offerSubscription();
for (const address of document.querySelectorAll("#wallets .address")) withCopy(address);
// Link previews and search engines need an absolute address, which a build for any host does not know.
if (document.querySelector("link[rel=canonical]") === null)
  document.head.append(h("link", { rel: "canonical", href: `${location.origin}/` }));

showFirstView(serviceNow());
document.documentElement.classList.add("ready");
byId("as-of").hidden = true;
byId("drawing").hidden = false;

for (const place of document.querySelectorAll<HTMLElement>(".room, #observed-details")) place.hidden = false;
stayAtHash();
// Requests and drawings would compete with the first paint.
afterFirstPaint(() => {
  show(serviceNow());
  followApi();
  setTimeout(showCharts);
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

setInterval(() => keepFocus(() => show(serviceNow())), 1_000);
