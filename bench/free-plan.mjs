import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { firstInFile } from "../tools/first-chain.ts";
import { checkoutGenesis } from "../tools/start/genesis-settings.ts";
import { nodeBundle, peerBundle, productBundle } from "./lib/bundle.mjs";
import { client } from "./lib/client.ts";
import { median, table, target } from "./lib/figures.mjs";
import { ROOT } from "./lib/machine.mjs";
import { serve } from "./lib/workerd.mjs";

const REQUESTS = 1_000;
const WARM_UP = 100;
const AIM_MS = 3;
const PLAN_MS = 10;
const PATHS = [
  "/api/max-supply",
  "/api/circulating-supply",
  "/api/circulating-supply?month=2030-01",
  "/api/circulating-supply-on-chain",
  "/api/total-supply",
  "/api/burned-supply",
  "/api/stable-supply",
  "/api/supply",
  "/api/supply-breakdown",
  "/api/unlock-schedule",
  "/api/unlock-schedule.csv",
  "/api/unlock-events",
  "/api/unlock-events.csv",
  "/api/unlock-events.ics",
  "/api/allocations",
  "/api/rates",
  "/api/history",
  "/api/history.csv",
  "/api/health",
  "/api/badge/circulating-supply.json",
  "/badge/circulating-supply.svg",
  "/feed.atom",
];
const CHECK = "/hourly-check";
/** Worker with its hourly check at a path, because plain workerd has no cron. */
const WITH_CHECK = `import worker from "./worker.js";
export * from "./worker.js";
export default {
  ...worker,
  fetch: async (request, env, context) => {
    if (new URL(request.url).pathname !== "${CHECK}") return worker.fetch(request, env, context);
    await worker.scheduled({ scheduledTime: Date.now(), cron: "" }, env, context);
    return new Response("done");
  },
};
`;

/**
 * Measures the processor time of each path and of the hourly check, whose node is a separate process. Returns Markdown.
 */
export async function freePlanSection({ port, log }) {
  const node = await serve(nodeBundle(checkoutGenesis({}, firstInFile(), Date.now())), port + 1);
  const [chain, listing] = [{ NODE_URLS: `${node.url}/v1` }, { RATES_URL: `${node.url}/rates` }];
  const none = { NODE_URLS: "none", RATES_URL: "none" };
  try {
    const rows = await measureAll(product({ ...chain, ...listing }), [...PATHS, CHECK], port, log);
    const [whole] = rows.splice(-1);
    const checks = [
      { ...whole, path: "the hourly check of a chain and a listing" },
      ...(await measureAll(product({ ...none, ...chain }), [CHECK], port, log, "the hourly check of a chain")),
      ...(await measureAll(product(none), [CHECK], port, log, "the hourly check of a schedule alone")),
    ];
    const peers = [
      await measurePeer("a Worker that answers a constant", "bare.js", {}, port, log),
      await measurePeer("the same after one call of an object", "floor.js", { COUNTER: "Counter" }, port, log),
    ];
    return report(rows, checks, peers);
  } finally {
    await node.stop();
    node.removeState();
  }
}

/** Makes a deployment with these settings. */
const product = (vars) => ({
  ...productBundle({ ...vars, RATE_LIMIT_DEFAULT: "10000/60" }),
  main: WITH_CHECK,
  assets: join(ROOT, "dist", "page"),
});

/**
 * Measures a Worker without logic with as many requests, for the time that the runtime needs for its own garbage
 * collections.
 */
async function measurePeer(name, file, objects, port, log) {
  const vars = { STATUS: "200", BODY: "1000000000", FIELDS: "{}", SHARDS: "1" };
  const worker = { source: await peerBundle(file), vars, objects };
  const rows = await measureAll(worker, PATHS, port, log, name);
  return {
    path: name,
    statuses: "",
    median: median(rows.map((row) => row.median)),
    worst: worstOf(rows, "worst"),
    undisturbed: worstOf(rows, "undisturbed"),
    collected: rows.reduce((sum, { collected }) => sum + collected, 0),
  };
}

