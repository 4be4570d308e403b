import { type Asset, assetText } from "../chain/asset.ts";
import type { ConfirmView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import type { EdgeGateway } from "../gateway/edge-gateway.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { PostNotice } from "../health/watch.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { LimiterState } from "../limiter/health-probe.ts";
import type { Log } from "../log.ts";
import { poolFilter } from "../rates/defillama.ts";
import type { FetchListing, ListingSource } from "../rates/fetch-listing.ts";
import type { Product } from "../rates/product.ts";
import { listingSource } from "../rates/source.ts";
import type { Assets } from "../supply/asset.ts";
import type { Breakdown } from "../supply/breakdown.ts";
import { breakdownSource } from "../supply/breakdown-source.ts";
import { type Minted, withBurned } from "../supply/net-total.ts";
import type { Supply } from "../supply/onchain.ts";
import { SUPPLY_FRESHNESS } from "../supply/onchain-handlers.ts";
import { type SupplyQuestion, type Thresholds, totalQuestion, unscheduledQuestion } from "../supply/plausibility.ts";
import type { Schedule } from "../supply/schedule.ts";
import { supplySource } from "../supply/supply-source.ts";
import { holdingKey, isBurned, walletsOf } from "../supply/wallets.ts";
import { HOURLY } from "../swr/cached-value.ts";
import { type SwrSettings, SwrValue } from "../swr/swr-value.ts";

type FromGateway = Pick<EdgeGateway, "readView" | "lastGood" | "upstreamHealth" | "readTip">;

/** What the figures read from upstreams need of the rest of the Worker. */
export interface FigurePorts extends FromGateway {
  readonly confirmView: ConfirmView;
  readonly config: Config;
  readonly schedule: Schedule;
  readonly assets: Assets;
  readonly limiterState: () => Promise<LimiterState>;
  /** null: no alert webhook is configured. */
  readonly postNotice: PostNotice | null;
  /** Tells a monitor that the hourly check has succeeded; null: no monitor is configured. */
  readonly postHeartbeat: (() => Promise<boolean>) | null;
  readonly fetchListing: (source: ListingSource) => FetchListing;
  readonly log: Log;
  readonly historyStore: HistoryStore;
  /** A file of the build; undefined when it does not exist. */
  readonly readAsset: (path: string) => Promise<string | undefined>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Health and history wait no longer than this for a figure, so that one that hangs leaves time for the others. */
export const PATIENCE_MS = 7_000;

/** Path of the embedded node's listing of yield products. */
const EMBEDDED_LISTING = "/rates";

/** Raised when the form of a stored value changes, so that a new build ignores the values of an old one. */
const FORM = 3;

type Cached<T> = Pick<SwrSettings<T>, "name" | "policy" | "pause"> & {
  /** What identifies the value: with another setting none of another source or asset is served. */
  readonly source: readonly unknown[];
  readonly load: SwrSettings<T>["load"];
};

/** The embedded node is the chain itself: what it says needs no second word. */
function thresholdsOf(config: Config): Thresholds {
  const { supplyStepPercent, stepFactor, aboveMaxPercent } = config;
  const confirmSeconds = config.nodeUrls.length === 0 ? 0 : config.confirmSeconds;
  return { supplyStepPercent, stepFactor, aboveMaxPercent, confirmSeconds };
}

/** Values belong to a chain, whichever nodes serve it: adding, removing or rotating one keeps them. */
function chainOf({ chainId, nodeUrls }: Config): number | "embedded" | "learned" {
  return chainId ?? (nodeUrls.length === 0 ? "embedded" : "learned");
}

function cachedFigure<T>({ lastGood, log }: FigurePorts, { source, load, ...settings }: Cached<T>): SwrValue<T> {
  const key = `${settings.name}-${FORM}-${fnv1aHex(JSON.stringify(source))}`;
  return new SwrValue({ ...settings, key, load, lastGood, log });
}

/** The native token's total before burned tokens are subtracted, and these. */
export function cachedMinted(ports: FigurePorts): SwrValue<Minted> {
  const { schedule, config, assets } = ports;
  const supply = supplyPorts(ports, assets.native, totalQuestion(schedule, config));
  const burning = walletsOf(schedule).filter(isBurned).map(holdingKey);
  return cachedFigure(ports, {
    name: "total_supply",
    source: [assetText(assets.native), chainOf(config), ...burning],
    policy: SUPPLY_FRESHNESS,
    load: withBurned(schedule, supply, thresholdsOf(config), supplySource(supply)),
    // No `pause`: the gateway already coalesces equal reads.
  });
}

export function cachedStable(ports: FigurePorts, asset: Asset): SwrValue<Supply> {
  const { config } = ports;
  return cachedFigure(ports, {
    name: "stable_supply",
    source: [assetText(asset), chainOf(config)],
    policy: SUPPLY_FRESHNESS,
    load: supplySource(supplyPorts(ports, asset, unscheduledQuestion(config))),
  });
}

function supplyPorts({ readView, confirmView, config }: FigurePorts, asset: Asset, questionOf: SupplyQuestion) {
  return { readView, confirmView, asset, questionOf, confirmSeconds: thresholdsOf(config).confirmSeconds };
}

export function cachedBreakdown(ports: FigurePorts): SwrValue<Breakdown> {
  const { config, schedule, assets, readView, confirmView } = ports;
  return cachedFigure(ports, {
    name: "supply_breakdown",
    // A new revision of the schedule accepts the wallets' current balances, so it has its own breakdown.
    source: [assetText(assets.native), chainOf(config), schedule.revision],
    policy: HOURLY,
    load: breakdownSource({ schedule, asset: assets.native, readView, confirmView, thresholds: thresholdsOf(config) }),
  });
}

export function cachedRates(ports: FigurePorts): SwrValue<readonly Product[]> {
  const { environment, ratesUrl, ratesChain, ratesProjects } = ports.config;
  const from: ListingSource =
    ratesUrl === null ? { kind: "embedded", path: EMBEDDED_LISTING } : { kind: "url", url: ratesUrl };
  const load = listingSource({
    fetchListing: ports.fetchListing(from),
    filter: poolFilter(ratesChain, ratesProjects, ratesUrl),
    samplesAllowed: environment !== "production",
    stepFactor: ports.config.stepFactor,
    confirmSeconds: ports.config.confirmSeconds,
    log: ports.log,
  });
  return cachedFigure(ports, {
    name: "rates",
    source: [environment, ratesUrl, ratesChain, ratesProjects],
    policy: HOURLY,
    load,
    // A listing may be 15 MB: concurrent cold reads of one isolate wait for the first one.
    pause: ports.pause,
  });
}
