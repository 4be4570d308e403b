import { client } from "./lib/client.ts";
import { count, inMib, mib, table, target } from "./lib/figures.mjs";
import { serveInspected } from "./lib/inspected-edge.mjs";

const MAX_HEAP_BYTES = mib(64);
const MAX_CALLER_BYTES = 512;
/** Keys after which the table has a row; the heaps are read every {@link SAMPLE_KEYS} too. */
const ROWS_AT = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const SAMPLE_KEYS = 100_000;
const BATCH = 1_000;
const READS_AT_ONCE = 16;
/** So many objects that at the fastest rate no table is full and no caller is refused. */
const EDGE_VARS = { RATE_LIMIT_DEFAULT: "60/60", RATE_LIMIT_NODE: "300/60", LIMITER_SHARDS: "8" };
/** The callers that have their own log in an object, and the admissions of each at the default quota. */
const FULL_CALLERS = 20_000;
const FULL_ADMISSIONS = 60;

/** Heaps of the production bundle by the runtime's inspector, after many distinct keys and callers. */
export async function memorySection({ port, distinctKeys, log }) {
  const rows = { edge: [], full: [], overTime: [] };
  // The runtime uses one core.
  await Promise.all([
    keysAtEdge({ port, distinctKeys, log, rows: rows.edge }),
    callersAtLimiter({ port: port + 10, distinctKeys, log, rows }),
  ]);
  return report(rows, distinctKeys);
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
  await drive({ ...shared, order: one, total: FULL_CALLERS, isComplete: isAdmitted, log }, rows.full);
  // Above twice the callers of a table the new ones share a log, which may refuse them.
  const four = { count: BATCH, times: 1, objects: 4, quota: 300, windowSeconds: 60 };
  await drive({ ...shared, order: four, total: distinctKeys, isComplete: () => true }, rows.overTime);
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
      if (keys % SAMPLE_KEYS !== 0 && !ROWS_AT.includes(keys) && keys < total) continue;
      rows.push({ keys, heaps: await edge.heaps.liveBytes() });
      log(`memory: ${path}: ${count(keys)}: ${JSON.stringify(rows.at(-1).heaps)}`);
    }
  } finally {
    driver.close();
    await edge.stop();
  }
}

function report({ edge, full, overTime }, distinctKeys) {
  const isolates = Object.keys(edge[0].heaps);
  const tabulated = (rows) =>
    rows.filter(({ keys }) => keys === 0 || ROWS_AT.includes(keys) || keys === rows.at(-1).keys);
  const edgeRows = tabulated(edge).map(({ keys, heaps }) => [
    count(keys),
    ...isolates.map((name) => inMib(heaps[name])),
  ]);
  const limiterRows = [
    ...tabulated(full).map((row) => ["one", FULL_ADMISSIONS, ...callers(row)]),
    ...tabulated(overTime).map((row) => ["four", 1, ...callers(row)]),
  ];
  const callerBytes = (full.at(-1).heaps.limiter - full[0].heaps.limiter) / FULL_CALLERS;
  const below = (what, bytes) => target(what, "below 64 MiB", `${inMib(bytes)} MiB`, bytes < MAX_HEAP_BYTES);
  return `## Memory

MiB of live JavaScript objects and their buffers in each isolate, after a collection, read by the runtime's inspector; edge, limiter and shield objects in isolates of their own. At the edge, by a Worker inside the runtime: for each key one read of 2 KB from a caller of its own, alternately of a committed transaction and of the tip, which passes limiter, shield and caches, and a tenth as many requests of \`/api\`. The targets are for the largest of all readings, one every ${count(SAMPLE_KEYS)} keys.

${table(["distinct keys", ...isolates], edgeRows)}

The limiter's objects, called directly by distinct callers, each with a ledger version that it has seen: one object until its table is full, and four objects (two policies, two regions) over time, where the new callers of a full table share a log.

${table(["objects", "admissions of each caller", "distinct callers", "limiter"], limiterRows)}

${table(
  ["target", "goal", "measured", ""],
  [
    below(`any heap, ${count(distinctKeys)} distinct keys at the edge`, largest(edge)),
    below(`limiter, full table of ${count(FULL_CALLERS)} callers with ${FULL_ADMISSIONS} admissions`, largest(full)),
    below(`limiter, ${count(distinctKeys)} distinct callers`, largest(overTime)),
    target(
      "limiter, heap of each caller in the full table",
      `at most ${MAX_CALLER_BYTES} bytes`,
      `${count(callerBytes)} bytes`,
      callerBytes <= MAX_CALLER_BYTES,
    ),
  ],
)}`;
}

const callers = ({ keys, heaps }) => [count(keys), inMib(heaps.limiter)];

const largest = (rows) => Math.max(...rows.flatMap(({ heaps }) => Object.values(heaps)));