const worstOf = (rows, name) => Math.max(...rows.map((row) => row[name]));

/** Measures each path of a Worker. */
async function measureAll(worker, paths, port, log, name) {
  const edge = await serve({ ...worker, tracesCollections: true }, port);
  const callers = client(edge.url, 1);
  try {
    const rows = [];
    for (const [index, path] of paths.entries()) {
      const row = await measure(edge, callers, path, `10.0.0.${index + 1}`);
      rows.push({ ...row, path: name ?? path });
      log(`free plan: ${JSON.stringify(rows.at(-1))}`);
    }
    return rows;
  } finally {
    callers.close();
    await edge.stop();
    edge.removeState();
  }
}

/** Measures the processor time of the thread of Worker and objects, one request at a time. */
async function measure(edge, callers, path, caller) {
  const times = [];
  const undisturbed = [];
  const statuses = new Set();
  for (let sent = 0; sent < WARM_UP + REQUESTS; sent++) {
    const [before, collections] = [edge.mainThreadMs(), edge.collections()];
    const { status } = await callers.call(path, { headers: { "CF-Connecting-IP": caller } });
    const used = edge.mainThreadMs() - before;
    statuses.add(status);
    // The engine's line about a garbage collection comes through a pipe, in the turn of the response after it or before
    // it.
    await nextTurn();
    if (sent < WARM_UP) continue;
    times.push(used);
    if (edge.collections() === collections) undisturbed.push(used);
  }
  const collected = times.length - undisturbed.length;
  const worst = { worst: Math.max(...times), undisturbed: Math.max(...undisturbed) };
  return { path, median: median(times), ...worst, collected, statuses: [...statuses].join() };
}

function report(paths, checks, peers) {
  const rows = [...paths, ...checks];
  const slowest = paths.reduce((a, b) => (a.median > b.median ? a : b));
  const ms = (value) => value.toFixed(2);
  return `## Free plan

Processor time of one request in milliseconds, of ${REQUESTS} one after the other after ${WARM_UP}: that of the runtime's thread, so with the objects, the runtime itself and the work after the response, which the platform counts apart or not at all; the engine's own threads (compiler, collector) are left out. The chain node is another process. The platform's free plan gives a request ${PLAN_MS} ms, with tolerance for a Worker that exceeds it rarely.

The engine traces its collections of garbage, so each request is known to have had one or not. The runtime's own objects (a request, its fields, a call) are freed by full collections only, each of which stops the thread, after some thousand requests of any Worker (cloudflare/workerd#6824): the last two rows are Workers of a few lines, with ${REQUESTS * PATHS.length} requests each.

${table(
  ["path", "status", "median", "worst", "worst without a collection", "with a collection"],
  [...rows, ...peers].map(({ path, statuses, median: middle, worst, undisturbed, collected }) => [
    path.startsWith("/") ? `\`${path}\`` : path,
    path.startsWith("/") ? statuses : "",
    ms(middle),
    ms(worst),
    ms(undisturbed),
    collected,
  ]),
)}

${table(
  ["target", "goal", "measured", ""],
  [
    target(
      `median of the slowest path, \`${slowest.path}\``,
      `at most ${AIM_MS} ms`,
      `${ms(slowest.median)} ms`,
      slowest.median <= AIM_MS,
    ),
    ...checks.map(({ path, median: middle }) =>
      target(`median of ${path}`, `at most ${AIM_MS} ms`, `${ms(middle)} ms`, middle <= AIM_MS),
    ),
    target(
      "worst without a collection",
      `at most ${PLAN_MS} ms`,
      `${ms(worstOf(rows, "undisturbed"))} ms`,
      worstOf(rows, "undisturbed") <= PLAN_MS,
    ),
    target(
      "worst of all",
      `at most ${PLAN_MS} ms (a Worker of a few lines: ${ms(worstOf(peers, "worst"))} ms)`,
      `${ms(worstOf(rows, "worst"))} ms`,
      worstOf(rows, "worst") <= PLAN_MS,
    ),
  ],
)}`;
}
