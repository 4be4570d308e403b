import type { Config } from "../config.ts";
import type { FetchListing, LastGood, ListingSource, NodeRead, UpstreamHealth } from "../gateway/ports.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import { evaluateHealth, type FigureState, type Health, healthReply } from "../health/report.ts";
import { type PostNotice, watch } from "../health/watch.ts";
import type { Handler } from "../http/handler.ts";
import type { Log } from "../log.ts";
import { poolFilter } from "../rates/defillama.ts";
import { RATES_FRESHNESS, ratesHandler } from "../rates/handlers.ts";
import type { Product } from "../rates/product.ts";
import { listingSource, productsText } from "../rates/source.ts";
import { type Asset, type Assets, assetText } from "../supply/asset.ts";
import { stepAt } from "../supply/circulating.ts";
import { contradictions } from "../supply/cross-check.ts";
import type { OnChainFigure } from "../supply/document-handlers.ts";
import { type Supply, supplySource, supplyText } from "../supply/onchain.ts";
import { onChainSupply, SUPPLY_FRESHNESS } from "../supply/onchain-handlers.ts";
import type { Schedule } from "../supply/schedule.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import { type RequestTime, SwrValue } from "../swr/swr-value.ts";

/** Where the embedded node lists its yield products. */
const EMBEDDED_LISTING = "/rates";

export interface FigurePorts {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly nodeRead: NodeRead;
  readonly fetchListing: FetchListing;
  readonly lastGood: LastGood;
  readonly upstreamHealth: UpstreamHealth;
  readonly limiterAnswers: () => Promise<boolean>;
  /** null: nobody is told when health changes. */
  readonly postNotice: PostNotice | null;
  readonly log: Log;
  /** Lets time pass. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Figures {
  readonly routes: readonly { readonly path: string; readonly handler: Handler }[];
  /** The native token's total, for `/api/supply`. */
  readonly onChainTotal: (when: RequestTime) => Promise<OnChainFigure>;
  /** The scheduled check. */
  readonly check: (when: RequestTime) => Promise<Health>;
}

/** The other figures of `/api/supply` need no chain: they do not wait longer than this for one that hangs. */
const TOTAL_PATIENCE_MS = 2_000;

/** A kept figure of whatever kind. */
type Watched = Pick<SwrValue<unknown>, "name" | "policy" | "read" | "renew">;

/** The figures that upstreams feed, and the health of all that is served. */
export function figures(ports: FigurePorts, assets: Assets): Figures {
  const { config, schedule } = ports;
  const total = heldSupply(ports, "total_supply", assets.native, false);
  const stable = assets.stable === null ? null : heldSupply(ports, "stable_supply", assets.stable, true);
  const rates = heldRates(ports);
  const held: readonly Watched[] = stable === null ? [total, rates] : [total, stable, rates];
  const health = healthOf(ports, held, total);
  const deployment = { ...config, scheduleRevision: schedule.revision };
  const nothing: Handler = () => ({ kind: "unknown_path" });
  return {
    routes: [
      { path: "/api/total-supply", handler: onChainSupply(total, "The total supply") },
      { path: "/api/stable-supply", handler: stable === null ? nothing : onChainSupply(stable, "The stable supply") },
      { path: "/api/rates", handler: ratesHandler(rates) },
      { path: "/api/health", handler: async (ask) => healthReply(await health(ask), deployment) },
    ],
    onChainTotal: async (when) =>
      totalFigure(schedule, await total.readWithin(when, () => ports.pause(TOTAL_PATIENCE_MS))),
    check: watch({
      ...ports,
      renew: (nowMs) => Promise.all(held.map((each) => each.renew(nowMs))),
      health,
      post: ports.postNotice,
      buildRevision: config.buildRevision,
    }),
  };
}

/** Asks all that health is judged by at once. */
function healthOf(ports: FigurePorts, held: readonly Watched[], total: SwrValue<Supply>) {
  const { schedule } = ports;
  return async (when: RequestTime): Promise<Health> => {
    const [states, upstreams, limiterAnswers] = await Promise.all([
      Promise.all(held.map(async (each) => heldState(each, await each.read(when)))),
      ports.upstreamHealth(),
      ports.limiterAnswers(),
    ]);
    const existing = await total.read(when);
    return evaluateHealth({
      nowMs: when.nowMs,
      figures: [MAX_SUPPLY, circulatingState(schedule, when.nowMs), ...states],
      upstreams,
      limiter: limiterAnswers ? "exact" : "local",
      contradictions: existing.kind === "reading" ? contradictions(schedule, when.nowMs, existing.value) : [],
    });
  };
}

const MAX_SUPPLY: FigureState = { name: "max_supply", ageSeconds: 0, boundSeconds: null, fault: null };

function circulatingState(schedule: Schedule, nowMs: number): FigureState {
  const started = stepAt(schedule, nowMs) !== undefined;
  const fault = started ? null : "the schedule has not started";
  return { name: "circulating_supply", ageSeconds: started ? 0 : null, boundSeconds: null, fault };
}

function heldState({ name, policy: keeping }: Watched, reading: CachedValue<unknown> | Unavailable): FigureState {
  const state = { name, boundSeconds: keeping.maxStaleSeconds };
  return reading.kind === "missing"
    ? { ...state, ageSeconds: null, fault: reading.reason }
    : { ...state, ageSeconds: reading.ageSeconds, fault: reading.error };
}

/** In the schedule's unit, which the other figures of `/api/supply` have. */
function totalFigure({ token }: Schedule, reading: CachedValue<Supply> | Unavailable): OnChainFigure {
  if (reading.kind === "missing") return { kind: "missing", reason: reading.reason };
  const { baseUnits, decimals } = reading.value;
  if (decimals === token.decimals) return { kind: "figure", baseUnits, fields: ageHeaders(reading) };
  return { kind: "missing", reason: `The chain counts ${decimals} decimals, the schedule ${token.decimals}.` };
}

/** One name for each source, so that another node or asset never answers with what the last one said. */
function heldSupply(ports: FigurePorts, name: string, asset: Asset, zeroIsBelieved: boolean): SwrValue<Supply> {
  const source = fnv1aHex(`${assetText(asset)} ${ports.config.nodeUrls.join(" ")} ${ports.config.chainId}`);
  const load = supplySource(ports.nodeRead, asset, zeroIsBelieved);
  const { lastGood, log } = ports;
  const key = `${name}-${source}`;
  // The gateway makes one call of many equal reads; nobody has to wait for another request here.
  return new SwrValue({ lastGood, log, name, key, policy: SUPPLY_FRESHNESS, load, text: supplyText });
}

function heldRates(ports: FigurePorts): SwrValue<readonly Product[]> {
  const { environment, ratesUrl, ratesChain, ratesProjects } = ports.config;
  const from: ListingSource =
    ratesUrl === null ? { kind: "embedded", path: EMBEDDED_LISTING } : { kind: "url", url: ratesUrl };
  const load = listingSource({
    ...ports,
    fetchListing: (limits) => ports.fetchListing(from, limits),
    filter: poolFilter(ratesChain, ratesProjects),
    samplesAllowed: environment !== "production",
  });
  const source = fnv1aHex(JSON.stringify([environment, ratesUrl, ratesChain, ratesProjects]));
  return new SwrValue({
    ...ports,
    name: "rates",
    key: `rates-${source}`,
    policy: RATES_FRESHNESS,
    load,
    text: productsText,
  });
}
