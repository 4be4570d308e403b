/**
 * Name of the machine behind a node's address: the host, without scheme, port, path and final dot. A loopback host
 * keeps its port, because one machine may run several local nodes. Two addresses of one machine count as one node.
 */
export function machineOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const host = ipv4OfMapped(url.hostname.replace(/\.+$/, ""));
  if (!isLoopback(host)) return host;
  return `loopback:${url.port === "" ? url.protocol : url.port}`;
}

/** Converts an IPv6 address that maps an IPv4 address (RFC 4291, section 2.5.5.2) to the IPv4 address. */
function ipv4OfMapped(host: string): string {
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
