import { createHash } from "node:crypto";
import { LOCATION_HINTS } from "../../../src/config.ts";
import type { NodeRequest } from "../../../src/gateway/node-types.ts";
import { HOME_NAME } from "../../../src/gateway/shield/routing.ts";
import type { Region } from "../../../src/placement/location-hint.ts";
import { TickingClock } from "./clock.ts";
import { DataCentre } from "./data-centre.ts";
import { type Demand, demandOf, randomFrom } from "./demand.ts";
import { type Isolate, increment, LoadWorld } from "./world.ts";

export interface LoadPlan {
  readonly isolates: number;
  readonly dataCentres: number;
  readonly demand: Demand;
  /** Simulated; counting begins after the warm-up. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface LoadReport {
  /** Of the requests to the chain's paths, those that were answered without waiting for a shield. */
  readonly hitShare: number;
  /** Calls a second, of the shield object with the most. */
  readonly busiestShield: number;
  readonly home: number;
  readonly allShields: number;
  /** Upstream calls a second, of the object and key with the most. */
  readonly busiestKey: number;
}

/** The load for which the number of shield objects was chosen. About 95 % of its requests hit. */
export const FULL_LOAD: LoadPlan = {
  isolates: 10_000,
  dataCentres: 100,
  demand: {
    requestsPerSecond: 100_000,
    tipShare: 0.1,
    tipKeys: 100,
    figureShare: 0.05,
    newShare: 0.01,
    committedKeys: 2_000,
  },
  warmUpSeconds: 2,
  seconds: 2,
  seed: 1,
};

/** Shares of the world's callers by region, the largest first. */
const REGION_SHARES = [0.45, 0.25, 0.1, 0.06, 0.05, 0.04, 0.03, 0.02];
const QUIET_SECONDS = 60;
const QUIET_REQUESTS = 4;
const CALLERS_PER_DATA_CENTRE = 1_000;

/** Runs the real gateways, shields and figures of many isolates in simulated time, and counts the calls of objects. */
export async function simulateLoad(plan: LoadPlan): Promise<LoadReport> {
  const restoreDigest = digestAtOnce();
  try {
    return await run(plan);
  } finally {
    restoreDigest();
  }
}

async function run(plan: LoadPlan): Promise<LoadReport> {
  const { demand, warmUpSeconds, seconds } = plan;
  const random = randomFrom(plan.seed);
  const requests = demand.requestsPerSecond * (warmUpSeconds + seconds);
  const { committed, draw } = await demandOf(demand, Math.ceil(1.1 * demand.newShare * requests), random);
  const clock = new TickingClock();
  const world = new LoadWorld(clock);
  const cached = await world.node.cachedEverywhere(committed);
  const centres = Array.from({ length: plan.dataCentres }, (_none, index) => {
    return new DataCentre(clock, regionOf(index / plan.dataCentres), cached);
  });
  const isolates = Array.from({ length: plan.isolates }, (_none, index) => {
    return world.isolate(itemAt(centres, index % plan.dataCentres));
  });
  const sources = new Map<string, number>();
  const one = async (number: number): Promise<void> => {
    const isolate = itemAt(isolates, number);
    const request = draw();
    const caller = `${number % plan.dataCentres} ${Math.floor(random() * CALLERS_PER_DATA_CENTRE)}`;
    if (request === "figure") await isolate.total.read({ nowMs: clock.now(), waitUntil: ignore });
    else increment(sources, await sourceOf(world, isolate, request, caller));
  };
  await startIsolates(clock, plan.isolates, one);
  const sendAny = () => void one(Math.floor(random() * plan.isolates));
  await send(clock, warmUpSeconds, demand.requestsPerSecond, sendAny);
  for (const counts of [world.calls, world.upstreamCalls, sources]) counts.clear();
  await send(clock, seconds, demand.requestsPerSecond, sendAny);
  return reportOf(world, sources, seconds);
}

/** Isolates start at different times: what each does once in a while is spread over the time. */
async function startIsolates(clock: TickingClock, isolates: number, one: (number: number) => Promise<void>) {
  const endMs = QUIET_SECONDS * 1_000;
  for (let tick = 0, sent = 0; tick < endMs; tick += 1) {
    for (; sent < (isolates * QUIET_REQUESTS * tick) / endMs; sent += 1) void one(sent % isolates);
    await clock.tick();
  }
}

async function send(clock: TickingClock, seconds: number, perSecond: number, one: () => void) {
  for (let tick = 0, sent = 0; tick < seconds * 1_000; tick += 1) {
    for (; sent < ((tick + 1) * perSecond) / 1_000; sent += 1) one();
    await clock.tick();
  }
}

async function sourceOf(world: LoadWorld, { gateway, dataCentre }: Isolate, request: NodeRequest, caller: string) {
  const admission = world.callers.admission(caller);
  const { region } = dataCentre;
  const served = await gateway.answer(request, {
    region,
    admission,
    minVersion: null,
    requestId: "",
    waitUntil: ignore,
  });
  return served.kind === "served" ? served.source : served.kind;
}

function reportOf(
  { calls, upstreamCalls }: LoadWorld,
  sources: ReadonlyMap<string, number>,
  seconds: number,
): LoadReport {
  const all = [...sources.values()].reduce((sum, count) => sum + count, 0);
  const shields = [...calls].filter(([name]) => name !== HOME_NAME).map(([, count]) => count);
  return {
    hitShare: ((sources.get("memory") ?? 0) + (sources.get("cache") ?? 0)) / all,
    busiestShield: Math.max(0, ...shields) / seconds,
    home: (calls.get(HOME_NAME) ?? 0) / seconds,
    allShields: shields.reduce((sum, count) => sum + count, 0) / seconds,
    busiestKey: Math.max(0, ...upstreamCalls.values()) / seconds,
  };
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  return item;
}

function regionOf(place: number): Region {
  let [index, sum] = [0, REGION_SHARES[0] ?? 1];
  while (place >= sum && index < REGION_SHARES.length - 1) sum += REGION_SHARES[++index] ?? 1;
  return LOCATION_HINTS[index] ?? "world";
}

/** The platform's digest settles at an instant of real time: here it is computed at once, so that runs are equal. */
function digestAtOnce(): () => void {
  const { subtle } = crypto;
  const digest = async (_algorithm: unknown, data: Uint8Array) =>
    new Uint8Array(createHash("sha256").update(data).digest()).buffer;
  Object.defineProperty(subtle, "digest", { value: digest, configurable: true });
  return () => Reflect.deleteProperty(subtle, "digest");
}

function ignore(): void {}
