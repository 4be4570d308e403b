import type { Config } from "../config.ts";
import type { EdgeGateway } from "../gateway/edge-gateway.ts";
import type { PostNotice } from "../health/watch.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { Log } from "../log.ts";
import type { Assets } from "../supply/asset.ts";
import type { Schedule } from "../supply/schedule.ts";

type FromGateway = Pick<EdgeGateway, "readView" | "fetchListing" | "lastGood" | "upstreamHealth" | "readTip">;

/** What the figures read from upstreams need of the rest of the Worker. */
export interface FigurePorts extends FromGateway {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly assets: Assets;
  readonly limiterAnswers: () => Promise<boolean>;
  /** null: no alert webhook is configured. */
  readonly postNotice: PostNotice | null;
  readonly log: Log;
  readonly historyStore: HistoryStore;
  /** A file of the build; undefined when it does not exist. */
  readonly readAsset: (path: string) => Promise<string | undefined>;
  readonly pause: (milliseconds: number) => Promise<void>;
}
