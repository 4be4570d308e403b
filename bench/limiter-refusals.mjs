import { EdgeLimiter } from "../src/limiter/edge-limiter.ts";
import { SlidingWindowLog } from "../src/limiter/sliding-window-log.ts";

const QUOTA = 60;
const REFUSED = 1_000;
const POLICY = { name: "default", quota: QUOTA, windowSeconds: 60 };

/** Counts calls to the object by a caller that continues after its quota; the object answers like the real one. */
export async function callsPerThousandRefused() {
  const log = new SlidingWindowLog({ quota: QUOTA, windowMs: 60_000, maxBytes: 1_048_576 });
  let nowMs = 1_700_000_000_000;
  let calls = 0;
  const shard = {
    take: async (key) => {
      calls += 1;
      return log.take(key, nowMs);
    },
  };
  const limiter = new EdgeLimiter({
    shardStub: () => () => shard,
    shards: 8,
    salt: "",
    generation: 1,
    now: () => nowMs,
    later: () => undefined,
    log: () => undefined,
  });
  const caller = { key: "203.0.113.7", noAddress: null, region: () => "world" };
  const take = () => limiter.open(POLICY, caller).decision();
  for (let call = 0; call < QUOTA; call += 1) await take();
  const before = calls;
  for (let call = 0; call < REFUSED; call += 1) {
    nowMs += 1;
    const { admitted } = await take();
    if (admitted) throw new Error(`admitted after ${QUOTA} requests in ${nowMs} ms`);
  }
  return calls - before;
}
