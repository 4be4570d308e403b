import { type Content, type Markup, SVG_TAGS } from "../view/markup.ts";

/** Makes an element with its attributes and children, in SVG where its name is of SVG. Text is never parsed. */
export function make(
  tag: string,
  attributes: Markup["attributes"] = {},
  ...children: readonly (Node | string)[]
): HTMLElement | SVGElement {
  const element = SVG_TAGS.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element as HTMLElement | SVGElement; // of one of the two namespaces above
}

/** Makes the elements that the build writes as HTML. */
export function domOf(content: Content): Node | string {
  return typeof content === "string" ? content : elementOf(content);
}

export function elementOf({ tag, attributes, children }: Markup): Element {
  return make(tag, attributes, ...children.map(domOf));
}

/** Returns the element with this id, which the page's HTML has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/** Replaces the text of an element. The same text is not written again, because a screen reader would repeat it. */
export function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}
