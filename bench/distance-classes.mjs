import { setTimeout as pause } from "node:timers/promises";
import { median, percentile } from "./lib/figures.mjs";

export const MODES = [
  { name: "quiet", perSecond: 2, count: 10 },
  { name: "busy", perSecond: 40, count: 80 },
];

/**
 * Cost of a request at a distance, in round trips and calls, by class of request. `budgetMs` is the design's budget for
 * the median, in terms of R, B and U.
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

/** Measures each class in each mode at this round trip. */
export async function classesAt(world, { far, clients }, log) {
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
      log(
        `distance: R = ${world.R} ms, ${mode.name}, ${kind.name}: ${run.p50.toFixed(0)} ms, ${run.calls.toFixed(2)} calls`,
      );
    }
  return rows;
}

async function measure({ far, clients, kind, mode, first }) {
  await far.takeCounts();
  const running = [];
  for (let index = 0; index < mode.count; index += 1) {
    running.push(sendOne(clients[index % clients.length], kind, first + index, index));
    await pause(1_000 / mode.perSecond);
  }
  const answers = await Promise.all(running);
  const times = answers.map(({ milliseconds }) => milliseconds);
  const hits = answers.filter(({ fields }) => String(fields["cache-status"]).includes("hit"));
  return {
    p50: median(times),
    p90: percentile(times, 0.9),
    hits: hits.length / mode.count,
    ...callsPerRequest(await far.takeCounts(), mode.count),
  };
}

async function sendOne({ call }, kind, number, index) {
  const { method, body, headers = {} } = kind.init?.(number) ?? {};
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const answer = await call(kind.path(number), { method, body, headers: { ...headers, "CF-Connecting-IP": address } });
  if (answer.status >= 300) throw new Error(`${kind.name} was answered ${answer.status}`);
  return answer;
}

function callsPerRequest(counts, requests) {
  const isUpstream = (name) => name.endsWith("upstream");
  const perRequest = (isCounted) => {
    const counted = Object.entries(counts).filter(([name]) => isCounted(name));
    return counted.reduce((sum, [, calls]) => sum + calls, 0) / requests;
  };
  return {
    calls: perRequest((name) => name.startsWith("isolate ") && !isUpstream(name)),
    between: perRequest((name) => name.startsWith("object ") && !isUpstream(name)),
    upstream: perRequest(isUpstream),
  };
}
