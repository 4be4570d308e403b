import { type Asset, assetText } from "../chain/asset.ts";
import type { ListingSource } from "../gateway/ports.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import { evaluateHealth, type FigureState, type Health, healthReply } from "../health/report.ts";
import { watch } from "../health/watch.ts";
import type { GetRoute, Handler } from "../http/handler.ts";
import { poolFilter } from "../rates/defillama.ts";
import { RATES_FRESHNESS, ratesHandler } from "../rates/handlers.ts";
import type { Product } from "../rates/product.ts";
import { listingSource } from "../rates/source.ts";
import type { Breakdown } from "../supply/breakdown.ts";
import { BREAKDOWN_FRESHNESS, breakdownHandler } from "../supply/breakdown-handlers.ts";
import { breakdownSource } from "../supply/breakdown-source.ts";
import { scheduleEnded, totalContradictions, walletContradictions } from "../supply/cross-check.ts";
import type { OnChainTotal } from "../supply/document-handlers.ts";
import { type Supply, supplySource } from "../supply/onchain.ts";
import { onChainSupply, SUPPLY_FRESHNESS } from "../supply/onchain-handlers.ts";
import { withoutPeriod } from "../supply/period-query.ts";
import { isOnChain, walletsOf } from "../supply/wallets.ts";
import type { CachedValue, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type SwrSettings, SwrValue } from "../swr/swr-value.ts";
import type { FigurePorts } from "./figure-ports.ts";
import { history } from "./history.ts";

/** Path of the embedded node's listing of yield products. */
const EMBEDDED_LISTING = "/rates";

export interface Figures {
  readonly routes: readonly GetRoute[];
  /** The native token's total, for `/api/supply`. */
  readonly onChainTotal: OnChainTotal;
  /** The scheduled check. */
  readonly check: (when: RequestTime) => Promise<Health>;
}

/** `/api/supply` waits no longer than this for the chain: its other figures come from the schedule. */
const TOTAL_DEADLINE_MS = 2_000;

/** Any cached upstream figure. */
type CachedFigure = Pick<SwrValue<unknown>, "name" | "policy" | "read" | "renew">;

/** Wires the figures read from upstreams, and the health of everything that is served. */
export function figures(ports: FigurePorts): Figures {
  const { config, schedule, assets, lastGood, log } = ports;
  const total = cachedSupply(ports, "total_supply", assets.native, false);
  const stable = assets.stable === null ? null : cachedSupply(ports, "stable_supply", assets.stable, true);
  const rates = cachedRates(ports);
  const breakdown = cachedBreakdown(ports);
  // Without wallets on this chain the breakdown would repeat the total.
  const checked = walletsOf(schedule).some(isOnChain) ? [breakdown] : [];
  const cached: readonly CachedFigure[] = [total, ...(stable === null ? [] : [stable]), rates, ...checked];
  const health = healthOf(ports, cached, total, checked[0]);
  const recorded = history(ports, { total, stable, breakdown: checked[0] ?? null, rates });
  const deployment = { ...config, scheduleRevision: schedule.revision };
  const unknownPath: Handler = () => ({ kind: "unknown_path" });
  return {
    routes: [
      { path: "/api/total-supply", handler: onChainSupply(total, "The total supply") },
      {
        path: "/api/stable-supply",
        handler: stable === null ? unknownPath : onChainSupply(stable, "The stable supply"),
      },
      { path: "/api/supply-breakdown", handler: breakdownHandler(schedule, breakdown) },
      { path: "/api/rates", handler: withoutPeriod(ratesHandler(rates)) },
      {
        path: "/api/health",
        handler: async (context) => healthReply(await health(context, context.request.cf), deployment),
      },
      ...recorded.routes,
    ],
    onChainTotal: (when) => total.readWithin(when, () => ports.pause(TOTAL_DEADLINE_MS)),
    check: watch({
      renew: async (when) => {
        await Promise.all(cached.map((figure) => figure.renew(when.nowMs)));
        await recorded.record(when);
      },
      recordChange: ({ changed_at, status, reason }) =>
        ports.historyStore.recordHealth({ atMs: Date.parse(changed_at), status, reason }),
      health,
      lastGood,
      post: ports.postNotice,
      buildRevision: config.buildRevision,
      log,
    }),
  };
}

