import { responseLru } from "../../../src/gateway/cache/store.ts";
import { pointOf } from "../../../src/gateway/model/ledger.ts";
import type { CachedResponse, LocatedResponse, UpstreamsDown } from "../../../src/gateway/model/node-types.ts";
import type { AttemptError } from "../../../src/gateway/model/outcomes.ts";
import { unanswered } from "../../../src/gateway/request/node-errors.ts";
import type { ShieldResult } from "../../../src/gateway/shield/messages.ts";
import type { GatewayPorts } from "../../../src/gateway/sources.ts";
import { poolOf } from "../../../src/gateway/upstream/upstreams.ts";
import { ledgerAt } from "./upstream/nodes.ts";

export const NOW_MS = 1_000_000;

/** A response at version 9 of the first era, stored now, valid until the tip moves. */
export const cachedResponse = (more: Partial<CachedResponse> = {}): CachedResponse => {
  const value: CachedResponse = {
    status: 200,
    contentType: "application/json",
    body: new TextEncoder().encode("[]"),
    extras: {},
    etag: '"e"',
    ledger: ledgerAt(9n),
    retention: "until-tip",
    seconds: 3_600,
    storedAtMs: NOW_MS,
    era: 0,
    timeless: false,
    point: null,
    revealed: null,
    ...more,
  };
  const { era, ledger } = value;
  const point = ledger === null ? null : pointOf({ era, ledger });
  return { ...value, point, revealed: more.revealed ?? point };
};

/** The shield's answer with a response from an upstream, recorded for its caller; its ledger is the tip. */
export function shieldValue(value: CachedResponse, more: Partial<LocatedResponse> = {}): ShieldResult {
  const { era, ledger, point } = value;
  const found: LocatedResponse = {
    kind: "found",
    value,
    source: "upstream",
    ageMs: 0,
    recorded: point,
    attempts: [],
    ...more,
  };
  const tip = ledger === null ? null : { era, ledger, confirmedAtMs: NOW_MS };
  return { found, tip, tipAgeMs: 0, elapsedMs: 0 };
}

export const downBy = (why: AttemptError): UpstreamsDown => {
  return { kind: "down", why, failure: unanswered(why, null), attempts: [] };
};
export const DOWN = downBy("connect");

/** A shield and upstreams that do not respond, an empty data centre's cache, and a clock that stops. */
export const portsWith = (more: Partial<GatewayPorts> = {}): GatewayPorts => ({
  now: () => NOW_MS,
  sleep: () => new Promise(() => undefined),
  memory: responseLru(1_000_000),
  shared: { match: async () => undefined, put: async () => undefined },
  shield: async () => null,
  call: async () => DOWN,
  pool: poolOf([]),
  log: () => undefined,
  count: null,
  staleIfErrorSeconds: 30,
  ...more,
});
