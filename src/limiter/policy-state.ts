import type { Policy } from "../config.ts";
import { BoundedMap } from "../memo.ts";
import type { Region } from "../placement/location-hint.ts";
import { DenialCache } from "./denial-cache.ts";
import { SeenVersions } from "./seen-versions.ts";
import type { ShardLink } from "./shard-link.ts";
import { SlidingWindowLog } from "./sliding-window-log.ts";

/** Per policy and isolate: about 8 MB of logs, 2 MB of shard assignments and 1 MB of denials when full. */
const LOCAL_CALLERS = 20_000;
const DENIALS = 10_000;
/** Callers whose reads ahead of a decision are counted individually: at most 7 MB. Later callers share a count. */
const READ_AHEAD_CALLERS = 5_000;
const SEEN = { keepMs: 60_000, maxCallers: LOCAL_CALLERS / 2 } as const;

/** State of one policy in an isolate. Values only: no request may wait for another request's promise. */
export interface PolicyState {
  readonly policy: Policy;
  /** All admissions seen by this isolate; decides locally while an object does not respond. */
  readonly local: SlidingWindowLog;
  /** What this isolate's callers have seen; provides their floors while an object does not respond. */
  readonly seen: SeenVersions;
  readonly denials: DenialCache;
  /** Reads sent upstream before the object had decided. */
  readonly readsAhead: SlidingWindowLog;
  readonly shards: Map<Region, ShardLink[]>;
  /** Each recent caller's shard: reading the platform's geography takes a tenth of a request's CPU time. */
  readonly homes: BoundedMap<string, ShardLink>;
}

/** What an isolate begins with. */
export function policyStateOf(policy: Policy): PolicyState {
  const limits = { quota: policy.quota, windowMs: policy.windowSeconds * 1000 };
  return {
    policy,
    local: new SlidingWindowLog({ ...limits, maxCallers: LOCAL_CALLERS }),
    seen: new SeenVersions(SEEN, null),
    denials: new DenialCache(DENIALS),
    readsAhead: new SlidingWindowLog({ ...limits, maxCallers: READ_AHEAD_CALLERS }),
    shards: new Map(),
    homes: new BoundedMap<string, ShardLink>(LOCAL_CALLERS),
  };
}
