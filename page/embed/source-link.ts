import { brand } from "virtual:site";
import { dayOf } from "../view/format.ts";

/** Makes the link that a copy or picture of a figure carries: who publishes it, of which day, and where. */
export function sourceLink(ms: number): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = new URL("/", import.meta.url).href;
  // A frame may not show the page that the link leads to.
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = `${brand.name}, ${dayOf(ms)}`;
  return link;
}
