import { el, type Markup } from "./markup.ts";

/** Shows a complete address, with a link if an explorer of its chain is known. */
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

/** Address of a token's or block's page in an EVM explorer, derived from its address pages (EIP-3091). */
export function explorerPage(explorer: string, what: "token" | "block", id: string): string {
  return explorer.replace("/address/{address}", () => `/${what}/${id}`);
}
