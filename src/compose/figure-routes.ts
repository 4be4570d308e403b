import type { FiguresAt } from "../addresses/address-routes.ts";
import {
  amountRow,
  type Capabilities,
  type ChainFigureRow,
  FIGURES,
  pathsNotOffered,
  whyNotOffered,
} from "../figures.ts";
import { type CheckPart, scheduledCheck } from "../health/check.ts";
import type { Health } from "../health/report.ts";
import { healthReply } from "../health/report.ts";
import { watch } from "../health/watch.ts";
import { versionsOf } from "../home/history/rows.ts";
import { stakingProductReader } from "../home/staking.ts";
import { type GetRoute, type Handler, routeNotOffered } from "../http/handler.ts";
import { breakdownHandler } from "../onchain/breakdown-handlers.ts";
import { figureIn, readingForFigures, servedFigure } from "../onchain/chain-figures.ts";
import { versionsText } from "../onchain/confirmation.ts";
import { chainFigure, ledgerVersionHeader } from "../onchain/figure-handlers.ts";
import { hasSeveralChains, type Reading } from "../onchain/reading.ts";
import { ratesRoutes } from "../rates/rate-handlers.ts";
import { capabilitiesOf, settingsCapabilities } from "../supply/capabilities.ts";
import { type ReadOnChain, supplyObject } from "../supply/document-handlers.ts";
import { bareFigureHandler } from "../supply/figure-format.ts";
import { hasUnlocks } from "../supply/schedule.ts";
import { entityTags } from "../supply/validity.ts";
import { ageHeaders, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { type Copies, copiesOf, type FigurePorts } from "./copies.ts";
import { healthOf } from "./health.ts";
import { historyAndFeed } from "./history.ts";
import { pageDataHandler, type ReadingSource } from "./page-document.ts";
import { products } from "./products.ts";
import { registeredFigures } from "./registered-figures.ts";

export interface ComposedFigures {
  readonly routes: readonly GetRoute[];
  /** Chain figures of the native token, for `/api/supply`. */
  readonly readOnChain: ReadOnChain;
  /** Answers figures for registered addresses. */
  readonly figuresAt: FiguresAt;
  /** Runs the scheduled check. */
  readonly check: (when: RequestTime) => Promise<void>;
}

/** Chain figures in `/api/supply`. */
const SUPPLY_FIGURES = [
  "total_supply",
  "circulating_supply_on_chain",
  "circulating_supply_above_plan",
  "burned_supply",
] as const;

/** How long `/api/supply` waits for the chain; its other figures come from the schedule. */
const CHAIN = { withinMs: 2_000 };

/** Wires the figures that change with time, and the health of everything that is served. */
export function figureRoutes(ports: FigurePorts): ComposedFigures {
  const { config, schedule, addressesSha256, ratesMappingSha256 } = ports;
  const capabilities = capabilitiesOf(settingsCapabilities(config), schedule);
  const copies = copiesOf(ports);
  const stakingProduct = stakingProductReader(schedule, config);
  const offered = products(ports, copies, stakingProduct);
  const rates = offered === null ? [] : ratesRoutes(offered);
  const health = healthOf(ports, copies, stakingProduct);
  const { buildRevision, versionId, policies } = config;
  const { revision: scheduleRevision, sha256: scheduleSha256 = null } = schedule;
  const build = { buildRevision, versionId, scheduleRevision, scheduleSha256, addressesSha256, ratesMappingSha256 };
  return {
    routes: [
      ...[...pathsNotOffered(capabilities)].map(([path, why]) => routeNotOffered(path, why)),
      ...chainRoutes(ports, copies, capabilities),
      ...(copies.native === null
        ? []
        : [{ path: "/api/supply-breakdown", handler: breakdownHandler(schedule, config, copies.native) }]),
      ...rates,
      { path: "/api/page", handler: pageRoute(ports, copies, capabilities, rates) },
      {
        path: "/api/health",
        period: "any",
        handler: async (context) => healthReply(await health(context, context.request.cf), { ...build, policies }),
      },
      ...historyAndFeed(ports, copies, offered),
    ],
    readOnChain: onChainReader(ports, copies.native, capabilities),
    figuresAt: registeredFigures(schedule, copies, capabilities),
    check: hourlyCheck(ports, copies, health),
  };
}

/** Makes the routes of the chain figures that are bare numbers. */
function chainRoutes({ schedule }: FigurePorts, copies: Copies, capabilities: Capabilities): GetRoute[] {
  return FIGURES.flatMap((figure): GetRoute[] => {
    const { path } = figure;
    const row = amountRow(figure, capabilities);
    if (row.source === "schedule" || path === null || whyNotOffered(row, capabilities) !== null) return [];
    const readings = copies[row.source];
    return readings === null ? [] : [{ path, handler: bareFigureHandler([], chainFigure(schedule, row, readings)) }];
  });
}

/** Makes the route of the page's document: the bodies of several paths, from one reading. */
function pageRoute(
  ports: FigurePorts,
  { native }: Copies,
  capabilities: Capabilities,
  rates: readonly GetRoute[],
): Handler {
  const { config, schedule } = ports;
  const listing = rates.find(({ path }) => path === "/api/rates")?.handler;
  return pageDataHandler({
    schedule,
    readings: native,
    membersOver: (readings) => ({
      ...(hasUnlocks(schedule) && {
        supply: supplyObject(schedule, entityTags(schedule), onChainReader(ports, readings, capabilities)),
      }),
      ...(readings && { supply_breakdown: breakdownHandler(schedule, config, readings) }),
      ...(listing && { rates: listing }),
    }),
  });
}

/**
 * Makes the reader of `/api/supply`'s chain figures. They come from one reading, compared with the schedule at the
 * instant of the request.
 */
function onChainReader(
  { schedule }: FigurePorts,
  native: ReadingSource | null,
  capabilities: Capabilities,
): ReadOnChain {
  const notOffered = new Map(FIGURES.map((row) => [row.name, whyNotOffered(row, capabilities)]));
  const offered = FIGURES.flatMap((row) =>
    row.source === "native" &&
    SUPPLY_FIGURES.some((name) => name === row.name) &&
    whyNotOffered(row, capabilities) === null
      ? [row]
      : [],
  );
  return async (when) => {
    const amountIn = (reading: Reading, row: ChainFigureRow) => figureIn(reading, row, schedule, when.nowMs);
    const newest = await native?.read(when, CHAIN);
    const current =
      newest?.kind === "cached"
        ? readingForFigures(newest, (reading) => offered.map((row) => amountIn(reading, row)))
        : newest;
    const figureOf = (name: (typeof SUPPLY_FIGURES)[number]): CachedValue<bigint> | Unavailable => {
      const row = offered.find((each) => each.name === name);
      if (row === undefined || current === undefined)
        return { kind: "unavailable", reason: notOffered.get(name) ?? "no chain is read", retryAfterSeconds: 0 };
      return current.kind === "cached" ? servedFigure(current, amountIn(current.value, row)) : current;
    };
    const figures = {
      total: figureOf("total_supply"),
      circulating_on_chain: figureOf("circulating_supply_on_chain"),
      circulating_above_plan: figureOf("circulating_supply_above_plan"),
      burned: figureOf("burned_supply"),
    };
    if (current?.kind !== "cached") return { figures, headers: {} };
    const headers = { ...ageHeaders(current), ...ledgerVersionHeader(current.value) };
    return {
      figures,
      headers,
      ...(hasSeveralChains(current.value) && {
        ledger_versions: versionsOf({ versions: versionsText(current.value) }),
      }),
    };
  };
}

/** Makes the hourly check: it renews every figure, then records the day and reports health. */
function hourlyCheck(
  ports: FigurePorts,
  { native, stable, listing }: Copies,
  health: (when: RequestTime) => Promise<Health>,
): ComposedFigures["check"] {
  const { history, lastGood, postNotice, config, log } = ports;
  const report = watch({
    recordChange: ({ changed_at, status, reason }) =>
      history.recordHealth({ atMs: Date.parse(changed_at), status, reason }),
    health,
    lastGood,
    post: postNotice,
    buildRevision: config.buildRevision,
    log,
  });
  const record = async (): Promise<void> => {
    if ((await history.recordToday()) !== true) throw new Error("the history has not taken the day");
  };
  // Each call is an invocation of its own, and the platform limits the requests of one invocation.
  const renew: CheckPart["run"] = (when) =>
    Promise.all([
      native?.read(when, { mode: "revalidate" }),
      stable?.read(when, { mode: "revalidate" }),
      listing?.read(when, { mode: "force" }),
    ]);
  return scheduledCheck({
    stages: [
      [{ name: "figures", run: renew }],
      [
        { name: "history", run: record },
        { name: "health", run: report },
      ],
    ],
    heartbeat: ports.postHeartbeat,
    pause: ports.pause,
    log,
  });
}
