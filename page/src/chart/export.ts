import { h } from "../dom.ts";
import { tokensOf } from "../format.ts";
import type { Timeline } from "./timeline.ts";

const PNG_SCALE = 2;
const PNG_TITLE_HEIGHT = 36;

/** The chart's values as CSV: whole tokens of every bucket, one row per step. */
export function viewCsv({ steps, buckets, decimals, symbol }: Timeline): string {
  const whole = (amount: bigint): string => tokensOf(amount, decimals).replaceAll(",", "");
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = [
    "from",
    `circulating (${symbol})`,
    `change (${symbol})`,
    ...buckets.map(({ label }) => `${label} (${symbol})`),
  ];
  const rows = steps.map(({ atSeconds, total, change, amounts }) =>
    [new Date(atSeconds * 1000).toISOString().slice(0, 10), whole(total), whole(change), ...amounts.map(whole)].join(
      ",",
    ),
  );
  return `${head.map(cell).join(",")}\n${rows.join("\n")}\n`;
}

/** The chart as a PNG with its title, in the current colours. */
export async function pngOf(element: SVGSVGElement, title: string): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const named = (name: string): string => style.getPropertyValue(name).trim();
  const copy = element.cloneNode(true) as SVGSVGElement;
  copy.prepend(exportStyles(named));
  const text = new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => named(name));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const { width, height } = element.viewBox.baseVal;
  const canvas = h("canvas", { width: width * PNG_SCALE, height: (height + PNG_TITLE_HEIGHT) * PNG_SCALE });
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser draws no canvas");
  context.scale(PNG_SCALE, PNG_SCALE);
  context.fillStyle = named("--panel");
  context.fillRect(0, 0, width, height + PNG_TITLE_HEIGHT);
  context.fillStyle = named("--text");
  context.font = "600 16px system-ui, sans-serif";
  context.fillText(title, 12, 24);
  context.drawImage(image, 0, PNG_TITLE_HEIGHT, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no image")) : resolve(blob)), "image/png"),
  );
}

/** The page's styles of the chart, which an image must contain itself. */
function exportStyles(named: (name: string) => string): SVGStyleElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const [text, muted, line, accent] = ["--text", "--muted", "--line", "--accent"].map(named);
  element.textContent = `text{font:12px system-ui,sans-serif;fill:${muted}}.label{fill:${text}}.grid{stroke:${line}}.axis,.today{stroke:${text}}.maximum{stroke:${muted};stroke-dasharray:6 4}.observed{stroke:${text};stroke-width:2;stroke-linecap:round}.observed.total{stroke:${muted}}.marker{fill:${accent}}.cursor{display:none}`;
  return element;
}

/** Downloads a file. */
export function download(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
