import { count, inMib, mib, table, target } from "./lib/figures.mjs";

const MAX_HEAP_BYTES = mib(64);
const MAX_CALLER_BYTES = 512;

/** The section's Markdown, of the heaps read at each number of keys. */
export function memoryReport({ edge, full, overTime }, admissions) {
  const isolates = Object.keys(edge[0].heaps);
  const edgeRows = edge.map(({ keys, heaps }) => [count(keys), ...isolates.map((name) => inMib(heaps[name]))]);
  const limiterRows = (objects, times, rows) =>
    rows.map(({ keys, heaps }) => [objects, times, count(keys), inMib(heaps.limiter)]);
  const [start, end] = [full[0], full.at(-1)];
  const callerBytes = (end.heaps.limiter - start.heaps.limiter) / (end.keys - start.keys);
  const below = (what, bytes) => target(what, "below 64 MiB", `${inMib(bytes)} MiB`, bytes < MAX_HEAP_BYTES);
  return `## Memory

MiB of live JavaScript objects and their buffers in each isolate, after a collection, read by the runtime's inspector; edge, limiter and shield objects in isolates of their own. At the edge, by a Worker inside the runtime: for each key one read of 2 KB from a caller of its own, alternately of a committed transaction and of the tip, which passes limiter, shield and caches, and a tenth as many requests of \`/api\`. The targets are for the largest of all readings.

${table(["distinct keys", ...isolates], edgeRows)}

The limiter's objects, called directly by distinct callers, each with a ledger version that it has seen: one object until its table is full, and four objects (two policies, two regions) over time, where a full table drops the callers whose last admissions are oldest, and every new one is admitted.

${table(
  ["objects", "admissions of each caller", "distinct callers", "limiter"],
  [...limiterRows("one", admissions, full), ...limiterRows("four", 1, overTime)],
)}

${table(
  ["target", "goal", "measured", ""],
  [
    below(`any heap, ${last(edge)} distinct keys at the edge`, largest(edge)),
    below(`limiter, full table of ${last(full)} callers with ${admissions} admissions`, largest(full)),
    below(`limiter, ${last(overTime)} distinct callers`, largest(overTime)),
    target(
      "limiter, heap of each caller in the full table",
      `at most ${MAX_CALLER_BYTES} bytes`,
      `${count(callerBytes)} bytes`,
      callerBytes <= MAX_CALLER_BYTES,
    ),
  ],
)}`;
}

const last = (rows) => count(rows.at(-1).keys);

const largest = (rows) => Math.max(...rows.flatMap(({ heaps }) => Object.values(heaps)));
