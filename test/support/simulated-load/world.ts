import { parseAsset } from "../../../src/chain/asset.ts";
import { isAtLeast, type LedgerMark, laterOf } from "../../../src/chain/ledger-point.ts";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { responseOf as cachedResponseOf } from "../../../src/gateway/cache/policy.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import { readViewOver } from "../../../src/gateway/internal-reads.ts";
import type { CachedResponse, NodeRequest } from "../../../src/gateway/node-types.ts";
import { HOME_NAME, SHARDS, shieldName } from "../../../src/gateway/shield/routing.ts";
import { ShieldCore } from "../../../src/gateway/shield/shield-core.ts";
import { TipWatch } from "../../../src/gateway/shield/tip-watch.ts";
import type { Ledger } from "../../../src/gateway/tip/ledger-headers.ts";
import { classifyResponse } from "../../../src/gateway/upstream/classify-response.ts";
import type { FailoverResult } from "../../../src/gateway/upstream/failover.ts";
import type { Admission } from "../../../src/http/handler.ts";
import type { Region } from "../../../src/placement/location-hint.ts";
import { type Supply, supplySource } from "../../../src/supply/onchain.ts";
import { SUPPLY_FRESHNESS } from "../../../src/supply/onchain-handlers.ts";
import { SwrValue } from "../../../src/swr/swr-value.ts";
import { ledgerAt, responseOf } from "../../unit/gateway/upstream/nodes.ts";
import { NO_CALLER } from "../no-caller.ts";
import type { TickingClock } from "./clock.ts";

const BLOCK_MS = 250;
const UPSTREAM_MS = 20;
/** One way, from an isolate to its region's objects. */
const TO_OBJECT_MS = 20;
const BETWEEN_OBJECTS_MS = 10;
const DATA_CENTRE_CACHE_MS = 2;
const ISOLATE_BYTES = 16 * 1_048_576;
const SHIELD_BYTES = 24 * 1_048_576;
const PUT_EVERY_MS = 60_000;
const NATIVE = parseAsset("0x1::aptos_coin::AptosCoin");

/** One isolate: its gateway, and the total supply as it keeps it. */
export interface Isolate {
  readonly gateway: Gateway;
  readonly total: SwrValue<Supply>;
  readonly dataCentre: DataCentre;
}

/** The cache that the isolates of one data centre share. */
export interface DataCentre {
  readonly region: Region;
  readonly values: Map<string, CachedResponse>;
  readonly claimedAtMs: Map<string, number>;
}

/**
 * Objects, a node whose chain moves, and callers, around the real gateway and shield. Counts the calls to each object.
 */
export class LoadWorld {
  readonly #clock: TickingClock;
  readonly #shields = new Map<string, ShieldCore>();
  /** The newest point that each caller has seen, as the limiter's objects know it. */
  readonly #seen = new Map<string, LedgerMark>();
  readonly calls = new Map<string, number>();
  /** By object and key. */
  readonly upstreamCalls = new Map<string, number>();

  constructor(clock: TickingClock) {
    this.#clock = clock;
  }

  isolate(dataCentre: DataCentre): Isolate {
    const { now, sleep } = this.#clock;
    const gateway = new Gateway({
      now,
      sleep,
      memory: responseLru(ISOLATE_BYTES),
      cached: async (key) => {
        await sleep(DATA_CENTRE_CACHE_MS);
        return dataCentre.values.get(key);
      },
      cache: async (key, value) => {
        await sleep(DATA_CENTRE_CACHE_MS);
        dataCentre.values.set(key, value);
      },
      claim: async (name, milliseconds) => {
        await sleep(DATA_CENTRE_CACHE_MS);
        const isFree = this.#isUnclaimed(dataCentre, name, milliseconds);
        // What one isolate puts another sees a little later.
        if (isFree) void sleep(DATA_CENTRE_CACHE_MS).then(() => dataCentre.claimedAtMs.set(name, now()));
        return isFree;
      },
      shield: (region, read) =>
        this.#far(shieldName(region, read.request.key, SHARDS), (name) =>
          this.#shield(name).answer(read, noConnection),
        ),
      call: () => Promise.reject(new Error("no submits here")),
      learnUpstreams: () => undefined,
      log: refuse,
      count: null,
      staleIfErrorSeconds: 30,
    });
    return { gateway, total: this.#total(gateway, dataCentre), dataCentre };
  }

