import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { xmlText } from "../../src/base/xml.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule, type WalletList } from "../../src/supply/schedule.ts";
import { nextPlannedUnlock } from "../../src/supply/unlock-events.ts";
import { columnOf, compactOf, dayOf, monthOf, share } from "../view/format.ts";
import type { Brand } from "../view/site.ts";
import { type Step, stepAt, type Timeline, timelineOf } from "../view/timeline.ts";

/** Size that link previews ask for. */
const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 60;
/** Top and bottom of the chart, from above. */
const [CHART_TOP, CHART_BOTTOM] = [290, 520];
const FONTS = ["400Regular/Inter_400Regular", "700Bold/Inter_700Bold"];

/**
 * Draws the picture of link previews: name, circulating supply and next unlock on the day of the build, above the
 * schedule's chart. It is a PNG, because previews accept no SVG. The fonts are bundled, so that every machine builds
 * the same picture.
 */
export function previewPng(schedule: Schedule, brand: Brand, builtAtMs: number): Uint8Array {
  const fontFiles = FONTS.map((name) => packageFile(`@expo-google-fonts/inter/${name}.ttf`));
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: "Inter" };
  return new Resvg(previewSvg(schedule, brand, builtAtMs), { font }).render().asPng();
}

function packageFile(path: string): string {
  return fileURLToPath(import.meta.resolve(path));
}

export function previewSvg(schedule: Schedule, brand: Brand, builtAtMs: number): string {
  return hasUnlocks(schedule) ? unlocksSvg(schedule, brand, builtAtMs) : walletsSvg(schedule, brand);
}

/** Without an unlock schedule nothing is known when the page is built but whose wallets are taken off. */
function walletsSvg({ token, wallets }: WalletList, { name, colors: { light } }: Brand): string {
  const text = (y: number, size: number, content: string, attributes: string): string =>
    `<text x="${MARGIN}" y="${y}" font-size="${size}" ${attributes}>${xmlText(content)}</text>`;
  const count = `${wallets.length} ${wallets.length === 1 ? "wallet" : "wallets"}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Inter">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${light.background}"/>
${text(88, 32, name, `font-weight="700" fill="${light.accent}"`)}
${text(290, 80, `${token.symbol} in circulation`, `font-weight="700" fill="${light.text}"`)}
${text(356, 34, `read on chain: the total less the project’s ${count}`, `fill="${light.text}"`)}
</svg>`;
}

function unlocksSvg(schedule: UnlockSchedule, { name, colors }: Brand, builtAtMs: number): string {
  const { token, maxSupply } = schedule;
  const { light, series } = colors;
  const timeline = timelineOf(schedule);
  const now = stepAt(timeline.steps, builtAtMs / 1_000);
  const step = timeline.steps[now];
  const next = nextPlannedUnlock(schedule, step === undefined ? Number.NEGATIVE_INFINITY : step.atSeconds * 1_000);
  const amount = step === undefined ? "Not launched" : `${columnOf(step.total, token.decimals)} ${token.symbol}`;
  const part =
    step === undefined ? "" : `circulate on ${dayOf(builtAtMs)}, ${share(step.total, maxSupply)} of the maximum`;
  const then =
    next === undefined ? "" : `Next unlock: ${compactOf(next.amount, token.decimals)} on ${dayOf(next.atMs)}`;
  const colorOf = (color: string): string => series[Number(/\d/.exec(color)?.[0] ?? Number.NaN)] ?? light.muted;
  const text = (x: number, y: number, size: number, content: string, attributes = ""): string =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${light.text}" ${attributes}>${xmlText(content)}</text>`;
  const bands = timeline.bands.map((band, index) => {
    const fill = colorOf(band.color);
    const area = (from: number, to: number, opacity: number): string =>
      from >= to ? "" : `<path d="${bandPath(timeline, index, from, to)}" fill="${fill}" fill-opacity="${opacity}"/>`;
    return area(0, now + 1, 1) + area(now + 1, timeline.steps.length, 0.55);
  });
  const [first, last] = [timeline.steps[0], timeline.steps.at(-1)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Inter">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${light.background}"/>
${text(MARGIN, 88, 32, name, `font-weight="700" fill="${light.accent}"`).replace(`fill="${light.text}" `, "")}
${text(MARGIN, 178, amount.length > 20 ? 56 : 80, amount, 'font-weight="700"')}
${text(MARGIN, 226, 30, part)}
${text(MARGIN, 266, 26, then)}
${bands.join("")}
<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${CHART_BOTTOM}" y2="${CHART_BOTTOM}" stroke="${light.text}"/>
${text(MARGIN, CHART_BOTTOM + 30, 22, dateOf(first))}
${text(WIDTH - MARGIN, CHART_BOTTOM + 30, 22, dateOf(last), 'text-anchor="end"')}
${legend(timeline, (color, x, label) => `<rect x="${x}" y="583" width="18" height="18" fill="${colorOf(color)}"/>${text(x + 26, 600, 22, label)}`)}
</svg>`;
}

function dateOf(step: Step | undefined): string {
  return step === undefined ? "" : monthOf(step.atSeconds * 1_000);
}

/** Writes as many names of bands as fit, those with the largest amounts at the end first. */
function legend({ bands, steps }: Timeline, draw: (color: string, x: number, label: string) => string): string {
  let x = MARGIN;
  const sizeOf = (band: Timeline["bands"][number]): number => Number(steps.at(-1)?.amounts[bands.indexOf(band)] ?? 0n);
  return bands
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map(({ color, label }) => {
      const at = x;
      x += 62 + label.length * 12.5;
      return x > WIDTH - MARGIN + 36 ? "" : draw(color, at, label);
    })
    .join("");
}

/** Draws a band's steps between two indexes, stacked on the bands below it. */
function bandPath({ steps, maximum }: Timeline, band: number, from: number, to: number): string {
  const x = (index: number): string => (MARGIN + (index / steps.length) * (WIDTH - 2 * MARGIN)).toFixed(1);
  const y = (amount: bigint): string =>
    (
      CHART_BOTTOM -
      (maximum > 0n ? Number((amount * 10_000n) / maximum) / 10_000 : 0) * (CHART_BOTTOM - CHART_TOP)
    ).toFixed(1);
  const below = ({ amounts }: Step, count: number): bigint =>
    amounts.slice(0, count).reduce((sum, one) => sum + one, 0n);
  const part = steps.slice(from, to);
  const tops = part.map((step, index) => `V${y(below(step, band + 1))}H${x(from + index + 1)}`);
  const bottoms = part.map((step, index) => `V${y(below(step, band))}H${x(from + index)}`).reverse();
  return `M${x(from)} ${CHART_BOTTOM}${tops.join("")}${bottoms.join("")}Z`;
}
