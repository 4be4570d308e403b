import { peerBundle } from "./lib/bundle.mjs";
import { client } from "./lib/client.ts";
import { median, percentile, table } from "./lib/figures.mjs";
import { hasNginx } from "./lib/machine.mjs";
import { nginx } from "./lib/nginx.mjs";
import { fastNode } from "./lib/upstream.mjs";
import { serve } from "./lib/workerd.mjs";

const ROUND_TRIP_MS = 40;
const SAMPLES = 50;
const CACHED = "/v1/transactions/by_version/5";

/**
 * Measures the latency of a cached read when limiter objects are 40 ms away, with and without an exact limit. Returns
 * Markdown.
 */
export async function peersPart(far, port, log) {
  await far.set({ isolateToObjectMs: ROUND_TRIP_MS, objectToObjectMs: ROUND_TRIP_MS / 2, jitter: 0 });
  const node = await fastNode({ port, bodyBytes: 500, blockMs: 250 });
  const cache = await peerBundle("cache.js");
  const source = await peerBundle("hono-proxy.js");
  const objects = { LIMITER: "LimiterShard", STORE: "DurableObjectRateLimiter" };
  const hono = (LIMIT, index) =>
    serve(
      { source, cache, objects, vars: { UPSTREAM: node.url, LIMIT, ROUND_TRIP_MS: String(ROUND_TRIP_MS) } },
      port + index,
    );
  const running = [node];
  const start = async (name, limit, starting) => {
    const server = await starting;
    running.push(server);
    return { name, limit, url: server.url };
  };
  try {
    const subjects = [
      { name: "ours", limit: "exact, with monotonic reads", url: far.urls[0] },
      ...(hasNginx() ? [await start("nginx", "of one machine", nginx(node.url, port + 1))] : []),
      await start("Hono proxy", "none", hono("none", 2)),
      await start("Hono proxy, our limiter object", "exact", hono("object", 3)),
      await start("Hono proxy, hono-rate-limiter", "fixed windows, in a shared store", hono("store", 4)),
    ];
    const rows = [];
    for (const { name, limit, url } of subjects) rows.push([name, limit, ...(await cachedReads(url, name, log))]);
    return `A cached read, R = ${ROUND_TRIP_MS} ms to the object that counts, one request at a time, ${SAMPLES} samples${hasNginx() ? "" : " (without nginx, which is not installed here)"}:

${table(["subject", "limit", "p50 ms", "p90 ms"], rows)}

A limit for a whole region costs one R in any implementation; monotonic reads of a caller add nothing to it.`;
  } finally {
    for (const server of running) {
      await server.stop();
      server.removeState?.();
    }
  }
}

async function cachedReads(url, name, log) {
  const { call, close } = client(url, 1);
  const times = [];
  for (let sample = -5; sample < SAMPLES; sample += 1) {
    const { status, milliseconds } = await call(CACHED, { headers: { "CF-Connecting-IP": "198.18.0.2" } });
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    if (sample >= 0) times.push(milliseconds);
  }
  close();
  log(`distance: cached read, ${name}: ${median(times).toFixed(1)} ms`);
  return [median(times).toFixed(1), percentile(times, 0.9).toFixed(1)];
}
