const LOCAL = ["localhost", "127.0.0.1"];

/**
 * The base address that a reader typed, ending in `/v1` unless it has a path of its own; undefined: not one. A host alone
 * is taken as https, on this machine as http.
 */
export function nodeAddress(typed: string): string | undefined {
  // A content security policy cannot name an IPv6 address.
  const text = typed.trim().replace(/^((?:http:\/\/)?)\[::1\](?=[:/]|$)/i, "$1localhost");
  const [host = ""] = text.split(/[:/]/);
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(text) && (LOCAL.includes(host) || host.includes("."));
  const url = URL.parse(isBare ? `http${LOCAL.includes(host) ? "" : "s"}://${text}` : text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const isLocal = LOCAL.includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  const address = url.origin + (path === "" ? "/v1" : path);
  // It becomes part of a command.
  return /^[\w.~:/%[\]-]+$/.test(address) ? address : undefined;
}
