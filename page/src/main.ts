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
import { showObserved, showSchedule } from "./chart/panel.ts";
import { byId, h } from "./dom.ts";
import { showEndpoints } from "./endpoints.ts";
import { showHoldings } from "./holdings.ts";
import { showCountdown, showOverview } from "./overview.ts";
import { poll, whenSeen } from "./polling.ts";
import { readHistories, showRates } from "./rates.ts";

const now = (): number => Date.now();
const HEALING_SECONDS = 30;
const HOUR_SECONDS = 3_600;

let supply: Answer<Supply> | undefined;
let rates: Answer<Rates> | undefined;
let schedule: Answer<UnlockSchedule> | undefined;
let nextAtMs: number | undefined;

const supplyPolling = poll(
  readSupply,
  (answer) => {
    supply = answer;
    showOverviewNow();
  },
  // A figure that is missing may be back soon.
  (answer) => (answer.kind === "value" && Object.keys(answer.value.unavailable).length > 0 ? HEALING_SECONDS : 60),
);
poll(
  readSchedule,
  (answer) => {
    // A schedule that was read does not go away because it could not be read again.
    if (schedule?.kind === "value" && (answer.kind === "failure" || answer.value.revision === schedule.value.revision))
      return;
    schedule = answer;
    showSchedule(answer, now);
    showSources(answer);
    showOverviewNow();
  },
  () => HOUR_SECONDS,
);
whenSeen(byId("holdings-panel"), () => void poll(readBreakdown, showHoldings));
whenSeen(byId("rates-panel"), () => void poll(readRates, showRatesNow));
// Below the chart: who sees this has scrolled, and the first view needs no third request.
whenSeen(byId("month-table"), () => void readHistory().then(showObserved));
whenSeen(byId("endpoints-panel"), () => void showEndpoints(location.origin, site.paths));

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

function showRatesNow(answer: Answer<Rates>): void {
  const isFirst = rates?.kind !== "value";
  rates = answer;
  showRates(answer, now());
  if (answer.kind === "failure" || !isFirst) return;
  void readHistories(answer.value).then(() => showRates(rates ?? answer, now()));
}

function showSources(answer: Answer<UnlockSchedule>): void {
  if (answer.kind === "failure") return;
  const { revision, sources, methodology } = answer.value;
  const all = methodology === null ? sources : [...sources, { title: "Methodology", url: methodology }];
  const links = all.flatMap(({ title, url }) => [" ", h("a", { href: url, rel: "noopener noreferrer" }, title)]);
  byId("provenance").replaceChildren(`Unlock schedule, revision ${revision}. Sources:`, ...links);
}
