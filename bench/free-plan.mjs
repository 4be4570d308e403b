import { setImmediate as nextTurn } from "node:timers/promises";
import { genesisOf } from "../tools/start/genesis-settings.ts";
import { nodeBundle, productBundle } from "./lib/bundle.mjs";
import { client } from "./lib/client.ts";
import { median, table, target } from "./lib/figures.mjs";
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
/** The Worker with its hourly check at a path, because plain workerd has no cron. */
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

/** Processor time of each path and of the hourly check, whose node is in a process of its own. Returns Markdown. */
export async function freePlanSection({ port, log }) {
  const node = await serve(nodeBundle(genesisOf({}, Date.now())), port + 1);
  const [chain, listing] = [{ NODE_URLS: `${node.url}/v1` }, { RATES_URL: `${node.url}/rates` }];
  const none = { NODE_URLS: "none", RATES_URL: "none" };
  try {
    const rows = await measureAll({ ...chain, ...listing }, [...PATHS, CHECK], port, log);
    const [whole] = rows.splice(-1);
    const checks = [
      { ...whole, path: "the hourly check of a chain and a listing" },
      ...(await measureAll({ ...none, ...chain }, [CHECK], port, log, "the hourly check of a chain")),
      ...(await measureAll(none, [CHECK], port, log, "the hourly check of a schedule alone")),
    ];
    return report(rows, checks);
  } finally {
    await node.stop();
    node.removeState();
  }
}

/** Each path of a deployment with these settings. */
async function measureAll(vars, paths, port, log, name) {
  const product = productBundle({ ...vars, RATE_LIMIT_DEFAULT: "10000/60" });
  const edge = await serve({ ...product, main: WITH_CHECK, tracesCollections: true }, port);
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

/** One request at a time: what the thread of the Worker and its objects has used meanwhile. */
async function measure(edge, callers, path, caller) {
  const times = [];
  const undisturbed = [];
  const statuses = new Set();
  for (let sent = 0; sent < WARM_UP + REQUESTS; sent++) {
    const [before, collections] = [edge.mainThreadMs(), edge.collections()];
    const { status } = await callers.call(path, { headers: { "CF-Connecting-IP": caller } });
    const used = edge.mainThreadMs() - before;
    statuses.add(status);
    // What the engine says of a collection comes through a pipe, in the same turn as the response after it or before.
    await nextTurn();
    if (sent < WARM_UP) continue;
    times.push(used);
    if (edge.collections() === collections) undisturbed.push(used);
  }
  const collected = times.length - undisturbed.length;
  const worst = { worst: Math.max(...times), undisturbed: Math.max(...undisturbed) };
  return { path, median: median(times), ...worst, collected, statuses: [...statuses].join() };
}

function report(paths, checks) {
  const rows = [...paths, ...checks];
  const slowest = paths.reduce((a, b) => (a.median > b.median ? a : b));
  const ms = (value) => value.toFixed(2);
  return `## Free plan

Processor time of one request in milliseconds, of ${REQUESTS} one after the other after ${WARM_UP}: that of the runtime's thread, so with the objects, the runtime itself and the work after the response, which the platform counts apart or not at all; the engine's own threads (compiler, collector) are left out. The chain node is another process. The platform's free plan gives a request ${PLAN_MS} ms. The engine traces its collections of garbage, so each request is known to have had one or not.

${table(
  ["path", "status", "median", "worst", "worst without a collection", "with a collection"],
  rows.map(({ path, statuses, median: middle, worst, undisturbed, collected }) => [
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
      "worst of all",
      `at most ${PLAN_MS} ms`,
      `${ms(Math.max(...rows.map(({ worst }) => worst)))} ms`,
      rows.every(({ worst }) => worst <= PLAN_MS),
    ),
    target(
      "worst of all without a collection",
      `at most ${PLAN_MS} ms`,
      `${ms(Math.max(...rows.map(({ undisturbed }) => undisturbed)))} ms`,
      rows.every(({ undisturbed }) => undisturbed <= PLAN_MS),
    ),
  ],
)}`;
}
