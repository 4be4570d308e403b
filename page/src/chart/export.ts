import { h, svg } from "../dom.ts";

const SCALE = 2;
const TITLE_HEIGHT = 36;

/**
 * Makes a PNG of the chart with its title, as a data URL. The current colours are copied into it, because an image cannot read the
 * page's properties.
 */
export async function pngOf(element: SVGSVGElement, title: string): Promise<string> {
  const style = getComputedStyle(document.documentElement);
  const { width, height } = element.viewBox.baseVal;
  const copy = element.cloneNode(true) as SVGSVGElement;
  const high = height + TITLE_HEIGHT;
  const frame = { viewBox: `0 ${-TITLE_HEIGHT} ${width} ${high}`, width: width * SCALE, height: high * SCALE };
  for (const [name, value] of Object.entries({ ...frame, "font-family": getComputedStyle(element).fontFamily }))
    copy.setAttribute(name, String(value));
  copy.prepend(
    svg("rect", { y: -TITLE_HEIGHT, width, height: high, fill: "var(--background)" }),
    svg("text", { x: 12, y: -12, fill: "var(--text)", "font-size": 16, "font-weight": 600 }, title),
  );
  const text = new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim());
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: frame.width, height: frame.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL();
}
