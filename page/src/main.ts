import { site } from "virtual:site";
import {
  type Answer,
  type Rates,
  readBreakdown,
  readHistory,
  readRates,
  readSchedule,
  readSupply,
  type Supply,
  type UnlockSchedule,
} from "./api.ts";
import { showBestRate } from "./best-rate.ts";
import { showObserved, showSchedule } from "./chart/panel.ts";
import { byId, copy, h } from "./dom.ts";
import { showEndpoints } from "./endpoints.ts";
import { showHoldings } from "./holdings.ts";
import { showCountdown, showOverview } from "./overview.ts";
import { poll, whenSeen } from "./polling.ts";
import { readHistories, showRates } from "./rates.ts";
import { snippet } from "./snippets.ts";

const now = (): number => Date.now();
const HEALING_SECONDS = 30;

let supply: Answer<Supply> | undefined;
let rates: Answer<Rates> | undefined;
/** The build writes the body of `/api/unlock-schedule` into the HTML: it costs no request of the visitor's quota. */
let schedule = JSON.parse(byId("unlock-schedule").textContent) as UnlockSchedule;
let nextAtMs: number | undefined;
let isYieldSeen = false;
let isReadingHistories = false;

showScheduleNow();
const supplyPolling = poll(
  readSupply,
  (answer) => {
    supply = answer;
    showOverviewNow();
    void followRevision(answer.kind === "value" ? answer.value.schedule_revision : answer.scheduleRevision);
  },
  // A missing figure may be available again soon.
  (answer) => (answer.kind === "value" && Object.keys(answer.value.unavailable).length > 0 ? HEALING_SECONDS : 60),
);
whenSeen(byId("holdings-panel"), () => void poll(readBreakdown, showHoldings));
poll(readRates, showRatesNow);
whenSeen(byId("rates-panel"), () => {
  isYieldSeen = true;
  void showHistories();
});
// Below the chart: loaded for readers who scroll, so that the first view needs no further request.
whenSeen(byId("month-table"), () => void readHistory().then(showObserved));
const endpoints = showEndpoints(location.origin, site.paths);
whenSeen(byId("endpoints-panel"), () => void endpoints.load());

const copyFormula = byId("copy-formula");
copyFormula.addEventListener("click", () => {
  const formula = snippet("Sheets", `${location.origin}/api/circulating-supply`, "number");
  copy(formula, copyFormula, () => byId("copy-formula").parentElement?.replaceChildren(h("code", {}, formula)));
});

setInterval(() => {
  if (nextAtMs === undefined) return;
  showCountdown(nextAtMs, now());
  if (nextAtMs > now()) return;
  nextAtMs = undefined;
  supplyPolling.now();
}, 1_000);

function showOverviewNow(): void {
  if (supply === undefined) return;
  nextAtMs = showOverview({ supply, schedule, nowMs: now() });
  if (nextAtMs !== undefined) showCountdown(nextAtMs, now());
}

function showScheduleNow(): void {
  showSchedule(schedule, now());
  showSources(schedule);
}

/** A page that stays open over a deployment reads the new schedule, as soon as a figure has another revision. */
async function followRevision(revision: number | undefined): Promise<void> {
  if (revision === undefined || revision === schedule.revision) return;
  const answer = await readSchedule();
  if (answer.kind === "failure" || answer.value.revision === schedule.revision) return;
  schedule = answer.value;
  showScheduleNow();
  showOverviewNow();
}

function showRatesNow(answer: Answer<Rates>): void {
  rates = answer;
  showBestRate(answer, now());
  showRates(answer, now());
  void showHistories();
}

/** A sparkline in each of the first cards: several requests, so only when they are in view. */
async function showHistories(): Promise<void> {
  if (!isYieldSeen || isReadingHistories || rates?.kind !== "value") return;
  isReadingHistories = true;
  const isNew = await readHistories(rates.value);
  isReadingHistories = false;
  if (isNew && rates.kind === "value") showRates(rates, now());
}

function showSources({ revision, sources, methodology }: UnlockSchedule): void {
  const all = methodology === null ? sources : [...sources, { title: "Methodology", url: methodology }];
  const links = all.flatMap(({ title, url }) => [" ", h("a", { href: url, rel: "noopener noreferrer" }, title)]);
  byId("provenance").replaceChildren(`Unlock schedule, revision ${revision}. Sources:`, ...links);
}
