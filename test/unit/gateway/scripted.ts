import { responseLru } from "../../../src/gateway/cache/lru.ts";
import type { GatewayPorts } from "../../../src/gateway/gateway-ports.ts";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import type { ShieldResult } from "../../../src/gateway/shield/messages.ts";
import { ledgerAt } from "./upstream/nodes.ts";

export const NOW_MS = 1_000_000;

/** A response at version 9 of epoch 0, stored now, valid until the tip moves. */
export const cachedResponse = (more: Partial<CachedResponse> = {}): CachedResponse => ({
  ...{ status: 200, contentType: "application/json", body: new TextEncoder().encode("[]"), extras: {}, etag: '"e"' },
  ...{ ledger: ledgerAt(9n), retention: "until-tip", seconds: 3_600, storedAtMs: NOW_MS, epoch: 0 },
  ...more,
});

type ShieldValue = Extract<ShieldResult, { kind: "value" }>;

/** The shield's answer with a response from an upstream, whose ledger is the tip. */
export function shieldValue(value: CachedResponse, more: Partial<ShieldValue> = {}): ShieldValue {
  const { epoch, ledger } = value;
  const tip = ledger === null ? null : { epoch, ledger, confirmedAtMs: NOW_MS };
  return {
    ...{ kind: "value", value, source: "upstream", ageMs: 0, shows: null, isNoted: true, attempts: [], outdated: [] },
    ...{ tip, tipAgeMs: 0, elapsedMs: 0 },
    ...more,
  };
}

export const DOWN = { kind: "down", maybeSent: false, lagging: false, retryAfterSeconds: 3, attempts: [] } as const;

/** A shield and upstreams that do not respond, an empty data centre's cache, and a clock that stops. */
export const portsWith = (more: Partial<GatewayPorts> = {}): GatewayPorts => ({
  now: () => NOW_MS,
  sleep: () => new Promise(() => undefined),
  memory: responseLru(1_000_000),
  cached: async () => undefined,
  cache: async () => undefined,
  claim: async () => true,
  shield: async () => {
    throw new Error("the object was reset");
  },
  call: async () => DOWN,
  learnUpstreams: () => undefined,
  log: () => undefined,
  count: null,
  staleIfErrorSeconds: 30,
  ...more,
});
