import type { Policy } from "../config.ts";
import { BoundedMap } from "../memo.ts";
import type { Caller } from "./decision.ts";
import { SeenVersions } from "./seen-versions.ts";
import { shardOf } from "./shard.ts";
import { type LimiterPorts, ShardLink, shardName } from "./shard-link.ts";
import { SlidingWindowLog } from "./sliding-window-log.ts";

/** Per policy and isolate: logs, 2 MB of shard assignments and 1 MB of denials when full. */
const LOCAL_BYTES = 8 * 1_048_576;
const LOCAL_CALLERS = 20_000;
const DENIALS = 10_000;
const READ_AHEAD_BYTES = 4 * 1_048_576;

/** A caller's refusal by its object. */
interface Denial {
  readonly untilMs: number;
  /** When it was asked for, by the clock itself. Once that was set back the object is asked again, and learns it so. */
  readonly sentAtMs: number;
}

/** State of one policy in an isolate. Values only: no request may wait for another request's promise. */
export class PolicyState {
  readonly policy: Policy;
  /** Monotonic, milliseconds since the epoch. */
  readonly now: () => number;
  /** The clock itself, which the object compares with its own. */
  readonly clock: () => number;
  /** All admissions seen by this isolate; decides locally while an object does not respond. */
  readonly local: SlidingWindowLog;
  /** Reads sent upstream before the object had decided. */
  readonly readsAhead: SlidingWindowLog;
  /** What this isolate's callers have seen; provides their floors while an object does not respond. */
  readonly seen = new SeenVersions(null);
  /** Exact for a sliding log: no quota is free before the oldest admission expires. */
  readonly denials = new BoundedMap<string, Denial>(DENIALS);
  readonly #ports: LimiterPorts;
  readonly #shards = new Map<string, ShardLink>();
  /** Each recent caller's shard: reading the platform's geography takes a tenth of a request's CPU time. */
  readonly #shardByCaller = new BoundedMap<string, ShardLink>(LOCAL_CALLERS);

  constructor(ports: LimiterPorts, policy: Policy, clock: () => number) {
    const limits = { quota: policy.quota, windowMs: policy.windowSeconds * 1000 };
    this.policy = policy;
    this.now = ports.now;
    this.clock = clock;
    this.local = new SlidingWindowLog({ ...limits, maxBytes: LOCAL_BYTES });
    this.readsAhead = new SlidingWindowLog({ ...limits, maxBytes: READ_AHEAD_BYTES });
    this.#ports = ports;
  }

  shardFor(caller: Caller): ShardLink {
    const { key } = caller;
    const known = this.#shardByCaller.look(key);
    if (known !== undefined) return known;
    const region = caller.region();
    const { generation, shards, salt } = this.#ports;
    const name = shardName(generation, this.policy.name, region, shardOf(key, shards, salt));
    const shard = this.#shards.get(name) ?? new ShardLink(this.#ports, name, region);
    this.#shards.set(name, shard);
    this.#shardByCaller.set(key, shard);
    return shard;
  }
}
