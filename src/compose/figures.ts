import { type Part, scheduledCheck } from "../health/check.ts";
import { evaluateHealth, type FigureState, type Health, healthReply } from "../health/report.ts";
import { watch } from "../health/watch.ts";
import type { Failure } from "../http/failure.ts";
import type { GetRoute } from "../http/handler.ts";
import { ratesHandler } from "../rates/handlers.ts";
import type { Breakdown } from "../supply/breakdown.ts";
import { breakdownHandler } from "../supply/breakdown-handlers.ts";
import { walletFigures } from "../supply/chain-figures.ts";
import { scheduleEnded, totalContradictions, walletContradictions } from "../supply/cross-check.ts";
import type { OnChainFigures } from "../supply/document-handlers.ts";
import { netTotal } from "../supply/net-total.ts";
import { type ChainFigure, onChainSupply } from "../supply/onchain-handlers.ts";
import { isOnChain, walletsOf } from "../supply/wallets.ts";
import type { CachedValue, Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import {
  cachedBreakdown,
  cachedMinted,
  cachedRates,
  cachedStable,
  type FigurePorts,
  PATIENCE_MS,
} from "./cached-figures.ts";
import { history } from "./history.ts";

export interface Figures {
  readonly routes: readonly GetRoute[];
  /** The native token's figures on chain, for `/api/supply`. */
  readonly onChain: OnChainFigures;
  /** The scheduled check. */
  readonly check: (when: RequestTime) => Promise<void>;
}

/** `/api/supply` waits no longer than this for the chain: its other figures come from the schedule. */
const CHAIN_DEADLINE_MS = 2_000;

const NO_WALLETS = "The schedule lists no wallet of the project, so it is not known what circulates on chain.";
const NO_BURN_WALLETS = "The schedule lists no wallet of category burn.";

/** The path of a figure, and what it answers where there is none. */
function chainRoute(path: string, title: string, figure: ChainFigure | null, absent: Failure): GetRoute {
  return { path, handler: figure === null ? () => absent : onChainSupply(figure, title) };
}

type CachedFigure = Pick<SwrValue<unknown>, "name" | "policy" | "readWithin" | "renew">;

/** Wires the figures read from upstreams, and the health of everything that is served. */
export function figures(ports: FigurePorts): Figures {
  const { config, schedule, assets } = ports;
  const total = netTotal(cachedMinted(ports));
  const stable = assets.stable === null ? null : cachedStable(ports, assets.stable);
  const rates = cachedRates(ports);
  const breakdown = cachedBreakdown(ports);
  // Without wallets on this chain the breakdown would repeat the total.
  const checked = walletsOf(schedule).some(isOnChain) ? [breakdown] : [];
  const { circulating, burned } = walletFigures(schedule, breakdown);
  const cached: readonly CachedFigure[] = [total, ...(stable === null ? [] : [stable]), rates, ...checked];
  const health = healthOf(ports, cached, total, checked[0]);
  const recorded = history(ports, { total, stable, breakdown: checked[0] ?? null, circulating, burned, rates });
  const deployment = { ...config, scheduleRevision: schedule.revision };
  return {
    routes: [
      { path: "/api/total-supply", handler: onChainSupply(total, "The total supply") },
      chainRoute("/api/stable-supply", "The stable supply", stable, { kind: "unknown_path" }),
      chainRoute("/api/circulating-supply-on-chain", "The circulating supply on chain", circulating, {
        kind: "not_found",
        message: NO_WALLETS,
      }),
      chainRoute("/api/burned-supply", "The burned supply", burned, { kind: "not_found", message: NO_BURN_WALLETS }),
      { path: "/api/supply-breakdown", handler: breakdownHandler(schedule, breakdown) },
      { path: "/api/rates", handler: ratesHandler(rates) },
      {
        path: "/api/health",
        period: "any",
        handler: async (context) => healthReply(await health(context, context.request.cf), deployment),
      },
      ...recorded.routes,
    ],
    onChain: async (when) => {
      const within = (figure: ChainFigure | null, reason: string) =>
        figure?.readWithin(when, () => ports.pause(CHAIN_DEADLINE_MS)) ?? {
          kind: "unavailable" as const,
          reason,
          retryAfterSeconds: 0,
        };
      const read = [within(total, ""), within(circulating, NO_WALLETS), within(burned, NO_BURN_WALLETS)] as const;
      const [existing, float, gone] = await Promise.all(read);
      return { total: existing, circulating: float, burned: gone };
    },
    check: hourlyCheck(ports, cached, recorded.record, health),
  };
}

/** Renews every figure, then records the day and reports health. */
function hourlyCheck(
  ports: FigurePorts,
  cached: readonly CachedFigure[],
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
  const renewals = cached.map((figure): Part => ({ name: figure.name, run: ({ nowMs }) => figure.renew(nowMs) }));
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

/** Reads everything that health depends on, in parallel. */
function healthOf(
  ports: FigurePorts,
  cached: readonly CachedFigure[],
  total: ChainFigure,
  breakdown: SwrValue<Breakdown> | undefined,
) {
  const { schedule, pause } = ports;
  const patience = () => pause(PATIENCE_MS);
  return async (when: RequestTime, cf?: object): Promise<Health> => {
    const [states, nodes, tipRead, limiter] = await Promise.all([
      Promise.all(cached.map(async (figure) => figureState(figure, await figure.readWithin(when, patience)))),
      ports.upstreamHealth(),
      ports.readTip(cf),
      ports.limiterState(),
    ]);
    const { nowMs } = when;
    const [supply, wallets] = await Promise.all([
      total.readWithin(when, patience),
      breakdown?.readWithin(when, patience),
    ]);
    const pending = nowMs < schedule.calendar.startMs;
    const circulating = { ...MAX_SUPPLY, name: "circulating_supply", ageSeconds: pending ? null : 0, pending };
    return evaluateHealth({
      nowMs,
      figures: [MAX_SUPPLY, circulating, ...states],
      // After a deployment the object may be one of the version before, with a report of another form.
      upstreams: nodes.upstreams ?? [],
      chainReplaced: nodes.chainReplaced ?? null,
      tipRead,
      ...limiter,
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
  const boundSeconds = policy.maxStaleSeconds;
  if (current.kind === "unavailable") return { name, boundSeconds, ageSeconds: null, error: current.reason };
  const { ageSeconds, error, doubts } = current;
  return { name, boundSeconds, ageSeconds, error, doubts };
}
