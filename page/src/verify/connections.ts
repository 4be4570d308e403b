import { h } from "../dom.ts";

/**
 * Origin of the chosen node, to which this page may connect besides this service. After a request that may be
 * redirected only the node is allowed. A content security policy can only become stricter, so any other node needs a
 * reload.
 */
let node: string | undefined;
let isServiceAllowed = true;

function restrictTo(...sources: readonly string[]): void {
  const policy = `connect-src ${sources.join(" ")}`;
  document.head.append(h("meta", { "http-equiv": "Content-Security-Policy", content: policy }));
}

/** Whether this page may send requests to this service. */
export const mayAskService = (): boolean => isServiceAllowed;

/**
 * Allows the node at this address besides this service, and nothing else. Returns false if another node was allowed
 * before.
 */
export function allowNode(address: string): boolean {
  const { origin } = new URL(address);
  if (node === undefined) restrictTo("'self'", origin);
  node ??= origin;
  return node === origin;
}

/** Forbids requests to this service from now on, so that no redirect of the node reaches it either. */
export function allowNodeOnly(): void {
  if (node !== undefined && isServiceAllowed) restrictTo(node);
  isServiceAllowed = false;
}