  #isUnclaimed({ claimedAtMs }: DataCentre, name: string, milliseconds: number): boolean {
    const sinceMs = this.#clock.now() - (claimedAtMs.get(name) ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= milliseconds;
  }

  #total(gateway: Gateway, dataCentre: DataCentre): SwrValue<Supply> {
    if (NATIVE === undefined) throw new Error("no asset");
    const put = () => this.#far(HOME_NAME, async () => undefined);
    const putSometimes = async (name: string): Promise<void> => {
      if (!this.#isUnclaimed(dataCentre, name, PUT_EVERY_MS)) return;
      dataCentre.claimedAtMs.set(name, this.#clock.now());
      await put();
    };
    return new SwrValue({
      name: "total_supply",
      key: "total_supply",
      policy: SUPPLY_FRESHNESS,
      load: supplySource(
        readViewOver(gateway, () => dataCentre.region),
        NATIVE,
        false,
      ),
      lastGood: { get: () => this.#far(HOME_NAME, async () => null), put, putSometimes },
      log: refuse,
    });
  }

  /** What the data centres' caches hold before the first request, by key. */
  async cachedEverywhere(requests: readonly NodeRequest[]): Promise<[string, CachedResponse][]> {
    const values = requests.map(async (request): Promise<[string, CachedResponse]> => {
      const response = this.#respond(request);
      return [`0 ${request.key}`, await cachedResponseOf(request, response, 0, this.#clock.now())];
    });
    return Promise.all(values);
  }

  /** The limiter's side of one request, which counts no call: exact floors, nothing refused. */
  admission(caller: string): Admission {
    return {
      ...NO_CALLER,
      admit: async (candidate, timeless) => {
        await this.#clock.sleep(2 * TO_OBJECT_MS);
        const floor = this.#seen.get(caller) ?? null;
        if (candidate !== null && isAtLeast(candidate, floor)) {
          this.#seen.set(caller, candidate);
          return { refusal: null, floor: null };
        }
        return { refusal: null, floor: timeless ? laterOf(floor, candidate) : floor };
      },
      note: async (mark) => {
        await this.#clock.sleep(2 * TO_OBJECT_MS);
        this.#seen.set(caller, laterOf(this.#seen.get(caller) ?? null, mark) ?? mark);
        return true;
      },
      noteTarget: () => ({ object: "limiter", region: "", key: caller }),
    };
  }

  async #far<Result>(name: string, work: (name: string) => Promise<Result>): Promise<Result> {
    increment(this.calls, name);
    await this.#clock.sleep(TO_OBJECT_MS);
    const result = await work(name);
    await this.#clock.sleep(TO_OBJECT_MS);
    return result;
  }

  #shield(name: string): ShieldCore {
    const known = this.#shields.get(name);
    if (known !== undefined) return known;
    const { now, sleep } = this.#clock;
    const lookUp = async () => {
      increment(this.upstreamCalls, `${name} look-up`);
      await sleep(UPSTREAM_MS);
      return this.#tip();
    };
    const core = new ShieldCore({
      now,
      watch: new TipWatch({ now, sleep, lookUp, onEpoch: () => undefined }, 0),
      call: (request) => this.#callNode(name, request),
      outdated: () => [],
      memory: responseLru(SHIELD_BYTES),
      staleIfErrorSeconds: 30,
      recall: () => undefined,
      keep: () => undefined,
      note: async ({ key }, mark) => {
        await sleep(2 * BETWEEN_OBJECTS_MS);
        const newest = laterOf(this.#seen.get(key) ?? null, mark) ?? mark;
        this.#seen.set(key, newest);
        return newest;
      },
    });
    this.#shields.set(name, core);
    return core;
  }

  async #callNode(object: string, request: NodeRequest): Promise<FailoverResult> {
    increment(this.upstreamCalls, `${object} ${request.key}`);
    await this.#clock.sleep(UPSTREAM_MS);
    return this.#respond(request);
  }

  #respond(request: NodeRequest): Extract<FailoverResult, { kind: "response" }> {
    const response = responseOf(bodyFor(request), this.#tip());
    const classification = classifyResponse(request, response);
    if (classification.kind === "invalid") throw new Error(classification.why);
    return { kind: "response", response, classification, attempts: [] };
  }

  #tip(): Ledger {
    return ledgerAt(BigInt(100_000 + Math.floor(this.#clock.now() / BLOCK_MS)));
  }
}

/** Nothing fails here, so that nothing is logged. */
function refuse(event: string): never {
  throw new Error(`unexpected: ${event}`);
}

/** The object's own connections are enough here. */
async function noConnection(): Promise<never> {
  throw new Error("no connection is lent");
}

function bodyFor({ endpoint, params, body }: NodeRequest): unknown {
  switch (endpoint) {
    case "transaction_by_version":
      return { type: "user_transaction", version: params["txn_version"], hash: `0x${"ab".repeat(32)}`, success: true };
    case "view":
      return new TextDecoder().decode(body ?? undefined).includes("decimals") ? [8] : [{ vec: ["1000000000000000"] }];
    case "estimate_gas_price":
      return { gas_estimate: 100 };
    case "ledger_info":
      return { chain_id: 4, ledger_version: "100000" };
    default:
      return { sequence_number: "7", authentication_key: "0x00" };
  }
}

export function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
