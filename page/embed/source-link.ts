import { brand } from "virtual:site";
import { dayOf } from "../view/format.ts";

/**
 * Makes the link that a copy or picture of a figure carries. Returns a function that names the publisher and the day in
 * it. That is the same link each time, so it keeps the reader's focus.
 */
export function sourceLink(): (ms: number) => HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = new URL("/", import.meta.url).href;
  // A frame may not show the page that the link leads to.
  link.target = "_blank";
  link.rel = "noopener";
  return (ms) => {
    link.textContent = `${brand.name}, ${dayOf(ms)}`;
    return link;
  };
}
