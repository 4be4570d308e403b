/**
 * Name of the machine behind an address of a node: its host, without scheme, path and final dot, and without port. A
 * machine may run several nodes of its own, so a loopback host keeps its port. Two addresses of one machine are one node.
 */
export function machineOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const host = unmapped(url.hostname.replace(/\.+$/, ""));
  if (!isLoopback(host)) return host;
  return `loopback:${url.port === "" ? url.protocol : url.port}`;
}

/** An IPv4 address in its own form, also where it is mapped into IPv6 (RFC 4291, section 2.5.5.2). */
function unmapped(host: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/** Names (RFC 6761) and addresses of the machine itself. */
function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d{1,3}){3}$|^\[::1\]$/.test(host);
}
