import { type ChainFamily, DEFAULT_FAMILY, familyOf } from "../../../src/families/family.ts";

/** Whether a node's address is this service's own: that of this page, or the one that its brand names. */
export function isServiceAddress(address: string, pageOrigin: string, brandUrl: string | undefined): boolean {
  const { origin } = new URL(address);
  return origin === pageOrigin || (brandUrl !== undefined && origin === new URL(brandUrl).origin);
}

const LOCAL = ["localhost", "127.0.0.1"];
/** Characters that are safe in a command, which contains the address. */
const FORM = /^[\w.~:/%[\]?=&-]+$/;

/**
 * Parses the node address that a reader typed; undefined: it is none. A host alone is taken as https, on this machine
 * as http. If addresses of the family end in a path, it is added to one without a path, and the query is removed.
 */
export function nodeAddress(typed: string, family: ChainFamily = DEFAULT_FAMILY): string | undefined {
  // A content security policy cannot name an IPv6 address.
  const text = typed.trim().replace(/^((?:http:\/\/)?)\[::1\](?=[:/]|$)/i, "$1localhost");
  const [host = ""] = text.split(/[:/]/);
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(text) && (LOCAL.includes(host) || host.includes("."));
  const url = URL.parse(isBare ? `http${LOCAL.includes(host) ? "" : "s"}://${text}` : text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const isLocal = LOCAL.includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) return undefined;
  const { urlEnd } = familyOf(family);
  const path = url.pathname.replace(/\/+$/, "");
  const address = urlEnd === "" ? url.origin + url.pathname + url.search : url.origin + (path === "" ? urlEnd : path);
  return FORM.test(address) ? address : undefined;
}
