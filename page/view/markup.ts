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
  return el("svg", { class: "swatch", "aria-hidden": "true" }, el("rect", { fill }));
}

export const SVG_TAGS: ReadonlySet<string> = new Set([
  "svg",
  "g",
  "rect",
  "pattern",
  "path",
  "line",
  "circle",
  "text",
  "tspan",
  "use",
]);
