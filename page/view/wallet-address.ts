import { el, type Markup } from "./markup.ts";

/** The whole address and, where an explorer is named for its chain, what leads to it there. */
export function addressOf(
  { address, chain }: { readonly address: string; readonly chain: string },
  explorer: string | undefined,
): Markup {
  const isThere = explorer !== undefined && chain === "native";
  return linkedAddress(address, isThere ? explorer.replace("{address}", () => encodeURIComponent(address)) : undefined);
}

export function linkedAddress(address: string, href: string | undefined): Markup {
  const code = el("code", {}, address);
  const content = href === undefined ? code : el("a", { href, rel: "noopener noreferrer" }, code);
  return el("span", { class: "address" }, content);
}

/** The page of a token or a block in an EVM chain's explorer, beside those of its addresses (EIP-3091). */
export function explorerPage(explorer: string, what: "token" | "block", id: string): string {
  return explorer.replace("/address/{address}", () => `/${what}/${id}`);
}
