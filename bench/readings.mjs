import { deploymentWorld } from "../test/support/deployment-world.ts";
import { startFarEdge } from "../test/support/far-edge.ts";
import { bucket, file, valid } from "../test/unit/supply/schedules.ts";
import { count, median, table } from "./lib/figures.mjs";
import { take, viewNode } from "./lib/view-node.mjs";

const HOLDINGS = [0, 10, 256];
const ROUND_TRIPS_MS = [40, 80, 120];
const UPSTREAM_MS = 20;
const HOUR_SECONDS = 3_600;
const POLL_SECONDS = 10;
const ROUNDS = 5;

/**
 * Measures the cost of readings of the chain, with one node and with two: calls per hour, and the time of the first
 * reading.
 */
export async function readingsSection({ log }) {
  const calls = [];
  for (const holdings of HOLDINGS)
    for (const nodes of [1, 2]) calls.push([holdings, nodes, count(await callsOfAnHour(holdings, nodes))]);
  const firsts = [];
  for (const nodes of [1, 2]) firsts.push(...(await firstReadings(nodes, log)));
  return `## Readings

The figures of the chain. Calls: three bare numbers, the stable supply and the breakdown, polled every ${POLL_SECONDS} s for an hour of a virtual clock, wherever the callers are: one object reads for all regions. A call is a view; each reading also probes each node once, with the health check's own request. Holdings are accounts. Native staking adds three views of each node to a reading. Before readings were of two nodes, and made by one object, the same polls cost 827, 1,347 and 14,139 views in each region.

${table(["holdings", "nodes", "views an hour, all nodes together"], calls)}

The first reading of a deployment, of the sample schedule's wallets, at distances: R is the round trip from the isolate to the object, nodes answer after ${UPSTREAM_MS} ms. Later callers wait for no node: a reading younger than an hour is served while the next one is made. Where a copy of an isolate is not fresh any more, one request of it asks the object first.

${table(["R ms", "nodes", "first answer, p50 ms", "next answer, p50 ms", "calls of the reading", "bytes of the reading"], firsts)}
`;
}

async function callsOfAnHour(holdings, nodes) {
  const wallets = Array.from({ length: holdings }, (_, index) => ({
    chain: "native",
    address: `0x${(index + 0xa00).toString(16)}`,
    label: `Wallet ${index}`,
    category: "team",
    holds: "account",
  }));
  const buckets = [bucket({ allocation: "1000000000", genesis: "1000000000" })];
  const world = deploymentWorld({
    schedule: valid(file({ max_supply: "1000000000", buckets, wallets })),
    nodes: Array.from({ length: nodes }, (_, index) => `upstream-${index + 1}`),
    settings: { RATES_URL: "none" },
  });
  const paths = ["total-supply", "circulating-supply-on-chain", "burned-supply", "stable-supply", "supply-breakdown"];
  for (let seconds = 0; seconds < HOUR_SECONDS; seconds += POLL_SECONDS) {
    for (const path of paths) await world.get(`/api/${path}`);
    world.pass(POLL_SECONDS);
  }
  return world.nodes.reduce((sum, node) => sum + node.calls.length, 0);
}

async function firstReadings(nodeCount, log) {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => viewNode(UPSTREAM_MS)));
  const urls = nodes.map(({ url }) => url);
  const rows = [];
  for (const R of ROUND_TRIPS_MS) {
    const [first, next, calls, bytes] = [[], [], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const far = await startFarEdge(urls, { RATES_URL: "none", STABLE_ASSET: "0xabc" });
      await far.set({ isolateToObjectMs: R, objectToObjectMs: R / 2, jitter: 0.1 });
      // Starts the isolates and objects without a reading.
      for (const url of far.urls) await timed(`${url}/api/max-supply`);
      for (const node of nodes) take(node);
      first.push(await timed(`${far.urls[0]}/api/total-supply`));
      const taken = nodes.map(take);
      calls.push(taken.reduce((sum, each) => sum + each.calls, 0));
      bytes.push(taken.reduce((sum, each) => sum + each.bytes, 0));
      next.push(await timed(`${far.urls[0]}/api/circulating-supply-on-chain`));
      await far.close();
    }
    rows.push([R, nodeCount, median(first).toFixed(0), median(next).toFixed(0), median(calls), count(median(bytes))]);
    log(`readings: R = ${R} ms, ${nodeCount} nodes: ${median(first).toFixed(0)} ms`);
  }
  await Promise.all(nodes.map((node) => node.stop()));
  return rows;
}

async function timed(url) {
  const startedAtMs = performance.now();
  const response = await fetch(url, { headers: { "CF-Connecting-IP": "192.0.2.9" } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
  return performance.now() - startedAtMs;
}
