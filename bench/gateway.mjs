import { COIN, checks } from "./gateway-checks.mjs";
import { gatewayReport } from "./gateway-report.mjs";
import { peerBundle, productBundle } from "./lib/bundle.mjs";
import { client, inParallel } from "./lib/client.mjs";
import { count, median, percentile } from "./lib/figures.mjs";
import { nginx } from "./lib/nginx.mjs";
import { fastNode } from "./lib/upstream.mjs";
import { serve } from "./lib/workerd.mjs";
import { load } from "./lib/wrk.mjs";

const BODY_BYTES = 2_048;
const BLOCK_MS = 250;
const KEYS = [1_000, 10_000, 100_000, 1_000_000];
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
export async function gatewaySection({ rounds, seconds, callers, keysSeconds, port, say }) {
  const product = productBundle();
  const cache = await peerBundle("cache.js");
  const running = [];
  const begun = async (server) => {
    running.unshift(await server);
    return running[0];
  };
  try {
    const node = await begun(fastNode({ port: port + 2, bodyBytes: BODY_BYTES, blockMs: BLOCK_MS }));
    const start = () =>
      begun(serve({ ...product, vars: { ...product.vars, NODE_URLS: `${node.url}/v1` }, cache }, port));
    const ours = await start();
    const other = await begun(nginx(node.url, port + 1));
    const hono = { source: await peerBundle("hono-proxy.js"), vars: { UPSTREAM: node.url }, cache };
    const proxy = await begun(serve(hono, port + 3));
    const subjects = [
      { name: "ours", url: ours.url, rounds },
      { name: "nginx", url: other.url, rounds: Math.ceil(rounds / 2) },
      { name: "Hono proxy, Cache API", url: proxy.url, rounds: Math.ceil(rounds / 2) },
    ];
    const loads = await loaded(subjects, node, { seconds, callers, say });
    const misses = await missed(subjects, node, say);
    const found = {};
    for (const { name, url } of subjects) found[name] = await checks(url, node, seconds);
    await Promise.all([other.stop(), proxy.stop(), ours.stop()]);
    const memory = await keys(await start(), { keysSeconds, say });
    return gatewayReport({
      subjects,
      loads,
      misses,
      found,
      memory,
      settings: { seconds, callers, keysSeconds, BLOCK_MS },
    });
  } finally {
    for (const server of running) {
      await server.stop();
      server.removeState?.();
    }
  }
}

async function loaded(subjects, node, { seconds, callers, say }) {
  const loads = new Map(subjects.map(({ name }) => [name, { supply: [], committed: [], tip: [], mix: [] }]));
  for (const { name, url, rounds } of subjects) {
    const kinds = { ...(name === "ours" ? { supply: [SUPPLY] } : {}), committed: [COMMITTED], tip: [TIP], mix: MIX };
    await load(url, { seconds: 2, callers, order: "once", asks: MIX });
    for (let round = 1; round <= rounds; round++) {
      for (const [kind, calls] of Object.entries(kinds)) {
        node.take();
        const run = await load(url, { seconds, callers, asks: calls });
        if (run.refused + run.failed > 0)
          throw new Error(`${name}, ${kind}: ${run.refused} refused, ${run.failed} failed`);
        loads.get(name)[kind].push({ ...run, ...node.take() });
        say(`gateway: round ${round} of ${rounds}: ${name}, ${kind}: ${count(run.perSecond)} requests/s`);
      }
    }
  }
  return loads;
}

/** One request at a time, each kind in turn: the node itself, a hop to the edge, and a miss through each subject. */
async function missed(subjects, node, say) {
  const routes = [
    ["the node itself", node.url, (number) => `/v1/transactions/by_version/${number}`],
    ["one hop", subjects[0].url, () => SUPPLY.path],
    ...subjects.map(({ name, url }) => [name, url, (number) => `/v1/transactions/by_version/${number}`]),
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
  say(`gateway: a miss in ${misses.ours.toFixed(2)} ms, the node in ${misses["the node itself"].toFixed(2)} ms`);
  return misses;
}

/** Distinct committed reads, each a miss, as far as the time allows; reports resident memory at each power of ten. */
async function keys(server, { keysSeconds, say }) {
  const { call: send, close } = client(server.url, 32);
  const untilMs = performance.now() + keysSeconds * 1_000;
  const numbers = (function* () {
    for (let number = 0; number < KEYS.at(-1) && performance.now() < untilMs; number++) yield number;
  })();
  const stages = [{ keys: 0, bytes: server.residentBytes() }];
  let done = 0;
  await inParallel(numbers, 32, async (number) => {
    const headers = { "CF-Connecting-IP": `10.${(number >> 8) & 31}.${number & 255}.1` };
    const { status } = await send(`/v1/transactions/by_version/${number}`, { headers });
    if (status !== 200) throw new Error(`a distinct read was answered ${status}`);
    if (!KEYS.includes(++done)) return;
    stages.push({ keys: done, bytes: server.residentBytes() });
    say(`gateway: ${count(done)} keys, ${count(stages.at(-1).bytes / 1_048_576)} MiB`);
  });
  if (stages.at(-1).keys !== done) stages.push({ keys: done, bytes: server.residentBytes() });
  close();
  return stages;
}

function forms(number) {
  const digits = number.toString(16);
  return [`0x${digits}`, `0x${digits.padStart(64, "0")}`, digits, `0x${digits.toUpperCase()}`];
}
