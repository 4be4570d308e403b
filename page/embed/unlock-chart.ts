import { text } from "virtual:schedule";
import { series } from "virtual:site";
import { legendOf } from "../src/chart/legend.ts";
import { plot } from "../src/chart/plot.ts";
import { sliderOf } from "../src/chart/slider.ts";
import { parseView } from "../src/chart/view-state.ts";
import { h } from "../src/dom.ts";
import { parseSchedule } from "../src/schedule.ts";
import { timelineOf } from "../view/timeline.ts";

/** Reserved from the start: the legend below the drawing does not move when that comes. */
const HEIGHT = 260;

/**
 * The chart's names are properties of an element inside: a token of the host page with the same name cannot reach them.
 * Everything but the bands follows the host's text colour, so that it is right on any background. What else a host's
 * text may inherit (direction, spacing, strokes) ends here: the drawing measures its own.
 */
const STYLES = `
:host{display:block}
.chart{--text:var(--unlock-chart-text,currentColor);--background:transparent;
--muted:color-mix(in srgb,var(--text) 75%,transparent);--line:var(--unlock-chart-line,color-mix(in srgb,var(--text) 22%,transparent));
--on-text:oklch(from var(--text) clamp(0,(.62 - l)*999,1) 0 0);
${series.map((color, index) => `--series-${index}:var(--unlock-chart-${index},${color})`).join(";")};
color:var(--text);font-size:14px;line-height:1.5;direction:ltr;
letter-spacing:0;word-spacing:0;text-indent:0;text-align:left;white-space:normal;text-transform:none;stroke:none;stroke-width:1;container-type:inline-size}
svg{display:block}.slider{min-height:${HEIGHT}px;touch-action:pan-y}.slider:focus-visible{outline:2px solid;outline-offset:2px}
ul{list-style:none;margin:8px 0 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17em),1fr));gap:0 24px}
li{display:grid;grid-template-columns:1fr auto 4.5em;gap:8px;font-variant-numeric:tabular-nums;text-align:right}
.total{font-weight:600}.total,.total+li{grid-column-start:1}li>:first-child{text-align:left}
@container (max-width:279px){ul{display:block}li{grid-template-columns:1fr auto}li>:first-child{grid-column:1/-1;overflow-wrap:anywhere}}
.source{margin:4px 0 0;font-size:12.5px}a{color:inherit}
.key{display:inline-flex;gap:8px;align-items:baseline}.key svg{flex:none;width:12px;height:12px;border-radius:2px}.key rect{width:100%;height:100%}`;
const MIN_WIDTH = 160;

/**
 * Draws the deployment's schedule into an element, in the place of its own content, with its source below. Returns how
 * to draw it again. The script of an earlier deployment passes no source.
 */
export function attachChart(host: HTMLElement, linkOf?: (ms: number) => Node): () => void {
  const timeline = timelineOf(parseSchedule(text));
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const legend = legendOf(timeline);
  const slider = sliderOf(timeline, "The vesting schedule", legend.read);
  const source = h("p", { class: "source" }, linkOf?.(Date.now()) ?? "");
  const chart = h("div", { class: "chart" }, slider.element, legend.element, source);
  const draw = (): void => {
    const nowMs = Date.now();
    linkOf?.(nowMs);
    source.hidden = host.getAttribute("source") === "none";
    const query = new URLSearchParams(
      ["mode", "unit", "range"].map((name) => [name, host.getAttribute(name) ?? ""]),
    ).toString();
    const size = { width: Math.max(host.clientWidth, MIN_WIDTH), height: HEIGHT, scale: 1 };
    slider.draw(plot(timeline, parseView(query, []), nowMs / 1_000, size));
  };
  // Whole from the first frame on: nothing of it moves.
  draw();
  root.replaceChildren(chart);
  new ResizeObserver(draw).observe(host);
  return draw;
}
