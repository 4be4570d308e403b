import { h } from "../dom.ts";

const PNG_SCALE = 2;
const PNG_TITLE_HEIGHT = 36;

/**
 * Makes a PNG of the chart with its title. The current colours are copied into it, because an image cannot read the
 * page's properties.
 */
export async function pngOf(element: SVGSVGElement, title: string): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const named = (name: string): string => style.getPropertyValue(name).trim();
  const copy = element.cloneNode(true) as SVGSVGElement;
  copy.querySelector(".cursor")?.remove();
  copy.setAttribute("font-family", getComputedStyle(element).fontFamily);
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
  context.fillStyle = named("--background");
  context.fillRect(0, 0, width, height + PNG_TITLE_HEIGHT);
  context.fillStyle = named("--text");
  context.font = `600 16px ${getComputedStyle(element).fontFamily}`;
  context.fillText(title, 12, 24);
  context.drawImage(image, 0, PNG_TITLE_HEIGHT, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no image")) : resolve(blob)), "image/png"),
  );
}

/** Downloads a file. */
export function download(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
