import { parseAsset } from "../../../src/chain/asset.ts";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import { readViewOver } from "../../../src/gateway/internal-reads.ts";
import type { NodeRequest } from "../../../src/gateway/node-types.ts";
import { HOME_NAME, SHARDS, shieldName } from "../../../src/gateway/shield/routing.ts";
import { ShieldCore } from "../../../src/gateway/shield/shield-core.ts";
import { TipWatch } from "../../../src/gateway/shield/tip-watch.ts";
import type { FailoverResult } from "../../../src/gateway/upstream/failover.ts";
import type { Supply } from "../../../src/supply/onchain.ts";
import { SUPPLY_FRESHNESS } from "../../../src/supply/onchain-handlers.ts";
import { unscheduledQuestion } from "../../../src/supply/plausibility.ts";
import { supplySource } from "../../../src/supply/supply-source.ts";
import { SwrValue } from "../../../src/swr/swr-value.ts";
import { nobodyConfirms, THRESHOLDS } from "../../unit/swr/remembering.ts";
import { SimulatedCallers } from "./callers.ts";
import type { TickingClock } from "./clock.ts";
import type { DataCentre } from "./data-centre.ts";
import { SimulatedNode } from "./node.ts";

const UPSTREAM_MS = 20;
/** One way, from an isolate to its region's objects. */
const TO_OBJECT_MS = 20;
const BETWEEN_OBJECTS_MS = 10;
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

/**
 * Objects, a node whose chain moves, and callers, around the real gateway and shield. Counts the calls to each object.
 */
export class LoadWorld {
  readonly #clock: TickingClock;
  readonly #shields = new Map<string, ShieldCore>();
  readonly node: SimulatedNode;
  readonly callers: SimulatedCallers;
  readonly calls = new Map<string, number>();
  /** By object and key. */
  readonly upstreamCalls = new Map<string, number>();

  constructor(clock: TickingClock) {
    this.#clock = clock;
    this.node = new SimulatedNode(clock.now);
    this.callers = new SimulatedCallers(() => clock.sleep(2 * TO_OBJECT_MS));
  }

  isolate(dataCentre: DataCentre): Isolate {
    const { now, sleep } = this.#clock;
    const gateway = new Gateway({
      now,
      sleep,
      memory: responseLru(ISOLATE_BYTES),
      cached: dataCentre.get,
      cache: dataCentre.put,
      claim: dataCentre.claim,
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

  #total(gateway: Gateway, dataCentre: DataCentre): SwrValue<Supply> {
    if (NATIVE === undefined) throw new Error("no asset");
    const put = () => this.#far(HOME_NAME, async () => undefined);
    const putSometimes = async (name: string): Promise<void> => {
      if (dataCentre.claimAtOnce(name, PUT_EVERY_MS)) await put();
    };
    return new SwrValue({
      name: "total_supply",
      key: "total_supply",
      policy: SUPPLY_FRESHNESS,
      load: supplySource({
        readView: readViewOver(gateway, () => dataCentre.region),
        confirmView: nobodyConfirms,
        asset: NATIVE,
        questionOf: unscheduledQuestion(THRESHOLDS),
        confirmSeconds: THRESHOLDS.confirmSeconds,
      }),
      lastGood: { get: () => this.#far(HOME_NAME, async () => null), put, putSometimes },
      log: refuse,
    });
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
      return this.node.tip();
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
      onLagging: () => undefined,
      note: async ({ key }, mark) => {
        await sleep(2 * BETWEEN_OBJECTS_MS);
        return this.callers.record(key, mark);
      },
    });
    this.#shields.set(name, core);
    return core;
  }

  async #callNode(object: string, request: NodeRequest): Promise<FailoverResult> {
    increment(this.upstreamCalls, `${object} ${request.key}`);
    await this.#clock.sleep(UPSTREAM_MS);
    return this.node.respond(request);
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

export function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
