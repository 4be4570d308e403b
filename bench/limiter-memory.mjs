import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { EdgeLimiter } from "../src/limiter/edge-limiter.ts";
import { SlidingWindowLog } from "../src/limiter/sliding-window-log.ts";
import { BENCH } from "./lib/machine.mjs";

const CALLERS = 1_000_000;
const QUOTA = 60;
const POLICY = { name: "default", quota: QUOTA, windowSeconds: 60 };

/** Resident memory of one million callers, each with a full log, in a separate process. */
export function bytesPerCaller() {
  const flags = ["--expose-gc", join(BENCH, "limiter-memory.mjs"), "measure"];
  return { bytes: Number(execFileSync(process.execPath, flags, { encoding: "utf8" })), heldCallers: CALLERS };
}

function measureBytes() {
  const log = new SlidingWindowLog({ quota: QUOTA, windowMs: 60_000, maxCallers: 2 * CALLERS });
  globalThis.gc();
  const before = process.memoryUsage();
  for (let stamp = 0; stamp < QUOTA; stamp++) {
    for (let caller = 0; caller < CALLERS; caller++) {
      const key = `${10 + (caller >> 24)}.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
      log.take(key, 1_700_000_000_000 + stamp * 900);
    }
  }
  globalThis.gc();
  const after = process.memoryUsage();
  if (log.size !== CALLERS) throw new Error(`${log.size} callers held`);
  const cached = (usage) => usage.heapUsed + usage.arrayBuffers;
  return (cached(after) - cached(before)) / CALLERS;
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
  for (let call = 0; call < QUOTA; call++) await limiter.take(POLICY, caller);
  const before = tick();
  let refused = 0;
  for (let call = 0; call < 1_000; call++) {
    const { admitted } = await limiter.take(POLICY, caller);
    if (!admitted) refused++;
    tick();
  }
  if (refused !== 1_000) throw new Error(`${refused} of 1,000 refused`);
  return tick() - before;
}

if (process.argv[2] === "measure") process.stdout.write(String(measureBytes()));
