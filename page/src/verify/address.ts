import type { ChainFamily } from "../../../src/chain/asset.ts";

/** Whether a node's address is this service's own: by the address of this page, or by the one that its brand names. */
export function isServiceAddress(address: string, pageOrigin: string, brandUrl: string | undefined): boolean {
  const { origin } = new URL(address);
  return origin === pageOrigin || (brandUrl !== undefined && origin === new URL(brandUrl).origin);
}

const LOCAL = ["localhost", "127.0.0.1"];
/** The address is inserted into a shell command that the reader copies, so no other characters are allowed. */
const FORMS = { move: /^[\w.~:/%[\]-]+$/, evm: /^[\w.~:/%[\]?=&-]+$/ } as const;

/**
 * The address of a node that a reader typed; undefined: not one. A Move node's ends in `/v1` unless it has a path of its
 * own, an EVM node's is taken as it is. A host alone is taken as https, on this machine as http.
 */
export function nodeAddress(typed: string, family: ChainFamily = "move"): string | undefined {
  // A content security policy cannot name an IPv6 address.
  const text = typed.trim().replace(/^((?:http:\/\/)?)\[::1\](?=[:/]|$)/i, "$1localhost");
  const [host = ""] = text.split(/[:/]/);
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(text) && (LOCAL.includes(host) || host.includes("."));
  const url = URL.parse(isBare ? `http${LOCAL.includes(host) ? "" : "s"}://${text}` : text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const isLocal = LOCAL.includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  const address = family === "evm" ? url.origin + url.pathname + url.search : url.origin + (path === "" ? "/v1" : path);
  return FORMS[family].test(address) ? address : undefined;
}
