import { check } from "../fuzz/check-response.ts";
import { Random } from "../fuzz/random.ts";
import { PLAIN, type RawRequest } from "../fuzz/raw-request.ts";
import { type Answer, Wire } from "../fuzz/wire.ts";
import type { Spent } from "../support/quota-oracle.ts";

/** A caller with its own address, paths and request rate. */
export interface Caller {
  readonly address: string;
  readonly targets: readonly string[];
  readonly paceMs: number;
  /** By policy. */
  readonly spent: { readonly default: Spent[]; readonly node: Spent[] };
}

/** The observations of all callers. */
export interface Seen {
  requests: number;
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
  /** Stale responses, served because no upstream answers. */
  stale: number;
  /** A text for each wrong response. */
  readonly wrong: string[];
  /** Bodies that must never change, by path. */
  readonly fixed: Map<string, string>;
}

const FIGURES = ["/api/max-supply", "/api/circulating-supply", "/api/supply", "/api/total-supply"];
const HOMEPAGE = ["/api/rates", "/api/supply", "/api/unlock-schedule"];
const FIXED = [
  "/v1/transactions/by_version/3",
  "/v1/blocks/by_height/1",
  "/v1/accounts/0x1/resource/0x1::chain_id::ChainId?ledger_version=9",
];
const WALLET = [...FIXED, "/v1", "/v1/accounts/0x1", "/v1/transactions?limit=2", "/v1/estimate_gas_price"];
/** Paths whose bodies do not change during a soak. */
const CONSTANT = new Set([...FIXED, "/api/max-supply", "/api/circulating-supply", "/api/unlock-schedule"]);

/** Trackers, homepages, wallets, and some that send as fast as they can. */
export function overflow(): Caller[] {
  const some = (count: number, net: string, targets: readonly string[], paceMs: number): Caller[] =>
    Array.from({ length: count }, (_, index) => ({
      address: `${net}.${index}`,
      targets,
      paceMs,
      spent: { default: [], node: [] },
    }));
  return [
    ...some(30, "198.51.100", FIGURES, 1_500),
    ...some(30, "203.0.113", HOMEPAGE, 1_500),
    ...some(20, "192.0.2", WALLET, 400),
    ...some(3, "198.18.0", FIGURES, 40),
    ...some(2, "198.18.1", WALLET, 40),
  ];
}

/** Sends the requests of one caller until stopped; pauses on request. */
export async function requesting(
  caller: Caller,
  url: string,
  seed: number,
  control: { readonly stopped: () => boolean; readonly resting: () => boolean },
  seen: Seen,
): Promise<void> {
  const random = new Random(seed, 0);
  const wire = new Wire(url);
  let newest = -1n;
  while (!control.stopped()) {
    await new Promise((resolve) => setTimeout(resolve, caller.paceMs * (0.5 + random.below(1_000) / 1_000)));
    if (control.resting() || control.stopped()) continue;
    const request: RawRequest = {
      ...PLAIN,
      target: random.pick(caller.targets),
      fields: [["CF-Connecting-IP", caller.address]],
      expected: [200],
    };
    const sentMs = performance.now();
    const answer = await wire.send(request);
    const endedMs = performance.now();
    const status = answer.kind === "none" ? "none" : String(answer.status);
    seen.requests += 1;
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    seen.latenciesMs.push(endedMs - sentMs);
    const outcome = status === "429" ? "refused" : status === "none" ? "lost" : "admitted";
    caller.spent[request.target.startsWith("/v1") ? "node" : "default"].push({ sentMs, endedMs, outcome });
    for (const fault of check(request, answer, { chain: false, secrets: [] }).faults)
      seen.wrong.push(`${request.target}: ${fault}`);
    if (answer.kind === "none") continue;
    newest = checked(request.target, answer, newest, seen);
  }
  wire.close();
}

/** One-time callers, each with a new address, as most callers of homepages are. */
export async function passersBy(
  url: string,
  control: { readonly stopped: () => boolean; readonly resting: () => boolean },
  seen: Seen,
): Promise<void> {
  const wire = new Wire(url);
  for (let index = 0; !control.stopped(); index += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (control.resting()) continue;
    const address = `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;
    const answer = await wire.send({ ...PLAIN, target: "/api/max-supply", fields: [["CF-Connecting-IP", address]] });
    seen.requests += 1;
    const status = answer.kind === "none" ? "none" : String(answer.status);
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    const text = answer.kind === "none" ? "nothing" : `${answer.status} ${answer.body.toString()}`;
    if (text !== "200 1000000000") seen.wrong.push(`a new caller was answered ${text.slice(0, 100)}`);
  }
  wire.close();
}

/**
 * Checks that fixed bodies do not change and that a caller's ledger version never decreases in fresh responses. Returns
 * the newest version.
 */
function checked(target: string, { status, fields, body }: Answer, newest: bigint, seen: Seen): bigint {
  const { fixed, wrong } = seen;
  if (status !== 200) return newest;
  if (CONSTANT.has(target)) {
    const text = body.toString();
    const first = fixed.get(target) ?? text;
    fixed.set(target, first);
    if (first !== text) wrong.push(`${target} was ${first.slice(0, 60)} and is ${text.slice(0, 60)}`);
  }
  if (fields.get("cache-status")?.[0]?.includes("upstream-down") === true) {
    seen.stale += 1;
    return newest;
  }
  const version = BigInt(fields.get("x-node-ledger-version")?.[0] ?? newest);
  if (version < newest) wrong.push(`${target}: ledger version ${version} after ${newest}`);
  return version > newest ? version : newest;
}
