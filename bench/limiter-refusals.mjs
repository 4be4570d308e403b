import { setTimeout as pause } from "node:timers/promises";
import { EdgeLimiter } from "../src/limiter/edge-limiter.ts";
import { SlidingWindowLog } from "../src/limiter/sliding-window-log.ts";
import { client } from "./lib/client.ts";
import { serveInspected } from "./lib/inspected-edge.mjs";

const CALLERS = 1_000;
const BATCH = 50;
const QUOTA = 60;
const POLICY = { name: "default", quota: QUOTA, windowSeconds: 60 };

/** Live heap of a limiter object in the runtime, by its inspector, per caller with a full log. */
export async function bytesPerCaller(port) {
  const edge = await serveInspected({ ports: [port, port + 1, port + 2] });
  const driver = client(edge.driverUrl, 1);
  const take = async (first, count) => {
    const path = `/limiter/each?${new URLSearchParams({ first, count, atOnce: QUOTA })}`;
    const admitted = await driver.json(path, { headers: { Connection: "close" } });
    if (admitted !== count * QUOTA) throw new Error(`${admitted} admitted, not ${count * QUOTA}`);
  };
  try {
    // Warm-up, so that the code is compiled.
    await take(CALLERS, BATCH);
    const before = await edge.heaps.liveBytes();
    for (let first = 0; first < CALLERS; first += BATCH) await take(first, BATCH);
    // The journal writes the last second's admissions.
    await pause(1_500);
    const after = await edge.heaps.liveBytes();
    return { bytes: (after.limiter - before.limiter) / CALLERS, callers: CALLERS };
  } finally {
    driver.close();
    await edge.stop();
  }
}

/** A caller that continues after its quota, against an object that answers like the real one. */
export function questionsPerThousandRefused() {
  const log = new SlidingWindowLog({ quota: QUOTA, windowMs: 60_000, maxCallers: 10 });
  let nowMs = 1_700_000_000_000;
  let questions = 0;
  const shard = {
    take: (key) => {
      questions++;
      return Promise.resolve(log.take(key, nowMs));
    },
  };
  const limiter = new EdgeLimiter({
    shardStub: () => () => shard,
    shards: 8,
    salt: "",
    now: () => nowMs,
    later: () => undefined,
    log: () => undefined,
  });
  const caller = { key: "203.0.113.7", missing: null, region: "world" };
  return settle(limiter, caller, () => {
    nowMs += 1;
    return questions;
  });
}

async function settle(limiter, caller, tick) {
  for (let call = 0; call < QUOTA; call++) await limiter.open(POLICY, caller).decision();
  const before = tick();
  let refused = 0;
  for (let call = 0; call < 1_000; call++) {
    const { admitted } = await limiter.open(POLICY, caller).decision();
    if (!admitted) refused++;
    tick();
  }
  if (refused !== 1_000) throw new Error(`${refused} of 1,000 refused`);
  return tick() - before;
}
