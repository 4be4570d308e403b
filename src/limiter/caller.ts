import { locationHintOf, type Region } from "../placement/location-hint.ts";
import type { Caller, MissingKind } from "./decision.ts";

/** One key per kind: such callers share a log, so they are still limited. */
const MISSING_KEYS: Readonly<Record<MissingKind, string>> = {
  absent: "missing-absent",
  malformed: "missing-malformed",
};

/** Reads the caller from the trusted proxy's header. The region is computed on first use. */
export function callerOf(request: Request, header: string): Caller {
  const text = request.headers.get(header);
  if (text === null) return new RequestCaller(MISSING_KEYS.absent, "absent", request);
  const key = callerKey(text);
  if (key === null) return new RequestCaller(MISSING_KEYS.malformed, "malformed", request);
  return new RequestCaller(key.startsWith(WORKERS_NETWORK) ? workerKey(request, key) : key, null, request);
}

/** Requests of all Workers of other zones come from one address in 2a06:98c0:3600::/48. */
const WORKERS_NETWORK = "2a06:98c0:3600:";
const MAX_ZONE_CHARACTERS = 253;

/** The platform names the zone of such a Worker in a header that the Worker can neither set nor remove. */
function workerKey(request: Request, key: string): string {
  const zone = request.headers.get("CF-Worker");
  return zone === null || zone === "" ? key : `worker ${zone.slice(0, MAX_ZONE_CHARACTERS).toLowerCase()}`;
}

class RequestCaller implements Caller {
  readonly key: string;
  readonly missing: MissingKind | null;
  readonly #request: Request;

  constructor(key: string, missing: MissingKind | null, request: Request) {
    this.key = key;
    this.missing = missing;
    this.#request = request;
  }

  get region(): Region {
    return locationHintOf(this.#request.cf);
  }
}

/**
 * One key per caller: a whole IPv4 address, an IPv4-mapped IPv6 address as IPv4, any other IPv6 address by its /64 (one
 * customer's network, RFC 6177). All notations of an address give the same key; a port is ignored. null unless the text
 * is a single address: the start of a list could come from the caller itself.
 */
export function callerKey(text: string): string | null {
  if (isPlainIpv4(text)) return text;
  const bare = withoutPort(text.trim());
  const ipv4 = parseIpv4(bare);
  if (ipv4 !== null) return formatIpv4(ipv4);
  const groups = parseIpv6(bare);
  if (groups === null) return null;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return formatIpv4([...bytes(groups[6]), ...bytes(groups[7])]);
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}

/** The key of all new callers once even the shared logs are too many. */
export const OVERFLOW_KEY = "*";
const SHARED_SUFFIX = "/48";

/** The /48 of an IPv6 caller's key; null for any other key. */
export function sharedKeyOf(key: string): string | null {
  const end = key.lastIndexOf(":");
  return end === -1 ? null : key.slice(0, end) + SHARED_SUFFIX;
}

const DOT = 46;
const ZERO = 48;

/** Whether a text is canonical IPv4, as in nearly every request: one pass without allocation. */
function isPlainIpv4(text: string): boolean {
  if (text.length > 15) return false;
  let dots = 0;
  let value = -1;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit === DOT - ZERO) {
      if (value === -1) return false;
      dots++;
      value = -1;
    } else if (digit < 0 || digit > 9 || value === 0) return false;
    else {
      value = value === -1 ? digit : value * 10 + digit;
      if (value > 255) return false;
    }
  }
  return dots === 3 && value !== -1;
}

/** Strips the port and brackets of `[v6]:port`, `[v6]` and `v4:port`, and a zone such as `%eth0`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const address = bracketed ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

/** Four bytes. Leading zeros are decimal: no trusted proxy writes octal. */
function parseIpv4(text: string): number[] | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null;
  const parts = text.split(".").map(Number);
  return parts.every((part) => part <= 255) ? parts : null;
}

function formatIpv4(parts: readonly number[]): string {
  return parts.join(".");
}

/** Eight 16-bit groups (RFC 4291 section 2.2): any case, leading zeros, one `::`, a dotted tail. */
function parseIpv6(text: string): number[] | null {
  const halves = text.split("::");
  if (halves.length > 2 || !text.includes(":")) return null;
  const [left, right] = [parseGroups(halves[0] ?? "", halves.length === 1), parseGroups(halves[1] ?? "", true)];
  if (left === null || right === null) return null;
  if (halves.length === 1) return left.length === 8 ? left : null;
  const gap = 8 - left.length - right.length;
  return gap < 1 ? null : [...left, ...Array<number>(gap).fill(0), ...right];
}

function parseGroups(text: string, mayEndDotted: boolean): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const last = parts[parts.length - 1] ?? "";
  const tail = mayEndDotted && last.includes(".") ? parseIpv4(last) : [];
  if (tail === null) return null;
  const whole = tail.length === 0 ? parts : parts.slice(0, -1);
  if (!whole.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null;
  const groups = whole.map((part) => Number.parseInt(part, 16));
  const [a = 0, b = 0, c = 0, d = 0] = tail;
  return tail.length === 0 ? groups : [...groups, a * 256 + b, c * 256 + d];
}

function bytes(group = 0): [number, number] {
  return [group >> 8, group & 255];
}
