import { locationHintOf, type Region } from "../placement/location-hint.ts";

/** Why a caller has no own key: the trusted header was absent, or contained no address. */
export type MissingKind = "absent" | "malformed";

/** The caller to count: one key per IPv4 address or IPv6 /64, and the region whose objects store its log. */
export interface Caller {
  readonly key: string;
  /** Why the key is shared by all callers of its kind; null for a caller with an address. */
  readonly missing: MissingKind | null;
  /** Reading the platform's geography is slow: called once for each recent caller. */
  readonly region: () => Region;
}

/**
 * Reads the caller from the trusted proxy's header. Callers without a key share one log for each reason, so they are
 * still limited.
 */
export function callerOf(request: Request, header: string): Caller {
  const text = request.headers.get(header);
  const known = text === null ? null : callerKey(text);
  const missing = known === null ? (text === null ? "absent" : "malformed") : null;
  const key = known ?? `missing-${missing}`;
  return {
    key: key.startsWith(WORKERS_NETWORK) ? workerKey(request, key) : key,
    missing,
    region: () => locationHintOf(request.cf),
  };
}

/** Requests of all Workers of other zones come from one address in 2a06:98c0:3600::/48. */
const WORKERS_NETWORK = "2a06:98c0:3600:";
const MAX_ZONE_CHARACTERS = 253;

/** The platform names the zone of such a Worker in a header that the Worker can neither set nor remove. */
function workerKey(request: Request, key: string): string {
  const zone = request.headers.get("CF-Worker");
  return zone === null || zone === "" ? key : `worker ${zone.slice(0, MAX_ZONE_CHARACTERS).toLowerCase()}`;
}

const CANONICAL_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * One key per caller: a whole IPv4 address, an IPv4-mapped IPv6 address as IPv4, any other IPv6 address by its /64 (one
 * customer's network, RFC 6177). All notations of an address give the same key; a port is ignored. null unless the text
 * is a single address: the start of a list could come from the caller itself.
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

/** The /48 of an IPv6 caller's key; null for any other key. */
export function sharedKeyOf(key: string): string | null {
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

/** Leading zeros are decimal: no trusted proxy writes octal. */
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;

function keyOfIpv4(bytes: readonly number[]): string | null {
  return bytes.every((byte) => byte <= 255) ? bytes.join(".") : null;
}

const MAPPED_IPV4 = "0:0:0:0:0:ffff";

/** Eight groups in lower-case hexadecimal without leading zeros. The URL parser reads every notation (RFC 4291). */
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
