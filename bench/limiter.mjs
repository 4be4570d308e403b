import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { edgeDefaults } from "../tools/edge-settings.ts";
import { peerBundle, productBundle } from "./lib/bundle.mjs";
import { count, median } from "./lib/figures.mjs";
import { serve } from "./lib/workerd.mjs";
import { copiedFields, load, look } from "./lib/wrk.mjs";
import { limiterReport } from "./limiter-report.mjs";

const PATH = "/api/circulating-supply";
/** Most callers for subjects with an object per caller, because each object takes milliseconds to start. */
const MAX_CALLERS_WITH_OBJECTS = 2_000;

/** Measures the limiter against the floor, the ceiling and the alternatives. Returns Markdown. */
export async function limiterSection({ rounds, seconds, callers, port, log }) {
  const product = productBundle();
  const plan = await subjects(product, port);
  const runs = new Map(plan.map(({ name }) => [name, []]));
  const journal = [];
  for (let round = 1; round <= rounds; round++) {
    for (const subject of plan) {
      const run = await measure(subject, { seconds, callers, port });
      runs.get(subject.name).push(run);
      if (run.rowsPerThousand !== undefined) journal.push(run.rowsPerThousand);
      log(`round ${round} of ${rounds}: ${subject.name}: ${count(run.warm.perSecond)} requests/s`);
    }
  }
  const start = await started(plan, port);
  return limiterReport(plan, runs, {
    path: PATH,
    journal,
    product,
    callers,
    callersWithObjects: MAX_CALLERS_WITH_OBJECTS,
    start,
  });
}

/** Every subject sends the product's body and header fields. */
async function subjects(product, port) {
  const ours = await serve(product, port);
  const admitted = await look(ours.url + PATH, "192.0.2.1");
  await load(ours.url + PATH, { seconds: 1, callers: 1 });
  const refused = await look(ours.url + PATH, "10.0.0.1");
  await ours.stop();
  ours.removeState();
  if (admitted.status !== 200 || refused.status !== 429)
    throw new Error(`the product answered ${admitted.status} and ${refused.status}, not 200 and 429`);
  const like = ({ status, fields, body }) => ({
    STATUS: String(status),
    BODY: body,
    FIELDS: JSON.stringify(copiedFields(fields)),
  });
  const shards = { SHARDS: edgeDefaults().LIMITER_SHARDS };
  const peer = async (file, vars, objects = {}) => ({ source: await peerBundle(file), vars, objects });
  return [
    { name: "bare Worker, admitted answer", worker: await peer("bare.js", like(admitted)) },
    { name: "RPC floor", worker: await peer("floor.js", { ...like(admitted), ...shards }, { COUNTER: "Counter" }) },
    { name: "ours, many callers", worker: product, isOurs: true },
    { name: "ours, one caller far over its quota", worker: product, floods: true },
    { name: "bare Worker, refused answer", worker: await peer("bare.js", like(refused)), refuses: true },
    {
      name: "hono-rate-limiter, Durable Object store",
      worker: await peer("hono.js", like(admitted), { LIMITER: "DurableObjectRateLimiter" }),
      isPerCaller: true,
    },
    {
      name: "one object per IP",
      worker: await peer("one-per-ip.js", like(admitted), { RATE_LIMITER: "RateLimiter" }),
      isPerCaller: true,
    },
  ];
}

/** Cold: a new process and disk. Warm: every caller has made one request. */
async function measure(
  { name, worker, floods = false, refuses = false, isPerCaller = false, isOurs = false },
  { seconds, callers, port },
) {
  const server = await serve(worker, port);
  const url = server.url + PATH;
  const count = floods ? 1 : isPerCaller ? Math.min(callers, MAX_CALLERS_WITH_OBJECTS) : callers;
  const requested = { seconds, callers: count };
  const cold = await load(url, requested);
  let met = cold.requests;
  while (isPerCaller && met < 2 * count)
    met += (await load(url, { seconds: 1, callers: count, order: "once" })).requests;
  const cpuBefore = server.cpuMs();
  const warm = await load(url, requested);
  warm.cpuMicros = ((server.cpuMs() - cpuBefore) / warm.requests) * 1_000;
  await server.stop();
  const wrong = floods ? warm.requests - warm.refused : refuses ? 0 : warm.refused;
  if (wrong > 60 || warm.failed > 0) throw new Error(`${name}: ${wrong} wrong answers, ${warm.failed} failed`);
  const rows = isOurs ? journalRows(server.disk) : 0;
  server.removeState();
  return { cold, warm, ...(isOurs ? { rowsPerThousand: (rows / (cold.requests + warm.requests)) * 1000 } : {}) };
}

/**
 * Measures the time from the process's start to its first answer: medians of nine, and the product's time beyond a bare
 * Worker's.
 */
async function started(plan, port) {
  const times = { bare: [], ours: [] };
  for (let run = 0; run < 9; run++) {
    for (const [name, worker] of [
      ["bare", plan[0].worker],
      ["ours", plan.find(({ isOurs }) => isOurs).worker],
    ]) {
      const server = await serve(worker, port);
      times[name].push(server);
      await server.stop();
      server.removeState();
    }
  }
  const over = (figure) => median(times.ours.map(figure)) - median(times.bare.map(figure));
  return { ms: over(({ startMs }) => startMs), cpuMs: over(({ startCpuMs }) => startCpuMs) };
}

/** Rows in the journals on disk. A run is shorter than the window, so none was overwritten. */
function journalRows(disk) {
  const files = readdirSync(disk, { recursive: true }).filter((name) => name.endsWith(".sqlite"));
  let rows = 0;
  for (const file of files) {
    const database = new DatabaseSync(join(disk, file), { readOnly: true });
    if (database.prepare("SELECT name FROM sqlite_master WHERE name = '_cf_KV'").get() !== undefined)
      rows += Number(database.prepare("SELECT count(*) AS n FROM _cf_KV WHERE key LIKE 'admissions/%'").get().n);
    database.close();
  }
  return rows;
}
