import { client, inParallel } from "./lib/client.ts";
import { inMib, mib, table, target } from "./lib/figures.mjs";
import { serveInspected } from "./lib/inspected-edge.mjs";
import { listenLarge } from "./lib/large-http-node.mjs";

const MAX_CPU_MS = 50;
/** The runtime may close a persistent connection, which would fail a POST. */
const CLOSE = { Connection: "close" };
const MANY = 200;
/** Quotas that no run reaches, so that no request is refused. */
const VARS = { RATE_LIMIT_DEFAULT: "60/60", RATE_LIMIT_NODE: "300/60", LIMITER_SHARDS: "2" };

const LISTING = { name: "yield listing of 15 MB, refreshed", path: () => "/api/rates" };
const TWENTY = { name: "twenty answers of 8 MB at once", path: listPath(8_190) };
/** The most expensive requests for an edge, one at a time and {@link MANY} at once. */
const KINDS = [
  view("body of 1 MiB of text", `"${"x".repeat(mib(1) - 200)}"`),
  view("body of 1 MiB of numbers", `[${"1,".repeat(mib(1) / 2 - 150)}1]`),
  view("brackets nested half a million deep", "[".repeat(mib(1) / 2 - 100) + "]".repeat(mib(1) / 2 - 100)),
  {
    name: "table item, key of 1 MiB",
    path: (number) => `/v1/tables/${addressOf(number)}/item`,
    body: `{"key_type":"vector<u8>","value_type":"u64","key":"0x${"ab".repeat(mib(1) / 2 - 100)}"}`,
  },
  { name: "submit of 8 MiB", path: () => "/v1/transactions", body: `{"n":"${"x".repeat(mib(8) - 20)}"}` },
  { name: "answer of 1 MB, one for each caller", path: listPath(1_000) },
  { name: "answer of 8 MB, one for each caller", path: listPath(8_190) },
  { name: "answer of 8 MB, the same for all", path: () => "/v1/accounts/0x1/resources?limit=8191" },
];

/** Heaps by the runtime's inspector, and processor time, of the production bundle. */
export async function largeBodiesSection({ port, log }) {
  const node = await listenLarge(port + 3);
  const edge = await serveInspected({
    ports: [port, port + 1, port + 2],
    vars: { ...VARS, RATES_URL: `${node.url}/rates`, RATES_CHAIN: "Aptos" },
    nodeUrl: `${node.url}/v1`,
  });
  const plan = [
    { kind: LISTING, atOnce: 1, total: 1 },
    { kind: TWENTY, atOnce: 20, total: 20 },
    ...KINDS.flatMap((kind) => [
      { kind, atOnce: 1, total: 5 },
      { kind, atOnce: MANY, total: MANY },
    ]),
  ];
  try {
    const rows = [];
    for (const { kind, atOnce, total } of plan) {
      rows.push(await measure(edge, kind, atOnce, total));
      log(`large bodies: ${JSON.stringify(rows.at(-1))}`);
    }
    return report(rows);
  } finally {
    await edge.stop();
    await node.stop();
  }
}

async function measure(edge, kind, atOnce, total) {
  const callers = client(edge.url, MANY);
  await warm(callers);
  const before = await edge.heaps.liveBytes();
  const { peaks } = await edge.heaps.peakBytesDuring(() => sendAll(callers, kind, atOnce, total));
  // Again, because reading the heaps costs processor time.
  const cpuBefore = edge.cpuMs();
  const statuses = await sendAll(callers, kind, atOnce, total);
  const cpuMs = (edge.cpuMs() - cpuBefore) / total;
  callers.close();
  return { name: kind.name, atOnce, statuses, before, peaks, cpuMs };
}

async function warm({ call }) {
  const { status } = await call("/v1", { headers: { "CF-Connecting-IP": "192.0.2.1" } });
  if (status !== 200) throw new Error(`the edge answers ${status}`);
}

let callersSeen = 0;

/** Each request is from a caller of its own. Returns the number of answers by status or error. */
async function sendAll({ call }, { path, body }, atOnce, total) {
  const statuses = {};
  await inParallel(Array(total).fill(null), atOnce, async () => {
    callersSeen += 1;
    const address = `10.1.${(callersSeen >> 8) & 255}.${callersSeen & 255}`;
    const headers = { ...CLOSE, "CF-Connecting-IP": address, "Content-Type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const outcome = await call(path(callersSeen), { method, headers, body }).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    statuses[outcome] = (statuses[outcome] ?? 0) + 1;
  });
  return statuses;
}

function report(rows) {
  const isolates = Object.keys(rows[0].peaks);
  const largest = ({ peaks }) => Math.max(...Object.values(peaks));
  const added = ({ before, peaks }) => Math.max(...isolates.map((name) => peaks[name] - before[name]));
  const [listing, twenty] = rows;
  const heaviest = Math.max(...rows.filter(({ atOnce }) => atOnce === 1).map(added));
  const slowest = Math.max(...rows.map(({ cpuMs }) => cpuMs));
  const heap = (what, limit, bytes) => target(what, `at most ${limit} MiB`, `${inMib(bytes)} MiB`, bytes <= mib(limit));
  return `## Large bodies

The largest number of MiB in each isolate (see Memory) while these passed; the node answers over HTTP from another process. Processor time is that of the whole runtime, edge and objects, for each request.

${table(["request", "at once", ...isolates, "processor ms each", "answers"], rows.map(cellsOf))}

${table(
  ["target", "goal", "measured", ""],
  [
    heap("any heap during twenty answers of 8 MB", 64, largest(twenty)),
    heap("heap added by a single request", 16, heaviest),
    heap("heap added by refreshing a listing of 15 MB", 8, added(listing)),
    target(
      "processor time of one request",
      `at most ${MAX_CPU_MS} ms`,
      `${slowest.toFixed(1)} ms`,
      slowest <= MAX_CPU_MS,
    ),
    heap(`any heap during ${MANY} of these at once`, 128, Math.max(...rows.map(largest))),
  ],
)}`;
}

function cellsOf({ name, atOnce, peaks, cpuMs, statuses }) {
  const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
  return [name, atOnce, ...Object.values(peaks).map(inMib), cpuMs.toFixed(1), answers.join(", ")];
}

function view(what, argument) {
  const body = `{"function":"0x1::a::b","type_arguments":[],"arguments":[${argument}]}`;
  return { name: `view, ${what}`, path: () => "/v1/view", body };
}

function listPath(kibibytes) {
  return (number) => `/v1/accounts/${addressOf(number)}/resources?limit=${kibibytes}`;
}

function addressOf(number) {
  return `0x${(number + 1).toString(16)}`;
}
