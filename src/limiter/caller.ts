import { locationHintOf, type Region } from "../placement/location-hint.ts";

/** Reason why a caller has no address: the trusted header was absent, or contained no address. */
export type NoAddressReason = "absent" | "malformed";

/** The caller to count: a key for each IPv4 address or IPv6 /64, and the region whose objects store its log. */
export interface Caller {
  readonly key: string;
  /** Reason why all callers without an address share this key; null for a caller with an address. */
  readonly noAddress: NoAddressReason | null;
  /** Region of the caller. Reading the platform's geography is slow, so this is called once for each recent caller. */
  readonly region: () => Region;
}

/**
 * Reads the caller from the trusted proxy's header. Callers without the header share one
 * key, and so do those whose header is malformed. So they are limited too.
 */
export function callerOf(request: Request, header: string): Caller {
  const text = request.headers.get(header);
  const addressKey = text === null ? null : callerKey(text);
  const noAddress = addressKey === null ? (text === null ? "absent" : "malformed") : null;
  const key = addressKey ?? `missing-${noAddress}`;
  return {
    key: key.startsWith(WORKERS_NETWORK) ? workerKey(request, key) : key,
    noAddress,
    region: () => locationHintOf(request.cf),
  };
}

/** Network from whose single address the requests of all Workers of other zones come: 2a06:98c0:3600::/48. */
const WORKERS_NETWORK = "2a06:98c0:3600:";
const MAX_ZONE_CHARACTERS = 253;

/** Key of a Worker: its zone, which the platform sends in a header that the Worker can neither set nor remove. */
function workerKey(request: Request, key: string): string {
  const zone = request.headers.get("CF-Worker");
  return zone === null || zone === "" ? key : `worker ${zone.slice(0, MAX_ZONE_CHARACTERS).toLowerCase()}`;
}

const CANONICAL_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Key of a caller: an IPv4 address (also one mapped into IPv6), or the /64 of an IPv6 address, which is one customer's
 * network (RFC 6177). All notations of an address give the same key, and a port is ignored. Anything but a single
 * address gives null: the caller itself could have written the start of a list.
 */
export function callerKey(text: string): string | null {
  if (CANONICAL_IPV4.test(text)) return text;
  const bare = withoutPort(text.trim());
  if (DOTTED.test(bare)) return keyOfIpv4(bare.split(".").map(Number));
  const groups = ipv6Groups(bare);
  if (groups === null) return null;
  if (groups.slice(0, 6).join(":") !== MAPPED_IPV4) return groups.slice(0, 4).join(":");
  const halves = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return keyOfIpv4(halves.flatMap((half) => [half >> 8, half & 255]));
}

const SHARED_SUFFIX = "/48";

/** Returns the /48 network of an IPv6 caller's key; null for any other key. */
export function sharedNetworkOf(key: string): string | null {
  const end = key.lastIndexOf(":");
  return end === -1 ? null : key.slice(0, end) + SHARED_SUFFIX;
}

/** Strips the port and brackets of `[v6]:port`, `[v6]` and `v4:port`, and a zone such as `%eth0`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const address = bracketed ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

/** An IPv4 address; leading zeros are read as decimal, because no trusted proxy writes octal. */
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;

function keyOfIpv4(bytes: readonly number[]): string | null {
  return bytes.every((byte) => byte <= 255) ? bytes.join(".") : null;
}

const MAPPED_IPV4 = "0:0:0:0:0:ffff";

/**
 * Parses an IPv6 address into eight groups in lower-case hexadecimal without leading zeros. The URL parser reads every
 * notation (RFC 4291).
 */
function ipv6Groups(text: string): string[] | null {
  const url = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`) : null;
  if (url === null) return null;
  const [left, right] = url.hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const [head, tail] = [left ?? [], right ?? []];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
