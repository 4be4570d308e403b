import { COIN, checks } from "./gateway-checks.mjs";
import { gatewayReport } from "./gateway-report.mjs";
import { peerBundle, productBundle } from "./lib/bundle.mjs";
import { client } from "./lib/client.ts";
import { count, median, percentile } from "./lib/figures.mjs";
import { hasNginx } from "./lib/machine.mjs";
import { nginx } from "./lib/nginx.mjs";
import { fastNode } from "./lib/upstream.mjs";
import { serve } from "./lib/workerd.mjs";
import { copiedFields, load, look } from "./lib/wrk.mjs";

const BODY_BYTES = 2_048;
const BLOCK_MS = 250;
const COMMITTED = { path: "/v1/transactions/by_version/1234567" };
const TIP = { path: `/v1/accounts/0xa/resource/${COIN}` };
const SUPPLY = { path: "/api/circulating-supply" };
/** Five hundred committed transactions and fifty accounts, each account in four forms of its address. */
const MIX = Array.from({ length: 1_000 }, (_, number) =>
  number % 2 === 0
    ? { path: `/v1/transactions/by_version/${2_000_000 + (number >> 1)}` }
    : { path: `/v1/accounts/${forms(256 + ((number >> 1) % 50))[(number >> 1) % 4]}/resource/${COIN}` },
);

/** Measures the gateway before a fast node, compared with the alternatives. Returns Markdown. */
export async function gatewaySection({ rounds, seconds, callers, port, log }) {
  const product = productBundle();
  const cache = await peerBundle("cache.js");
  const running = [];
  const begun = async (server) => {
    running.unshift(await server);
    return running[0];
  };
  try {
    const node = await begun(fastNode({ port: port + 2, bodyBytes: BODY_BYTES, blockMs: BLOCK_MS }));
    const vars = { ...product.vars, NODE_URLS: `${node.url}/v1`, RATE_LIMIT_NODE: "10000/60" };
    const ours = await begun(serve({ ...product, vars, cache }, port));
    const hono = { source: await peerBundle("hono-proxy.js"), vars: { UPSTREAM: node.url }, cache };
    const subjects = [
      { name: "ours", server: ours, rounds, kinds: { supply: [SUPPLY], committed: [COMMITTED], tip: [TIP], mix: MIX } },
      ...(hasNginx() ? [peer("nginx", await begun(nginx(node.url, port + 1)), rounds)] : []),
      peer("Hono proxy, Cache API", await begun(serve(hono, port + 3)), rounds),
    ];
    const bare = await begun(serve(await bareWorker(ours.url), port + 4));
    const bareSubject = { name: "bare Worker", server: bare, rounds, kinds: { committed: [COMMITTED] } };
    const loads = await loaded([...subjects, bareSubject], node, { seconds, callers, log });
    const misses = await missed(subjects, node, log);
    const found = {};
    for (const { name, server } of subjects) found[name] = await checks(server.url, node, seconds);
    return gatewayReport({ subjects, loads, misses, found, settings: { seconds, callers, BLOCK_MS } });
  } finally {
    for (const server of running) {
      await server.stop();
      server.removeState?.();
    }
  }
}

function peer(name, server, rounds) {
  return { name, server, rounds: Math.ceil(rounds / 2), kinds: { committed: [COMMITTED], tip: [TIP], mix: MIX } };
}

/** A Worker that only sends the body and header fields of our committed read. */
async function bareWorker(url) {
  const { status, fields, body } = await look(url + COMMITTED.path, "192.0.2.1");
  const source = await peerBundle("bare.js");
  return { source, vars: { STATUS: String(status), BODY: body, FIELDS: JSON.stringify(copiedFields(fields)) } };
}

async function loaded(subjects, node, { seconds, callers, log }) {
  const loads = new Map();
  for (const { name, server, rounds, kinds } of subjects) {
    const runs = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    loads.set(name, runs);
    if (kinds.mix !== undefined) await load(server.url, { seconds: 2, callers, order: "once", requests: MIX });
    for (let round = 1; round <= rounds; round++) {
      for (const [kind, calls] of Object.entries(kinds)) {
        node.take();
        const cpuBefore = server.cpuMs?.();
        const run = await load(server.url, { seconds, callers, requests: calls });
        if (run.refused + run.failed > 0)
          throw new Error(`${name}, ${kind}: ${run.refused} refused, ${run.failed} failed`);
        const cpuMicros = cpuBefore === undefined ? null : ((server.cpuMs() - cpuBefore) / run.requests) * 1_000;
        runs[kind].push({ ...run, ...node.take(), cpuMicros });
        log(`gateway: round ${round} of ${rounds}: ${name}, ${kind}: ${count(run.perSecond)} requests/s`);
      }
    }
  }
  return loads;
}

/**
 * Measures one request at a time, each kind in turn: the node itself, a hop to the edge, and a miss through each
 * subject.
 */
async function missed(subjects, node, log) {
  const routes = [
    ["the node itself", node.url, (number) => `/v1/transactions/by_version/${number}`],
    ["one hop", subjects[0].server.url, () => SUPPLY.path],
    ...subjects.map(({ name, server }) => [name, server.url, (number) => `/v1/transactions/by_version/${number}`]),
  ];
  const clients = routes.map(([name, url, path]) => ({ name, path, times: [], ...client(url, 1) }));
  for (let sample = 0; sample < 420; sample++) {
    for (const { call, path, times } of clients) {
      const headers = { "CF-Connecting-IP": `192.0.${sample >> 8}.${sample & 255}` };
      const { status, milliseconds } = await call(path(3_000_000 + sample), { headers });
      if (status !== 200) throw new Error(`a miss was answered ${status}`);
      if (sample >= 20) times.push(milliseconds);
    }
  }
  for (const { close } of clients) close();
  const misses = Object.fromEntries(
    clients.flatMap(({ name, times }) => [
      [name, median(times)],
      [`${name}, p99`, percentile(times, 0.99)],
    ]),
  );
  log(`gateway: a miss in ${misses.ours.toFixed(2)} ms, the node in ${misses["the node itself"].toFixed(2)} ms`);
  return misses;
}

function forms(number) {
  const digits = number.toString(16);
  return [`0x${digits}`, `0x${digits.padStart(64, "0")}`, digits, `0x${digits.toUpperCase()}`];
}
