import { SHARDS } from "../src/gateway/shield/routing.ts";
import { FakeNode } from "../test/support/fake-node.ts";
import { startFarEdge } from "../test/support/far-edge.ts";
import { peersPart } from "./distance-peers.mjs";
import { promisesPart } from "./distance-promises.mjs";
import { client } from "./lib/client.ts";
import { median, percentile, table, target } from "./lib/figures.mjs";

/** Round trip isolate to object; between objects half of it; then the node's response time. */
const ROUND_TRIPS_MS = (process.env["ROUND_TRIPS_MS"] ?? "5,40,80,120").split(",").map(Number);
const UPSTREAM_MS = 20;
const BLOCK_MS = 250;
const MODES = [
  { name: "quiet", perSecond: 2, count: 10 },
  { name: "busy", perSecond: 40, count: 80 },
];

/**
 * The cost of a request at a distance, in round trips and calls, by class of request. `budgetMs` is the design's budget
 * for the median, in terms of R, B and U.
 */
const CLASSES = [
  {
    name: "`/api` from the schedule",
    path: () => "/api/circulating-supply",
    budgetMs: ({ R }) => 1.1 * R + 5,
    calls: 1,
  },
  {
    name: "immutable hit",
    path: () => "/v1/transactions/by_version/5",
    budgetMs: ({ R }) => 1.15 * R + 10,
    calls: 1,
  },
  { name: "tip, one key", path: () => "/v1/accounts/0x7", budgetMs: null, calls: null },
  {
    name: "immutable miss",
    path: (number) => `/v1/transactions/by_version/${100 + number}`,
    budgetMs: ({ R, U }) => R + U + 15,
    calls: 2,
  },
  {
    name: "tip miss, moving chain",
    path: (number) => `/v1/accounts/0x${(0x10_000 + number).toString(16)}`,
    budgetMs: ({ R, B, U }) => R + U + Math.max(R, B) + 15,
    calls: 2,
  },
  {
    name: "submit",
    path: () => "/v1/transactions",
    init: (number) => ({ method: "POST", body: `{"n":${number}}`, headers: { "Content-Type": "application/json" } }),
    budgetMs: ({ R, U }) => R + U + 15,
    calls: 2,
  },
];

export async function distanceSection({ port, log }) {
  const node = await FakeNode.start();
  node.version = 100_000n;
  node.delayMs = UPSTREAM_MS;
  const chain = setInterval(() => (node.version += 1n), BLOCK_MS);
  try {
    const rows = [];
    for (const R of ROUND_TRIPS_MS) rows.push(...(await inFreshEdge(node, (world) => classesAt(R, world, log))));
    // A part that fails must not lose the parts measured before it.
    const orNote = (part) => part.catch((cause) => `Not measured: ${cause.message}.`);
    const promises = await orNote(inFreshEdge(node, ({ far }) => promisesPart(far, node, log)));
    return report(rows, promises, await orNote(inFreshEdge(node, ({ far }) => peersPart(far, port, log))));
  } finally {
    clearInterval(chain);
    await node.stop();
  }
}

/** A new edge for each part: after some minutes of this load the runtime may hang in a garbage collection. */
async function inFreshEdge(node, run) {
  const far = await startFarEdge([node.url]);
  const clients = far.urls.map((url) => client(url, 256));
  try {
    // Every shard and every isolate has recognized the chain.
    for (let key = 0; key < 6 * SHARDS; key += 1)
      await clients[key % clients.length].call(`/v1/accounts/0x${(0xe000 + key).toString(16)}`);
    return await run({ far, clients });
  } finally {
    for (const { close } of clients) close();
    await far.close();
  }
}

