import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "./dom.ts";
import { compact } from "./format.ts";
import type { StackedSeries } from "./series.ts";

const HEIGHT = { wide: 340, narrow: 240 } as const;
const NARROW_PIXELS = 560;

/** A drawn chart. `moveTo` puts the cursor on a step, as hovering does. */
export interface Chart {
  readonly show: (range: readonly [number, number]) => void;
  readonly moveTo: (index: number) => void;
  readonly destroy: () => void;
}

/** A step chart: the figure of a month holds until the next step, so nothing is smoothed. */
export function drawChart(
  host: HTMLElement,
  series: StackedSeries,
  nowSeconds: number,
  onHover: (index: number) => void,
): Chart {
  const colours = coloursOf(series.buckets.length);
  const topFirst = series.buckets.map((bucket, index) => ({ bucket, colour: colours.series[index] ?? "" })).reverse();
  const chart = new uPlot(
    {
      ...sizeOf(host),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { y: { range: (_chart, _least, most) => [0, most * 1.04] } },
      axes: [
        { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid } },
        {
          stroke: colours.text,
          grid: { stroke: colours.grid, width: 1 },
          ticks: { show: false },
          size: 56,
          values: (_chart, splits) => splits.map(compact),
        },
      ],
      series: [
        {},
        ...topFirst.map(({ bucket, colour }) => ({
          label: bucket.id,
          fill: colour,
          stroke: colours.background,
          width: 1,
          points: { show: false },
          paths: stepped(),
        })),
      ],
      hooks: {
        draw: [(drawn) => markToday(drawn, nowSeconds, colours)],
        setCursor: [({ cursor }) => (typeof cursor.idx === "number" ? onHover(cursor.idx) : undefined)],
      },
    },
    [[...series.atSeconds], ...topFirst.map(({ bucket }) => [...bucket.tops])],
    host,
  );
  const resized = new ResizeObserver(() => chart.setSize(sizeOf(host)));
  resized.observe(host);
  return {
    show: ([min, max]) => chart.setScale("x", { min, max }),
    moveTo: (index) => chart.setCursor({ left: chart.valToPos(series.atSeconds[index] ?? 0, "x"), top: 1 }),
    destroy: () => {
      resized.disconnect();
      chart.destroy();
    },
  };
}

/** The key to the colours, bottom of the stack first. */
export function legend(labels: readonly string[]): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    ...labels.map((label, index) => h("li", { class: `swatch-${index % 8}` }, label)),
  );
}

function stepped(): uPlot.Series.PathBuilder {
  const builder = uPlot.paths.stepped?.({ align: 1 });
  if (builder === undefined) throw new Error("this build of the chart library draws no steps");
  return builder;
}

function sizeOf(host: HTMLElement): { width: number; height: number } {
  const width = Math.max(host.clientWidth, 240);
  return { width, height: width < NARROW_PIXELS ? HEIGHT.narrow : HEIGHT.wide };
}

interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly background: string;
  readonly veil: string;
  readonly series: readonly string[];
}

function coloursOf(count: number): Colours {
  const style = getComputedStyle(document.documentElement);
  const named = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: named("text"),
    grid: named("line"),
    background: named("panel"),
    veil: named("veil"),
    series: Array.from({ length: count }, (_, index) => named(`series-${index % 8}`)),
  };
}

/** A line at now, and a veil over what is still to come. */
function markToday(chart: uPlot, nowSeconds: number, colours: Colours): void {
  const { ctx, bbox } = chart;
  const x = Math.min(Math.max(chart.valToPos(nowSeconds, "x", true), bbox.left), bbox.left + bbox.width);
  ctx.save();
  ctx.fillStyle = colours.veil;
  ctx.fillRect(x, bbox.top, bbox.left + bbox.width - x, bbox.height);
  ctx.strokeStyle = colours.text;
  ctx.lineWidth = devicePixelRatio * 1.5;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.fillStyle = colours.text;
  ctx.font = `${12 * devicePixelRatio}px system-ui`;
  ctx.textAlign = x > bbox.left + bbox.width * 0.85 ? "right" : "left";
  ctx.fillText(" today ", x, bbox.top + 14 * devicePixelRatio);
  ctx.restore();
}
