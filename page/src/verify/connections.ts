import { h } from "../dom.ts";

/**
 * Addresses to which this page may connect: first this service alone, then a chosen node too, and the node alone on a
 * page that may lead a request elsewhere. A policy can only become stricter, so everything else waits for the page to
 * be loaded again.
 */
let node: string | undefined;
let isServiceAllowed = true;

function restrictTo(...sources: readonly string[]): void {
  const policy = `connect-src ${sources.join(" ")}`;
  document.head.append(h("meta", { "http-equiv": "Content-Security-Policy", content: policy }));
}

/** Whether this page may ask this service. */
export const mayAskService = (): boolean => isServiceAllowed;

/** Allows the node at that address beside this service, and nothing else. false: another one was allowed before. */
export function allowNode(address: string): boolean {
  const { origin } = new URL(address);
  if (node === undefined) restrictTo("'self'", origin);
  node ??= origin;
  return node === origin;
}

/** From now on this service is not reached, by a redirect of the node neither. */
export function allowNodeOnly(): void {
  if (node !== undefined && isServiceAllowed) restrictTo(node);
  isServiceAllowed = false;
}
