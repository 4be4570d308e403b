import { el, type Markup } from "../markup.ts";

/** The whole address and, where an explorer is named for its chain, what leads to it there. */
export function addressOf(
  { address, chain }: { readonly address: string; readonly chain: string },
  explorer: string | undefined,
): Markup {
  const code = el("code", {}, address);
  if (explorer === undefined || chain !== "native") return el("span", { class: "address" }, code);
  const href = explorer.replace("{address}", () => encodeURIComponent(address));
  return el("span", { class: "address" }, el("a", { href, rel: "noopener noreferrer" }, code));
}
