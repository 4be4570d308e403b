import type { Log } from "../base/log.ts";
import type { Config } from "../config.ts";
import type { GatewayApi } from "../gateway/edge-gateway.ts";
import type { PostNotice } from "../health/watch.ts";
import type { HomeCalls } from "../home/calls.ts";
import type { HistoryPorts } from "../home/history/history-handlers.ts";
import type { SharedValues } from "../home/readings.ts";
import type { LimiterHealth } from "../limiter/shard-client.ts";
import { readingFreshness } from "../onchain/figure-handlers.ts";
import { FRESH_SECONDS, freshSecondsOf } from "../onchain/reader.ts";
import type { Schedule } from "../supply/schedule.ts";
import { sharePricesRead } from "../supply/share-prices.ts";
import { CachedCopy } from "../swr/cached-copy.ts";
import { type FreshnessPolicy, HOURLY } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";

/** Ports of the figures that change with time. */
export interface FigurePorts
  extends Pick<HomeCalls, "getShared" | "history" | "lastGood" | "upstreamHealth">,
    Pick<HistoryPorts, "backfill" | "corrections"> {
  readonly config: Config;
  readonly schedule: Schedule;
  /** SHA-256 of the file of registered addresses; null: there is no file. */
  readonly addressesSha256: string | null;
  /** SHA-256 of the file that maps the operator's listing; null: there is no file. */
  readonly ratesMappingSha256: string | null;
  readonly readTip: GatewayApi["readTip"];
  readonly limiterState: () => Promise<LimiterHealth>;
  /** null: no alert webhook is configured. */
  readonly postNotice: PostNotice | null;
  /** Reports to a monitor that the hourly check has succeeded; null: no monitor is configured. */
  readonly postHeartbeat: (() => Promise<boolean>) | null;
  readonly log: Log;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

/** Copies of the shared values in one isolate; null: this deployment does not read the value. */
export type Copies = { readonly [Name in keyof SharedValues]: CachedCopy<SharedValues[Name]> | null };

type CopiesPorts = Pick<FigurePorts, "config" | "schedule" | "getShared" | "now" | "pause">;

export function copiesOf({ config, schedule, getShared, now, pause }: CopiesPorts): Copies {
  const copyOf = <Name extends keyof SharedValues>(name: Name, isRead: boolean, policy: FreshnessPolicy) =>
    isRead
      ? new CachedCopy<SharedValues[Name]>({
          policy,
          ask: (ifNewerThan, mode) => getShared(name, ifNewerThan, mode),
          now,
          pause,
        })
      : null;
  const hasChain = config.chainSource !== "none";
  const hasListing = config.listingSource !== "none";
  const hasSharePrices = sharePricesRead(schedule, { chain: hasChain }).length > 0;
  return {
    native: copyOf("native", hasChain, readingFreshness(freshSecondsOf(schedule, config))),
    stable: copyOf("stable", hasChain && config.assets.stable !== null, readingFreshness(FRESH_SECONDS)),
    listing: copyOf("listing", hasListing, HOURLY),
    sharePrices: copyOf("sharePrices", hasSharePrices, HOURLY),
    means: copyOf("means", hasListing || config.staking || hasSharePrices, HOURLY),
  };
}

/** Reads of health and history wait for at most this long, so that one source that hangs leaves time for the others. */
const PATIENCE = { mode: "revalidate", withinMs: 7_000 } as const;

/** Reads every value, after renewing those that are not fresh, so that health and history see each failure. */
export function readCurrent({ native, stable, listing }: Copies, when: RequestTime) {
  return Promise.all([native?.read(when, PATIENCE), stable?.read(when, PATIENCE), listing?.read(when, PATIENCE)]);
}
