import type { Config } from "../config.ts";
import type { EdgeGateway } from "../gateway/edge-gateway.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { PostNotice } from "../health/watch.ts";
import type { HistoryPorts } from "../history/handlers.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import { readingFreshness, waitingFor } from "../holdings/figures.ts";
import type { ReadToken } from "../holdings/reader.ts";
import type { Reading } from "../holdings/reading.ts";
import type { HomeCalls } from "../home/calls.ts";
import { storedText } from "../json.ts";
import type { LimiterState } from "../limiter/objects.ts";
import type { Log } from "../log.ts";
import { poolFilter } from "../rates/defillama.ts";
import type { FetchListing } from "../rates/fetch-listing.ts";
import { NATIVE_STAKING } from "../rates/native-staking.ts";
import type { Product } from "../rates/product.ts";
import { listingSource } from "../rates/source.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isOnChain, walletsOf } from "../supply/wallets.ts";
import { HOURLY } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { SwrValue } from "../swr/swr-value.ts";

/** What the figures read from upstreams need of the rest of the Worker. */
export interface FigurePorts
  extends Pick<HomeCalls, "lastGood" | "readings" | "upstreamHealth">,
    Pick<HistoryPorts, "backfill" | "corrections"> {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly readTip: EdgeGateway["readTip"];
  readonly limiterState: () => Promise<LimiterState>;
  /** null: no alert webhook is configured. */
  readonly postNotice: PostNotice | null;
  /** Tells a monitor that the hourly check has succeeded; null: no monitor is configured. */
  readonly postHeartbeat: (() => Promise<boolean>) | null;
  readonly fetchListing: FetchListing;
  readonly log: Log;
  readonly historyStore: HistoryStore;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

/** What this deployment reads from upstreams; null: not this. */
export interface Sources {
  readonly native: SwrValue<Reading> | null;
  readonly stable: SwrValue<Reading> | null;
  readonly rates: SwrValue<readonly Product[]> | null;
}

/** Health and history wait no longer than this for a figure, so that one that hangs leaves time for the others. */
const PATIENCE_MS = 7_000;

/** Raised when the form of a stored value changes, so that a new build ignores the values of an old one. */
const FORM = 4;

/** One token's readings; every figure of it is taken from one of them. */
export function cachedReadings(ports: FigurePorts, token: ReadToken): SwrValue<Reading> {
  const { readings, schedule, now, log, pause } = ports;
  const holdings = token === "native" ? walletsOf(schedule).filter(isOnChain).length : 0;
  return new SwrValue({
    name: `${token}_reading`,
    key: token,
    policy: readingFreshness(holdings),
    load: () => readings.read(token),
    lastGood: {
      get: async () => {
        const last = await readings.last(token);
        return last && { value: storedText({ value: last.value, doubts: [] }), storedAtMs: last.observedAtMs };
      },
      // The object that reads keeps what it reads.
      put: async () => undefined,
    },
    storeDecides: true,
    now,
    log,
    pause,
  });
}

export function cachedRates(ports: FigurePorts): SwrValue<readonly Product[]> {
  const { environment, ratesUrl, ratesChain, ratesProjects, staking, stepFactor, confirmSeconds } = ports.config;
  const { fetchListing, lastGood, now, log, pause } = ports;
  const source = [environment, ratesUrl, ratesChain, ratesProjects, staking];
  return new SwrValue({
    name: "rates",
    // Of another source none is served.
    key: `rates-${FORM}-${fnv1aHex(JSON.stringify(source))}`,
    policy: HOURLY,
    load: listingSource({
      fetchListing,
      filter: poolFilter(ratesChain, ratesProjects, ratesUrl),
      samplesAllowed: environment !== "production",
      ownId: staking ? NATIVE_STAKING : null,
      stepFactor,
      confirmSeconds,
      log,
    }),
    lastGood,
    now,
    log,
    pause,
  });
}

/** What health and history judge: everything that is read, renewed where it is not fresh. */
export async function currentOf({ native, stable, rates }: Sources, when: RequestTime) {
  const [nativeReading, stableReading, listing] = await Promise.all([
    native?.readWithin(when, PATIENCE_MS, waitingFor(native.policy)),
    stable?.readWithin(when, PATIENCE_MS, waitingFor(stable.policy)),
    rates?.readWithin(when, PATIENCE_MS),
  ]);
  return { native: nativeReading, stable: stableReading, rates: listing };
}
