import type { Answer, UnlockSchedule } from "./api.ts";
import { type Chart, drawChart, legend } from "./chart.ts";
import { byId, h, show, showFailure } from "./dom.ts";
import { compact, dayOf, wholeTokens } from "./format.ts";
import { type RangeName, rangeOf, type StackedSeries, stackedSeries, stepAt } from "./series.ts";

const RANGES: readonly (readonly [RangeName, string])[] = [
  ["year", "1 year"],
  ["three_years", "3 years"],
  ["all", "All"],
];
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 };

let drawn: Chart | undefined;

/** The chart with its read-out, and the same figures as a table. */
export function showSchedule(answer: Answer<UnlockSchedule>, nowMs: number): void {
  const panel = byId("chart-panel");
  drawn?.destroy();
  drawn = undefined;
  if (answer.kind === "failure") {
    showFailure(panel, answer.message);
    return;
  }
  const schedule = answer.value;
  const series = stackedSeries(schedule);
  const nowSeconds = nowMs / 1000;
  const readOut = h("p", { class: "read-out", role: "status" });
  const host = h("div", {
    class: "chart",
    tabindex: "0",
    role: "group",
    "aria-label":
      "Unlock schedule, stacked by bucket. Left and right arrow keys read out one step at a time; the table below has every figure.",
  });
  const controls = h("div", { class: "controls", role: "group", "aria-label": "Time range" });
  show(panel, controls, host, legend(series.buckets.map(({ id }) => id)), readOut, table(schedule), download());

  const readAt = (index: number): void => {
    readOut.textContent = sentence(schedule, series, index);
  };
  const chart = drawChart(host, series, nowSeconds, readAt);
  drawn = chart;
  addRanges(controls, (name) => chart.show(rangeOf(name, series.atSeconds, nowSeconds)));
  addKeys(host, series.atSeconds.length, stepAt(series.atSeconds, nowSeconds), (index) => {
    chart.moveTo(index);
    readAt(index);
  });
  readAt(Math.max(0, stepAt(series.atSeconds, nowSeconds)));
}

function sentence(schedule: UnlockSchedule, series: StackedSeries, index: number): string {
  const row = schedule.rows[index];
  if (row === undefined) return "";
  const parts = series.buckets.map(({ id, tokens }) => `${id} ${compact(tokens[index] ?? 0)}`);
  return `From ${dayOf(row.effective_from)}: ${wholeTokens(row.circulating.tokens)} circulating (${parts.join(", ")}).`;
}

function addRanges(controls: HTMLElement, choose: (name: RangeName) => void): void {
  for (const [name, label] of RANGES) {
    const button = h("button", { type: "button", "aria-pressed": String(name === "all") }, label);
    button.addEventListener("click", () => {
      for (const other of controls.children) other.setAttribute("aria-pressed", String(other === button));
      choose(name);
    });
    controls.append(button);
  }
}

function addKeys(host: HTMLElement, count: number, start: number, moveTo: (index: number) => void): void {
  let index = start;
  host.addEventListener("keydown", (event) => {
    const jump = event.key === "Home" ? -count : event.key === "End" ? count : KEYS[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    index = Math.min(Math.max(index + jump, 0), count - 1);
    moveTo(index);
  });
}

function table(schedule: UnlockSchedule): HTMLElement {
  const ids = Object.keys(schedule.rows[0]?.buckets ?? {});
  const unit = 10n ** BigInt(schedule.token.decimals);
  const head = ["Month", "From", "Circulating", ...ids].map((name) => h("th", { scope: "col" }, name));
  const rows = schedule.rows.map((row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, row.month),
      h("td", {}, dayOf(row.effective_from)),
      h("td", { class: "number" }, wholeTokens(row.circulating.tokens)),
      ...ids.map((id) => h("td", { class: "number" }, wholeTokens(String(BigInt(row.buckets[id] ?? "0") / unit)))),
    ),
  );
  return h(
    "details",
    {},
    h("summary", {}, "Every month as a table"),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Unlock schedule as a table" },
      h(
        "table",
        {},
        h("caption", {}, "Whole tokens, cumulative, rounded down"),
        h("thead", {}, h("tr", {}, ...head)),
        h("tbody", {}, ...rows),
      ),
    ),
  );
}

function download(): HTMLElement {
  return h("p", {}, h("a", { href: "/api/unlock-schedule.csv", download: "unlock-schedule.csv" }, "Download as CSV"));
}
