import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { client, inParallel } from "./lib/client.ts";
import { count, table, target } from "./lib/figures.mjs";
import { serveInspected } from "./lib/inspected-edge.mjs";
import largeNode from "./workers/large-node.js";

const MIB = 1_048_576;
const MAX_HEAP_BYTES = 64 * MIB;
const MAX_REQUEST_BYTES = 16 * MIB;
const MAX_LISTING_BYTES = 8 * MIB;
const MAX_REQUEST_CPU_MS = 50;
/** The runtime may close a persistent connection, which would fail a POST. */
const CLOSE = { Connection: "close" };
const DRIVE_AT_ONCE = 16;
const BATCH = 1_000;
const AT_ONCE = 200;
const LARGE_ANSWER = "/v1/accounts/0x1/resources?limit=8191";

/** The most expensive requests for an edge, one at a time and {@link AT_ONCE} at once. */
const HEAVY = [
  { name: "view, body of 1 MiB of text", path: () => "/v1/view", body: viewBody(`"${"x".repeat(MIB - 200)}"`) },
  {
    name: "view, body of 1 MiB of numbers",
    path: () => "/v1/view",
    body: viewBody(`[${"1,".repeat(MIB / 2 - 150)}1]`),
  },
  {
    name: "view, brackets nested half a million deep",
    path: () => "/v1/view",
    body: viewBody("[".repeat(MIB / 2 - 100) + "]".repeat(MIB / 2 - 100)),
  },
  {
    name: "table item, key of 1 MiB",
    path: (number) => `/v1/tables/0x${(number + 1).toString(16)}/item`,
    body: `{"key_type":"vector<u8>","value_type":"u64","key":"0x${"ab".repeat(MIB / 2 - 100)}"}`,
  },
  { name: "submit of 8 MiB", path: () => "/v1/transactions", body: `{"n":"${"x".repeat(8 * MIB - 20)}"}` },
  {
    name: "answer of 1 MB, one for each caller",
    path: (number) => `/v1/accounts/0x${(number + 1).toString(16)}/resources?limit=1000`,
  },
  {
    name: "answer of 8 MB, one for each caller",
    path: (number) => `/v1/accounts/0x${(number + 1).toString(16)}/resources?limit=8190`,
  },
  { name: "answer of 8 MB, the same for all", path: () => LARGE_ANSWER },
];

/** Heaps by the runtime's inspector, and processor time, of the production bundle. */
export async function memorySection({ port, distinctKeys, log }) {
  const keys = [
    ...(await keysPart(port, "edge", distinctKeys / 10, log)),
    ...(await keysPart(port, "limiter", distinctKeys, log)),
  ];
  const large = await largePart(port, log);
  return report(keys, large);
}

/** The heaps of all isolates after a number of requests, each with its own caller and key. */
async function keysPart(port, target, distinctKeys, log) {
  const edge = await serveInspected({ ports: [port, port + 1, port + 2], vars: VARS });
  const driver = client(edge.driverUrl, 1);
  try {
    const rows = [{ target, keys: 0, heaps: await edge.heaps.liveBytes() }];
    let mark = 10_000;
    for (let first = 0; first < distinctKeys; first += BATCH) {
      const order = { first, count: Math.min(BATCH, distinctKeys - first), atOnce: DRIVE_AT_ONCE };
      const statuses = await driver.json(`/${target}?${new URLSearchParams(order)}`, { headers: CLOSE });
      const others = Object.keys(statuses).filter((status) => status !== "200");
      if (others.length > 0) throw new Error(`answers: ${JSON.stringify(statuses)}`);
      const done = first + order.count;
      if (done < Math.min(mark, distinctKeys)) continue;
      mark *= 10;
      rows.push({ target, keys: done, heaps: await edge.heaps.liveBytes() });
      log(`memory: ${count(done)} keys at the ${target}: ${inMib(rows.at(-1).heaps)}`);
    }
    return rows;
  } finally {
    driver.close();
    await edge.stop();
  }
}

async function largePart(port, log) {
  const node = await listen(port + 3);
  const edge = await serveInspected({
    ports: [port, port + 1, port + 2],
    vars: { ...VARS, RATES_URL: `http://127.0.0.1:${port + 3}/rates`, RATES_CHAIN: "Aptos" },
    nodeUrl: `http://127.0.0.1:${port + 3}/v1`,
  });
  try {
    const rows = [];
    const run = async (kind, atOnce, total) => {
      const callers = client(edge.url, AT_ONCE);
      await warm(callers);
      const before = await edge.heaps.liveBytes();
      const { peaks } = await edge.heaps.peakBytesDuring(() => sendAll(callers, kind, atOnce, total));
      // Again, because reading the heaps costs processor time.
      const cpuBefore = edge.cpuMs();
      const result = await sendAll(callers, kind, atOnce, total);
      const cpuMs = (edge.cpuMs() - cpuBefore) / total;
      callers.close();
      const row = { name: kind.name, atOnce, statuses: result, before, peaks, cpuMs };
      log(
        `memory: ${kind.name}, ${atOnce} at once: ${inMib(peaks)}, ${cpuMs.toFixed(1)} ms, ${JSON.stringify(result)}`,
      );
      rows.push(row);
    };
    const listing = { name: "yield listing of 15 MB, refreshed", path: () => "/api/rates" };
    await run(listing, 1, 1);
    const twenty = { name: "twenty answers of 8 MB at once", path: HEAVY.at(-2).path };
    await run(twenty, 20, 20);
    for (const kind of HEAVY) {
      await run(kind, 1, 5);
      await run(kind, AT_ONCE, AT_ONCE);
    }
    return rows;
  } finally {
    await edge.stop();
    await new Promise((resolve) => {
      node.close(resolve);
      node.closeAllConnections();
    });
  }
}

