import { FakeNode } from "../test/support/fake-node.ts";
import { startFarEdge } from "../test/support/far-edge.ts";
import { classesAt, MODES } from "./distance-classes.mjs";
import { peersPart } from "./distance-peers.mjs";
import { promisesPart } from "./distance-promises.mjs";
import { client } from "./lib/client.ts";
import { table, target } from "./lib/figures.mjs";

/** Round trips between isolate and object; between two objects it is half of that. The node's response time follows. */
const ROUND_TRIPS_MS = (process.env["ROUND_TRIPS_MS"] ?? "5,40,80,120").split(",").map(Number);
const UPSTREAM_MS = 20;
const BLOCK_MS = 250;
/** Reads of different keys before a measurement: enough to reach every shard. */
const WARMING_READS = 48;

export async function distanceSection({ port, log }) {
  const node = await FakeNode.start();
  node.version = 100_000n;
  node.delayMs = UPSTREAM_MS;
  node.ledgerHeaders = () => ({ "X-NODE-LEDGER-TIMESTAMPUSEC": `${Date.now()}000` });
  const chain = setInterval(() => (node.version += 1n), BLOCK_MS);
  try {
    const rows = [];
    for (const R of ROUND_TRIPS_MS) {
      const world = { R, B: R / 2, U: UPSTREAM_MS };
      rows.push(...(await inFreshEdge(node, (edge) => classesAt(world, edge, log))));
    }
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
    // Lets every shard and every isolate recognize the chain.
    for (let key = 0; key < WARMING_READS; key += 1)
      await clients[key % clients.length].call(`/v1/accounts/0x${(0xe000 + key).toString(16)}`);
    return await run({ far, clients });
  } finally {
    for (const { close } of clients) close();
    await far.close();
  }
}

const HEAD = [
  ...["R ms", "load", "request", "p50 ms", "p90 ms", "p50 in R", "hits"],
  ...["calls from the isolate", "between objects", "of upstreams"],
];

function report(rows, promises, peers) {
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
  const goals = rows.filter(({ world, kind }) => world.R === 80 && kind.budgetMs !== null).flatMap(goalsOf);
  return `## Distance

The production bundle in three isolates on one set of objects, every call to an object given a round trip of R (R/2 between objects, 10 % jitter), a node that answers after ${UPSTREAM_MS} ms and commits every ${BLOCK_MS} ms, six upstream connections for each request and object. Quiet is ${MODES[0].perSecond} requests a second, busy ${MODES[1].perSecond}, over the three isolates. Calls are counted, not timed: a loaded machine changes the milliseconds and not the counts.

${table(HEAD, cells)}

Targets at R = 80, B = 40, U = 20 ms:

${table(["request", "goal", "measured", ""], goals)}

${promises}

${peers}`;
}

function goalsOf({ world, mode, kind, p50, calls }) {
  const what = `${kind.name}, ${mode.name}`;
  const budgetMs = kind.budgetMs(world);
  return [
    target(what, `p50 at most ${budgetMs.toFixed(0)} ms`, `${p50.toFixed(0)} ms`, p50 <= budgetMs),
    target(what, `at most ${kind.calls} calls`, calls.toFixed(2), calls <= kind.calls + 0.02),
  ];
}
