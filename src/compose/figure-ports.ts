import type { ReadView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import type { FetchListing, ReadTip, UpstreamHealth } from "../gateway/ports.ts";
import type { PostNotice } from "../health/watch.ts";
import type { HistoryStore } from "../history/stored-history.ts";
import type { Log } from "../log.ts";
import type { Assets } from "../supply/asset.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { FigureStore } from "../swr/loader.ts";

/** What the figures read from upstreams need of the rest of the Worker. */
export interface FigurePorts {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly assets: Assets;
  readonly readView: ReadView;
  readonly fetchListing: FetchListing;
  readonly lastGood: FigureStore;
  readonly upstreamHealth: UpstreamHealth;
  readonly readTip: ReadTip;
  readonly limiterAnswers: () => Promise<boolean>;
  /** null: no alert webhook is configured. */
  readonly postNotice: PostNotice | null;
  readonly log: Log;
  readonly historyStore: HistoryStore;
  /** A file of the build; undefined when it does not exist. */
  readonly readAsset: (path: string) => Promise<string | undefined>;
  readonly pause: (milliseconds: number) => Promise<void>;
}
