import { client } from "./lib/client.ts";
import { count } from "./lib/figures.mjs";
import { serveInspected } from "./lib/inspected-edge.mjs";
import { memoryReport } from "./memory-report.mjs";

/** The heaps are read so often, and after these numbers of keys. */
const SAMPLE_KEYS = 100_000;
const FIRST_SAMPLES = [10_000, 30_000];
const BATCH = 1_000;
const READS_AT_ONCE = 16;
/** So many objects that at the fastest rate no table is full and no caller is refused. */
const EDGE_VARS = { RATE_LIMIT_DEFAULT: "60/60", RATE_LIMIT_NODE: "300/60", LIMITER_SHARDS: "8" };
/** The callers that fill an object's table, at so many admissions each. */
const FULL_CALLERS = 45_000;
const FULL_ADMISSIONS = 60;

/** Heaps of the production bundle by the runtime's inspector, after many distinct keys and callers. */
export async function memorySection({ port, distinctKeys, log }) {
  const rows = { edge: [], full: [], overTime: [] };
  // One runtime uses one core.
  const parts = await Promise.allSettled([
    keysAtEdge({ port, distinctKeys, log, rows: rows.edge }),
    callersAtLimiter({ port: port + 10, distinctKeys, log, rows }),
  ]);
  for (const { status, reason } of parts) if (status === "rejected") throw reason;
  return memoryReport(rows, FULL_ADMISSIONS);
}

async function keysAtEdge({ port, distinctKeys, log, rows }) {
  const order = { count: BATCH, atOnce: READS_AT_ONCE };
  const isComplete = (statuses) => statuses[200] === BATCH + BATCH / 10;
  await drive({ port, path: "/edge", order, total: distinctKeys, isComplete, log }, rows);
}

async function callersAtLimiter({ port, distinctKeys, log, rows }) {
  const shared = { port, path: "/limiter", log };
  const times = FULL_ADMISSIONS;
  // The window is so long that nothing expires while the table fills.
  const one = { count: BATCH / 50, times, objects: 1, quota: times, windowSeconds: 600 };
  const isAdmitted = ({ admitted }) => admitted === one.count * times;
  await drive({ ...shared, order: one, total: FULL_CALLERS, isComplete: isAdmitted }, rows.full);
  const four = { count: BATCH, times: 1, objects: 4, quota: 300, windowSeconds: 60 };
  const isNew = ({ admitted }) => admitted === four.count;
  await drive({ ...shared, order: four, total: distinctKeys, isComplete: isNew }, rows.overTime);
}

/** Sends so many numbers in batches, and reads the heaps of all isolates before, between and after them. */
async function drive({ port, path, order, total, isComplete, log }, rows) {
  const edge = await serveInspected({ ports: [port, port + 1, port + 2], vars: EDGE_VARS });
  const driver = client(edge.driverUrl, 1);
  try {
    rows.push({ keys: 0, heaps: await edge.heaps.liveBytes() });
    for (let first = 0; first < total; first += order.count) {
      const query = new URLSearchParams({ ...order, first });
      const result = await driver.json(`${path}?${query}`, { headers: { Connection: "close" } });
      if (!isComplete(result)) throw new Error(`${path}?${query}: ${JSON.stringify(result)}`);
      const keys = first + order.count;
      if (keys % SAMPLE_KEYS !== 0 && !FIRST_SAMPLES.includes(keys) && keys < total) continue;
      rows.push({ keys, heaps: await edge.heaps.liveBytes() });
      log(`memory: ${path}: ${count(keys)}: ${JSON.stringify(rows.at(-1).heaps)}`);
    }
  } finally {
    driver.close();
    await edge.stop();
  }
}