/** Quotas that no run reaches, so that no request is refused. */
const VARS = { RATE_LIMIT_DEFAULT: "60/60", RATE_LIMIT_NODE: "300/60", LIMITER_SHARDS: "2" };

let callersSeen = 0;

async function sendAll({ call }, { path, body }, atOnce, total) {
  const statuses = {};
  await inParallel(
    Array.from({ length: total }, () => null),
    atOnce,
    async () => {
      callersSeen += 1;
      const address = `10.1.${(callersSeen >> 8) & 255}.${callersSeen & 255}`;
      const headers = { ...CLOSE, "CF-Connecting-IP": address, "Content-Type": "application/json" };
      const method = body === undefined ? "GET" : "POST";
      const outcome = await call(path(callersSeen), { method, headers, body }).then(
        ({ status }) => status,
        ({ code }) => code,
      );
      statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    },
  );
  return statuses;
}

async function warm({ call }) {
  const { status } = await call("/v1", { headers: { "CF-Connecting-IP": "192.0.2.1" } });
  if (status !== 200) throw new Error(`the edge answers ${status}`);
}

/** Pools as in a public listing; one in a hundred is of the chain. */
const LISTING = JSON.stringify({
  status: "success",
  data: Array.from({ length: 30_000 }, (_, row) => ({
    ...{ chain: row % 100 === 0 ? "Aptos" : "Other", project: "thala-lsd", symbol: "STHAPT", pool: `p${row}` },
    ...{ tvlUsd: 36_424_113, apyBase: 1.2, apyReward: 8.1, apy: 9.3, exposure: "single", padding: "x".repeat(350) },
  })),
});

/** `large-node.js` over HTTP, and a yield listing. */
async function listen(port) {
  const server = createServer(async (request, response) => {
    const hasBody = request.method === "POST";
    const body = hasBody ? Readable.toWeb(request) : null;
    if (request.url === "/rates") return response.end(LISTING);
    const received = new Request(`http://node${request.url}`, { method: request.method, body, duplex: "half" });
    const answer = await largeNode.fetch(received);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

function viewBody(argument) {
  return `{"function":"0x1::a::b","type_arguments":[],"arguments":[${argument}]}`;
}

function inMib(heaps) {
  return Object.entries(heaps)
    .map(([name, bytes]) => `${name} ${(bytes / MIB).toFixed(1)}`)
    .join(", ");
}

function report(keys, large) {
  const isolates = Object.keys(keys[0].heaps);
  const mib = (bytes) => (bytes / MIB).toFixed(1);
  const keyRows = keys.map(({ target: where, keys: number, heaps }) => [
    count(number),
    where === "edge" ? "the edge" : "the limiter's objects",
    ...isolates.map((name) => mib(heaps[name])),
  ]);
  const largeRows = large.map(({ name, atOnce, statuses, peaks, cpuMs }) => [
    name,
    atOnce,
    ...isolates.map((isolate) => mib(peaks[isolate])),
    cpuMs.toFixed(1),
    Object.entries(statuses)
      .map(([status, times]) => `${times} × ${status}`)
      .join(", "),
  ]);
  const steady = keys.filter((row, index) => keys[index + 1]?.target !== row.target);
  const largest = (heaps) => Math.max(...Object.values(heaps));
  const [listing, twenty] = large;
  const single = large.filter(({ atOnce }) => atOnce === 1);
  const added = ({ before, peaks }) => Math.max(...isolates.map((name) => peaks[name] - before[name]));
  const heaviest = Math.max(...single.map(added));
  const slowest = Math.max(...large.map(({ cpuMs }) => cpuMs));
  const fullest = Math.max(...large.map(({ peaks }) => largest(peaks)));
  const goals = [
    ...steady.map(({ target: where, keys: number, heaps }) =>
      target(
        `any heap after ${count(number)} distinct keys at the ${where}`,
        "below 64 MiB",
        `${mib(largest(heaps))} MiB`,
        largest(heaps) < MAX_HEAP_BYTES,
      ),
    ),
    target(
      "any heap during twenty answers of 8 MB",
      "below 64 MiB",
      `${mib(largest(twenty.peaks))} MiB`,
      largest(twenty.peaks) < MAX_HEAP_BYTES,
    ),
    target("heap added by a single request", "at most 16 MiB", `${mib(heaviest)} MiB`, heaviest <= MAX_REQUEST_BYTES),
    target(
      "heap added by refreshing a listing of 15 MB",
      "at most 8 MiB",
      `${mib(added(listing))} MiB`,
      added(listing) <= MAX_LISTING_BYTES,
    ),
    target("processor time of one request", "at most 50 ms", `${slowest.toFixed(1)} ms`, slowest <= MAX_REQUEST_CPU_MS),
    target(
      `any heap during ${AT_ONCE} of these at once`,
      "below 128 MiB",
      `${mib(fullest)} MiB`,
      fullest < 2 * MAX_HEAP_BYTES,
    ),
  ];
  return `## Memory

MiB of live JavaScript objects and their buffers in each isolate, after a collection, read by the runtime's inspector; edge, limiter and shield objects in isolates of their own. Distinct keys: a request for each, from a caller of its own, sent by a Worker inside the runtime; to the edge a tenth \`/api\`, the others committed and tip reads of 2 KB in equal parts, which pass limiter, shield and caches; to the limiter's objects directly, over two policies and two regions. Large bodies: the largest number while they passed; the node answers over HTTP from another process. Processor time is that of the whole runtime, edge and objects, for each request.

${table(["distinct keys", "sent to", ...isolates], keyRows)}

${table(["request", "at once", ...isolates, "processor ms each", "answers"], largeRows)}

${table(["target", "goal", "measured", ""], goals)}`;
}
