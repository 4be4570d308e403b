/** Element as data: the build writes it as HTML, the page's script makes a DOM element of it. */
export interface Markup {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly Content[];
}

export type Content = Markup | string;

export function el(tag: string, attributes: Markup["attributes"] = {}, ...children: readonly Content[]): Markup {
  return { tag, attributes, children };
}

/** Isolates a text of any direction, so that it does not reorder the text beside it. */
export function bdi(text: string): Markup {
  return el("bdi", {}, text);
}

/** Makes a square in a colour of the chart, to stand beside its name. */
export function swatch(fill: string): Markup {
  const square = el("rect", { width: 12, height: 12, rx: 2, fill });
  return el("svg", { class: "swatch", width: 12, height: 12, "aria-hidden": "true" }, square);
}

export const SVG_TAGS: ReadonlySet<string> = new Set(["svg", "rect", "defs", "pattern"]);
