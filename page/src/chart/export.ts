import { h, svg } from "../dom.ts";

const SCALE = 2;
/** Height of the line below the chart. */
const LINE = 24;

/**
 * Makes a PNG of the chart, as a data URL, with its source in a line below. The current colours are copied into it,
 * because an image cannot read the page's properties.
 */
export async function pngOf(element: SVGSVGElement, source: string): Promise<string> {
  const style = getComputedStyle(document.documentElement);
  const { width, height: chart } = element.viewBox.baseVal;
  const height = chart + LINE;
  const size = { width: width * SCALE, height: height * SCALE };
  const copy = element.cloneNode(true) as SVGSVGElement;
  copy.prepend(svg("rect", { width, height, fill: "var(--background)" }));
  copy.append(svg("text", { y: chart + LINE / 2, fill: "var(--muted)", "font-size": 12.5 }, source));
  const attributes = { ...size, viewBox: `0 0 ${width} ${height}`, "font-family": style.fontFamily };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, String(value));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(
    new XMLSerializer()
      .serializeToString(copy)
      .replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name)),
  )}`;
  await image.decode();
  const canvas = h("canvas", size);
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL();
}
