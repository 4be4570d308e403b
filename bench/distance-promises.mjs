import { hashOf } from "../test/support/fake-chain.ts";
import { client } from "./lib/client.ts";
import { median, percentile, table, target } from "./lib/figures.mjs";

const ROUND_TRIP_MS = 40;
const SLOW_NODE_MS = 500;
const UPSTREAM_MS = 20;

/** Measures how much concurrent requests delay one another, at a round trip of 40 ms. Returns Markdown. */
export async function promisesPart(far, node, log) {
  await far.set({ isolateToObjectMs: ROUND_TRIP_MS, objectToObjectMs: ROUND_TRIP_MS / 2, jitter: 0.1 });
  const clients = far.urls.map((url) => client(url, 1_000));
  let callers = 0;
  const read = async (path) => {
    callers += 1;
    const headers = { "CF-Connecting-IP": `10.9.${(callers >> 8) & 255}.${callers & 255}` };
    const answer = await clients[callers % clients.length].call(path, { headers });
    return answer;
  };
  const readAll = async (paths) => {
    const startedAt = performance.now();
    const answers = await Promise.all(paths.map(read));
    const failed = answers.filter(({ status }) => status !== 200).length;
    if (failed > 0) throw new Error(`${failed} of ${paths.length} reads failed`);
    return { ms: performance.now() - startedAt, times: answers.map(({ milliseconds }) => milliseconds) };
  };
  try {
    // Opens connections and lets every shard recognize the chain.
    await readAll(accounts(0x40_000, 240));
    log("distance: promises: every shard is warm");
    node.delayMs = SLOW_NODE_MS;
    const many = await readAll(accounts(0x41_000, 240));
    const before = node.requests.length;
    await readAll(Array.from({ length: 1_000 }, () => "/v1/accounts/0x42000"));
    const calls = node.requests.slice(before).filter(({ path }) => path === "/accounts/0x42000").length;
    log(`distance: promises: ${many.ms.toFixed(0)} ms for 240 reads, ${calls} upstream call for 1,000`);
    node.delayMs = UPSTREAM_MS;
    const undisturbed = await readAll(accounts(0x43_000, 24));
    const polls = await longPolls(node, read, log);
    const beside = await readAll(accounts(0x44_000, 24));
    const stillWaiting = polls.waiting();
    await polls.end();
    log(
      `distance: promises: ${many.ms.toFixed(0)} ms, ${calls} calls, ${median(beside.times).toFixed(0)} ms beside polls`,
    );
    return report({ many, calls, undisturbed, beside, stillWaiting });
  } finally {
    node.fault = () => null;
    node.delayMs = UPSTREAM_MS;
    for (const { close } of clients) close();
  }
}

/** Starts 120 long polls that the node accepts and does not answer. */
async function longPolls(node, read, log) {
  const isPoll = ({ path }) => path.includes("wait_by_hash");
  node.fault = (request) => (isPoll(request) ? "hang" : null);
  const first = node.served.length;
  let waiting = 120;
  const polls = Array.from({ length: waiting }, (_none, index) =>
    read(`/v1/transactions/wait_by_hash/${hashOf(9_000_000n + BigInt(index))}`).finally(() => (waiting -= 1)),
  );
  const untilMs = performance.now() + 10_000;
  while (node.served.length - first < 100 && performance.now() < untilMs)
    await new Promise((resolve) => setTimeout(resolve, 10));
  log(`distance: promises: ${node.served.length - first} long polls are waiting at the node`);
  return { waiting: () => waiting, end: () => Promise.allSettled(polls) };
}

function accounts(first, count) {
  return Array.from({ length: count }, (_none, index) => `/v1/accounts/0x${(first + index).toString(16)}`);
}

function report({ many, calls, undisturbed, beside, stillWaiting }) {
  const added = median(beside.times) - median(undisturbed.times);
  return `Concurrent requests, R = ${ROUND_TRIP_MS} ms, three isolates:

${table(
  ["promise", "goal", "measured", ""],
  [
    target(
      `240 different cold reads, a node that takes ${SLOW_NODE_MS} ms`,
      "all within 1,500 ms",
      `${many.ms.toFixed(0)} ms (p50 ${median(many.times).toFixed(0)}, p99 ${percentile(many.times, 0.99).toFixed(0)})`,
      many.ms <= 1_500,
    ),
    target("1,000 concurrent cold reads of one key", "1 upstream call", String(calls), calls === 1),
    target(
      `24 cold reads beside ${stillWaiting} long polls, p50`,
      "at most 30 ms more than without them",
      `${median(beside.times).toFixed(0)} ms, without ${median(undisturbed.times).toFixed(0)} ms`,
      added <= 30 && stillWaiting > 100,
    ),
  ],
)}`;
}
