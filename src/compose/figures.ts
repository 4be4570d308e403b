import { absentPaths, type ChainFigureRow, FIGURES, type Offer, whyAbsent } from "../figures.ts";
import { type Part, scheduledCheck } from "../health/check.ts";
import type { Health } from "../health/report.ts";
import { healthReply } from "../health/report.ts";
import { watch } from "../health/watch.ts";
import { breakdownHandler } from "../holdings/breakdown-handlers.ts";
import { chainFigureHandler, ledgerVersionHeader } from "../holdings/figures.ts";
import { chainFigures, readingWith, served } from "../holdings/reading.ts";
import { absentRoute, type GetRoute } from "../http/handler.ts";
import { ratesRoutes } from "../rates/handlers.ts";
import type { ReadOnChain } from "../supply/document-handlers.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { cachedRates, cachedReadings, type FigurePorts, type Sources } from "./cached-figures.ts";
import { healthOf } from "./health.ts";
import { history } from "./history.ts";
import { offerOf, settingsOffer } from "./offer.ts";
import { products, stakingReader } from "./products.ts";

export interface Figures {
  readonly routes: readonly GetRoute[];
  /** The native token's figures on chain, for `/api/supply`. */
  readonly readOnChain: ReadOnChain;
  /** The scheduled check. */
  readonly check: (when: RequestTime) => Promise<void>;
}

/** `/api/supply` waits no longer than this for the chain: its other figures come from the schedule. */
const CHAIN_DEADLINE_MS = 2_000;

/** Wires the figures read from upstreams, and the health of everything that is served. */
export function figures(ports: FigurePorts): Figures {
  const { config, schedule } = ports;
  const { assets } = config;
  const offer = offerOf(settingsOffer(config), schedule);
  const sources: Sources = {
    native: offer.chain ? cachedReadings(ports, "native") : null,
    stable: offer.chain && assets.stable !== null ? cachedReadings(ports, "stable") : null,
    rates: config.listing === "none" ? null : cachedRates(ports),
  };
  const stakingIn = stakingReader(ports);
  const offered = products(ports, sources, stakingIn);
  const health = healthOf(ports, sources, stakingIn);
  const recorded = history(ports, sources, offer, offered, stakingIn);
  const { buildRevision, versionId, policies } = config;
  const deployment = { buildRevision, versionId, scheduleRevision: schedule.revision, policies };
  return {
    routes: [
      ...[...absentPaths(offer)].map(([path, why]) => absentRoute(path, why)),
      ...chainRoutes(ports, sources, offer),
      ...(sources.native === null
        ? []
        : [{ path: "/api/supply-breakdown", handler: breakdownHandler(schedule, assets.native, sources.native) }]),
      ...(offered === null ? [] : ratesRoutes(offered)),
      {
        path: "/api/health",
        period: "any",
        handler: async (context) => healthReply(await health(context, context.request.cf), deployment),
      },
      ...recorded.routes,
    ],
    readOnChain: onChainReader(ports, sources, offer),
    check: hourlyCheck(ports, sources, recorded.record, health),
  };
}

/** The bare numbers from the chain, as the table of figures has them. */
function chainRoutes({ schedule }: FigurePorts, sources: Sources, offer: Offer): GetRoute[] {
  return FIGURES.flatMap((row): GetRoute[] => {
    const { source, path } = row;
    if (source === "schedule" || path === null || whyAbsent(row, offer) !== null) return [];
    const readings = sources[source];
    return readings === null ? [] : [{ path, handler: chainFigureHandler(schedule, row, readings) }];
  });
}

/** All chain figures of `/api/supply`, of one reading. */
function onChainReader({ schedule }: FigurePorts, { native }: Sources, offer: Offer): ReadOnChain {
  const reasons = new Map(FIGURES.map((row) => [row.name, whyAbsent(row, offer)]));
  const offered = (["total_supply", "circulating_supply_on_chain", "burned_supply"] as const).filter(
    (name) => reasons.get(name) === null,
  );
  return async (when) => {
    const newest = await native?.readWithin(when, CHAIN_DEADLINE_MS);
    const current =
      newest?.kind === "cached"
        ? readingWith(newest, (reading) => offered.map((name) => chainFigures(schedule)(reading)[name]))
        : newest;
    const figureOf = (name: ChainFigureRow<"native">["name"]): CachedValue<bigint> | Unavailable => {
      const reason = reasons.get(name) ?? null;
      if (reason !== null || current === undefined)
        return { kind: "unavailable", reason: reason ?? "no chain is read", retryAfterSeconds: 0 };
      return current.kind === "cached" ? served(current, chainFigures(schedule)(current.value)[name]) : current;
    };
    const figures = {
      total: figureOf("total_supply"),
      circulating_on_chain: figureOf("circulating_supply_on_chain"),
      burned: figureOf("burned_supply"),
    };
    if (current?.kind !== "cached") return { figures, headers: {} };
    return { figures, headers: { ...ageHeaders(current), ...ledgerVersionHeader(current.value) } };
  };
}

/** Renews every figure, then records the day and reports health. */
function hourlyCheck(
  ports: FigurePorts,
  sources: Sources,
  record: Part["run"],
  health: (when: RequestTime) => Promise<Health>,
): Figures["check"] {
  const report = watch({
    recordChange: ({ changed_at, status, reason }) =>
      ports.historyStore.recordHealth({ atMs: Date.parse(changed_at), status, reason }),
    health,
    lastGood: ports.lastGood,
    post: ports.postNotice,
    buildRevision: ports.config.buildRevision,
    log: ports.log,
  });
  const renewals = Object.values(sources).flatMap((source: SwrValue<unknown> | null): Part[] =>
    source === null ? [] : [{ name: source.name, run: ({ nowMs }) => source.renew(nowMs) }],
  );
  return scheduledCheck({
    stages: [
      renewals,
      [
        { name: "history", run: record },
        { name: "health", run: report },
      ],
    ],
    heartbeat: ports.postHeartbeat,
    pause: ports.pause,
    log: ports.log,
  });
}
