import { h, svg } from "../dom.ts";

const SCALE = 2;

/**
 * Makes a PNG of the chart, as a data URL. The current colours are copied into it, because an image cannot read the
 * page's properties.
 */
export async function pngOf(element: SVGSVGElement): Promise<string> {
  const style = getComputedStyle(document.documentElement);
  const { width, height } = element.viewBox.baseVal;
  const size = { width: width * SCALE, height: height * SCALE };
  const copy = element.cloneNode(true) as SVGSVGElement;
  copy.prepend(svg("rect", { width, height, fill: "var(--background)" }));
  for (const [name, value] of Object.entries({ ...size, "font-family": style.fontFamily }))
    copy.setAttribute(name, String(value));
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