async function classesAt(R, { far, clients }, log) {
  const world = { R, B: R / 2, U: UPSTREAM_MS };
  await far.set({ isolateToObjectMs: world.R, objectToObjectMs: world.B, jitter: 0.1 });
  for (const path of ["/v1/accounts/0x7", "/v1/transactions/by_version/5"])
    await Promise.all(clients.map(({ call: send }) => send(path)));
  const rows = [];
  let used = 0;
  for (const mode of MODES)
    for (const kind of CLASSES) {
      const run = await measure({ far, clients, kind, mode, first: used });
      used += mode.count;
      rows.push({ world, mode, kind, ...run });
      log(`distance: R = ${R} ms, ${mode.name}, ${kind.name}: ${run.p50.toFixed(0)} ms, ${run.calls.toFixed(2)} calls`);
    }
  return rows;
}

async function measure({ far, clients, kind, mode, first }) {
  await far.takeCounts();
  const times = [];
  let hits = 0;
  const one = async (index) => {
    const { method, body, headers = {} } = kind.init?.(first + index) ?? {};
    const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
    const { call } = clients[index % clients.length];
    const answer = await call(kind.path(first + index), {
      method,
      body,
      headers: { ...headers, "CF-Connecting-IP": address },
    });
    if (answer.status >= 300) throw new Error(`${kind.name} was answered ${answer.status}`);
    times.push(answer.milliseconds);
    if (String(answer.fields["cache-status"]).includes("hit")) hits += 1;
  };
  const running = [];
  for (let index = 0; index < mode.count; index += 1) {
    running.push(one(index));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / mode.perSecond));
  }
  await Promise.all(running);
  const counts = Object.entries(await far.takeCounts());
  const perRequest = (place, kindOf) =>
    counts.filter(([name]) => name.startsWith(place) && kindOf(name)).reduce((sum, [, calls]) => sum + calls, 0) /
    mode.count;
  const isUpstream = (name) => name.endsWith("upstream");
  return {
    p50: median(times),
    p90: percentile(times, 0.9),
    hits: hits / mode.count,
    calls: perRequest("isolate ", (name) => !isUpstream(name)),
    between: perRequest("object ", (name) => !isUpstream(name)),
    upstream: perRequest("", isUpstream),
  };
}

function report(rows, promises, peers) {
  const head = [
    "R ms",
    "load",
    "request",
    "p50 ms",
    "p90 ms",
    "p50 in R",
    "hits",
    "calls from the isolate",
    "between objects",
    "of upstreams",
  ];
  const cells = rows.map(({ world, mode, kind, p50, p90, hits, calls, between, upstream }) => [
    world.R,
    mode.name,
    kind.name,
    p50.toFixed(0),
    p90.toFixed(0),
    (p50 / world.R).toFixed(2),
    `${Math.round(hits * 100)} %`,
    calls.toFixed(2),
    between.toFixed(2),
    upstream.toFixed(2),
  ]);
  const goals = rows
    .filter(({ world, kind }) => world.R === 80 && kind.budgetMs !== null)
    .flatMap(({ world, mode, kind, p50, calls }) => [
      target(
        `${kind.name}, ${mode.name}`,
        `p50 at most ${kind.budgetMs(world).toFixed(0)} ms`,
        `${p50.toFixed(0)} ms`,
        p50 <= kind.budgetMs(world),
      ),
      target(`${kind.name}, ${mode.name}`, `at most ${kind.calls} calls`, calls.toFixed(2), calls <= kind.calls + 0.02),
    ]);
  return `## Distance

The production bundle in three isolates on one set of objects, every call to an object given a round trip of R (R/2 between objects, 10 % jitter), a node that answers after ${UPSTREAM_MS} ms and commits every ${BLOCK_MS} ms, six upstream connections for each request and object. Quiet is ${MODES[0].perSecond} requests a second, busy ${MODES[1].perSecond}, over the three isolates. Calls are counted, not timed: a loaded machine changes the milliseconds and not the counts.

${table(head, cells)}

Targets at R = 80, B = 40, U = 20 ms:

${table(["request", "goal", "measured", ""], goals)}

${promises}

${peers}`;
}
