import { h, withCopy } from "./dom.ts";

/** Loads the new page after a deployment, only once: the new page may be deployed later than the API. */
export function followRevision(served: number, built: number): void {
  // The revision is kept in the tab's history, because a browser may block storage.
  if (served === built || history.state === served) return;
  history.replaceState(served, "");
  location.reload();
}

/** Adds the canonical address, which link previews and search engines need. A build for any host does not know it. */
export function addCanonicalAddress(): void {
  if (document.querySelector("link[rel=canonical]") === null)
    document.head.append(h("link", { rel: "canonical", href: `${location.origin}/` }));
}

/** Adds the host to the figures' addresses: for paper, where a path alone leads nowhere, and for copies. */
export function completeAddresses(): void {
  for (const address of document.querySelectorAll<HTMLAnchorElement>("#addresses a")) {
    address.title = address.href;
    withCopy(address.parentElement ?? address, address.href);
  }
}