/** Reads everything that health depends on, in parallel. */
function healthOf(
  ports: FigurePorts,
  cached: readonly CachedFigure[],
  total: SwrValue<Supply>,
  breakdown: SwrValue<Breakdown> | undefined,
) {
  const { schedule } = ports;
  return async (when: RequestTime, cf?: object): Promise<Health> => {
    const [states, nodes, tipRead, limiterAnswers] = await Promise.all([
      Promise.all(cached.map(async (figure) => figureState(figure, await figure.read(when)))),
      ports.upstreamHealth(),
      ports.readTip(cf),
      ports.limiterAnswers(),
    ]);
    const { nowMs } = when;
    const [supply, wallets] = await Promise.all([total.read(when), breakdown?.read(when)]);
    const pending = nowMs < schedule.calendar.startMs;
    const circulating = { ...MAX_SUPPLY, name: "circulating_supply", ageSeconds: pending ? null : 0, pending };
    return evaluateHealth({
      nowMs,
      figures: [MAX_SUPPLY, circulating, ...states],
      upstreams: nodes.upstreams,
      chainReplacedAtMs: nodes.chainReplacedAtMs,
      tipRead,
      limiter: limiterAnswers ? "exact" : "local",
      contradictions: [
        ...(supply.kind === "cached" ? totalContradictions(schedule, nowMs, supply.value) : []),
        ...(wallets?.kind === "cached" ? walletContradictions(schedule, nowMs, wallets.value) : []),
        ...scheduleEnded(schedule, nowMs),
      ],
    });
  };
}

const MAX_SUPPLY: FigureState = { name: "max_supply", ageSeconds: 0, boundSeconds: null, error: null };

function figureState({ name, policy }: CachedFigure, current: CachedValue<unknown> | Unavailable): FigureState {
  const [ageSeconds, error] =
    current.kind === "unavailable" ? [null, current.reason] : [current.ageSeconds, current.error];
  return { name, boundSeconds: policy.maxStaleSeconds, ageSeconds, error };
}

/** Raised when the form of a stored value changes, so that a new build ignores the values of an old one. */
const FORM = 2;

type Cached<T> = Pick<SwrSettings<T>, "name" | "policy" | "pause"> & {
  /** What identifies the value: with another setting none of another source or asset is served. */
  readonly source: readonly unknown[];
  readonly load: (key: string) => SwrSettings<T>["load"];
};

function cachedFigure<T>({ lastGood, log }: FigurePorts, { source, load, ...settings }: Cached<T>): SwrValue<T> {
  const key = `${settings.name}-${FORM}-${fnv1aHex(JSON.stringify(source))}`;
  return new SwrValue({ ...settings, key, load: load(key), lastGood, log });
}

function cachedSupply(ports: FigurePorts, name: string, asset: Asset, allowZero: boolean): SwrValue<Supply> {
  const { config, readView } = ports;
  return cachedFigure(ports, {
    name,
    source: [assetText(asset), config.nodeUrls, config.chainId],
    policy: SUPPLY_FRESHNESS,
    load: () => supplySource(readView, asset, allowZero),
    // No `pause`: the gateway already coalesces equal reads.
  });
}

function cachedBreakdown(ports: FigurePorts): SwrValue<Breakdown> {
  const { config, schedule, assets, readView, lastGood } = ports;
  return cachedFigure(ports, {
    name: "supply_breakdown",
    // A new revision of the schedule accepts the wallets' current balances, so it has its own breakdown.
    source: [assetText(assets.native), config.nodeUrls, config.chainId, schedule.revision],
    policy: BREAKDOWN_FRESHNESS,
    load: (key) => breakdownSource({ schedule, asset: assets.native, readView, lastGood, key }),
  });
}

function cachedRates(ports: FigurePorts): SwrValue<readonly Product[]> {
  const { environment, ratesUrl, ratesChain, ratesProjects } = ports.config;
  const from: ListingSource =
    ratesUrl === null ? { kind: "embedded", path: EMBEDDED_LISTING } : { kind: "url", url: ratesUrl };
  const load = listingSource({
    fetchListing: (limits, take) => ports.fetchListing(from, limits, take),
    filter: poolFilter(ratesChain, ratesProjects),
    samplesAllowed: environment !== "production",
    log: ports.log,
  });
  return cachedFigure(ports, {
    name: "rates",
    source: [environment, ratesUrl, ratesChain, ratesProjects],
    policy: RATES_FRESHNESS,
    load: () => load,
    // A listing may be 15 MB: concurrent cold reads of one isolate wait for the first one.
    pause: ports.pause,
  });
}
