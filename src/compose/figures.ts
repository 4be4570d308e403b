import type { ListingSource } from "../gateway/ports.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import { evaluateHealth, type FigureState, type Health, healthReply } from "../health/report.ts";
import { watch } from "../health/watch.ts";
import type { Handler } from "../http/handler.ts";
import { poolFilter } from "../rates/defillama.ts";
import { RATES_FRESHNESS, ratesHandler } from "../rates/handlers.ts";
import type { Product } from "../rates/product.ts";
import { listingSource } from "../rates/source.ts";
import { type Asset, assetText } from "../supply/asset.ts";
import type { Breakdown } from "../supply/breakdown.ts";
import { BREAKDOWN_FRESHNESS, breakdownHandler } from "../supply/breakdown-handlers.ts";
import { breakdownSource } from "../supply/breakdown-source.ts";
import { stepAt } from "../supply/circulating.ts";
import { scheduleEnded, totalContradictions, walletContradictions } from "../supply/cross-check.ts";
import type { OnChainFigure } from "../supply/document-handlers.ts";
import { type Supply, supplySource } from "../supply/onchain.ts";
import { onChainSupply, SUPPLY_FRESHNESS } from "../supply/onchain-handlers.ts";
import { withoutPeriod } from "../supply/period-query.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isOnChain, walletsOf } from "../supply/wallets.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import { type RequestTime, SwrValue } from "../swr/swr-value.ts";
import type { FigurePorts } from "./figure-ports.ts";
import { history } from "./history.ts";

/** Path of the embedded node's listing of yield products. */
const EMBEDDED_LISTING = "/rates";

export interface Figures {
  readonly routes: readonly { readonly path: string; readonly handler: Handler }[];
  /** The native token's total, for `/api/supply`. */
  readonly onChainTotal: (when: RequestTime) => Promise<OnChainFigure>;
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
  const total = cachedSupply(ports, { name: "total_supply", asset: assets.native, allowZero: false });
  const stable =
    assets.stable === null
      ? null
      : cachedSupply(ports, { name: "stable_supply", asset: assets.stable, allowZero: true });
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
    onChainTotal: async (when) =>
      totalFigure(schedule, await total.readWithin(when, () => ports.pause(TOTAL_DEADLINE_MS))),
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
    return evaluateHealth({
      nowMs,
      figures: [MAX_SUPPLY, circulatingState(schedule, nowMs), ...states],
      upstreams: nodes.upstreams,
      chainReplacedAtMs: nodes.chainReplacedAtMs,
      tipRead,
      limiter: limiterAnswers ? "exact" : "local",
      contradictions: [
        ...(supply.kind === "reading" ? totalContradictions(schedule, nowMs, supply.value) : []),
        ...(wallets?.kind === "reading" ? walletContradictions(schedule, nowMs, wallets.value) : []),
        ...scheduleEnded(schedule, nowMs),
      ],
    });
  };
}

const MAX_SUPPLY: FigureState = { name: "max_supply", ageSeconds: 0, boundSeconds: null, error: null };

function circulatingState(schedule: Schedule, nowMs: number): FigureState {
  const started = stepAt(schedule, nowMs) !== undefined;
  return {
    name: "circulating_supply",
    ageSeconds: started ? 0 : null,
    boundSeconds: null,
    error: null,
    pending: !started,
  };
}

function figureState({ name, policy }: CachedFigure, current: CachedValue<unknown> | Unavailable): FigureState {
  const state = { name, boundSeconds: policy.maxStaleSeconds };
  return current.kind === "missing"
    ? { ...state, ageSeconds: null, error: current.reason }
    : { ...state, ageSeconds: current.ageSeconds, error: current.error };
}

/** The total in the schedule's unit, like the other figures of `/api/supply`. */
function totalFigure({ token }: Schedule, current: CachedValue<Supply> | Unavailable): OnChainFigure {
  if (current.kind === "missing") return { kind: "missing", reason: current.reason };
  const { baseUnits, decimals } = current.value;
  if (decimals === token.decimals) return { kind: "figure", baseUnits, headers: ageHeaders(current) };
  return { kind: "missing", reason: `Decimals differ: chain ${decimals}, schedule ${token.decimals}.` };
}

/** Raised when the form of a stored value changes, so that a new build ignores the values of an old one. */
const FORM = 2;

interface SupplyFigure {
  readonly name: string;
  readonly asset: Asset;
  readonly allowZero: boolean;
}

/** The store's key contains the asset and its source, so that a changed setting never serves another asset's value. */
function cachedSupply(ports: FigurePorts, { name, asset, allowZero }: SupplyFigure): SwrValue<Supply> {
  const { config, readView, lastGood, log } = ports;
  const source = fnv1aHex(`${assetText(asset)} ${config.nodeUrls.join(" ")} ${config.chainId}`);
  return new SwrValue({
    name,
    key: `${name}-${FORM}-${source}`,
    policy: SUPPLY_FRESHNESS,
    load: supplySource(readView, asset, allowZero),
    lastGood,
    log,
    // No `pause`: the gateway already coalesces equal reads.
  });
}

function cachedBreakdown(ports: FigurePorts): SwrValue<Breakdown> {
  const { config, schedule, assets, readView, lastGood, log } = ports;
  // A new revision of the schedule accepts the wallets' current balances, so it has its own breakdown.
  const source = [assetText(assets.native), config.nodeUrls.join(" "), config.chainId, schedule.revision].join(" ");
  const key = `supply_breakdown-${FORM}-${fnv1aHex(source)}`;
  return new SwrValue({
    name: "supply_breakdown",
    key,
    policy: BREAKDOWN_FRESHNESS,
    load: breakdownSource({ schedule, asset: assets.native, readView, lastGood, key }),
    lastGood,
    log,
  });
}

function cachedRates(ports: FigurePorts): SwrValue<readonly Product[]> {
  const { config, fetchListing, lastGood, log, pause } = ports;
  const { environment, ratesUrl, ratesChain, ratesProjects } = config;
  const from: ListingSource =
    ratesUrl === null ? { kind: "embedded", path: EMBEDDED_LISTING } : { kind: "url", url: ratesUrl };
  const source = fnv1aHex(JSON.stringify([environment, ratesUrl, ratesChain, ratesProjects]));
  return new SwrValue({
    name: "rates",
    key: `rates-${FORM}-${source}`,
    policy: RATES_FRESHNESS,
    load: listingSource({
      fetchListing: (limits, take) => fetchListing(from, limits, take),
      filter: poolFilter(ratesChain, ratesProjects),
      samplesAllowed: environment !== "production",
      log,
    }),
    lastGood,
    log,
    // A listing may be 15 MB: concurrent cold reads of one isolate wait for the first one.
    pause,
  });
}
