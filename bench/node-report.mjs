import { count, median, percentile, table, target } from "./lib/figures.mjs";

/** The allowed ratio of read latencies between the longest and the shortest history: the noise between equal runs. */
const FLAT = 1.25;

/** The measurements of the embedded node, as Markdown. */
export function nodeReport(writing, stages, settings) {
  const { seconds, growSeconds, SENDERS, SAMPLES, SIZES, BLOCK_MS } = settings;
  const short =
    stages.length < SIZES.length ? `Longer histories were not requested, or not reached in ${growSeconds} s.` : "";
  return [
    "## Embedded node",
    `Transfers between ${SENDERS} accounts (ed25519), signed beforehand. Writing: default settings, runs of ${count(writing.transactions)}, medians of three; a block takes at most 500 transactions every 250 ms, so 2,000/s is the most there can be. Commit latency: from sending until a long poll knows of the commit. Reading: blocks every ${BLOCK_MS} ms, so that the history grows quickly, by batches over HTTP; latency one request at a time, medians of ${SAMPLES}; requests per second under 32 connections, ${Math.min(2, seconds)} s a run. ${short}`.trim(),
    table(["writing", "measured"], written(writing, stages)),
    table(readHead(stages), readRows(stages)),
    table(["target", "goal", "measured", ""], [flatness(stages)]),
  ].join("\n\n");
}

function written({ single, batched, lone, busy }, stages) {
  const latency = (list) => `p50 ${median(list).toFixed(0)} ms, p99 ${percentile(list, 0.99).toFixed(0)} ms`;
  const [first, last] = [stages[0], stages.at(-1)];
  const perVersion = (last.bytes - first.bytes) / (last.version - first.version);
  return [
    ["submitted one by one until committed", `${count(single)} a second`],
    ["submitted in batches of ten until committed", `${count(batched)} a second`],
    ["commit latency, one at a time", latency(lone)],
    ["commit latency at 100 transactions a second", latency(busy)],
    ...(first === last ? [] : [["disk for each version, all tables and indexes", `${count(perVersion)} bytes`]]),
  ];
}

function readHead(stages) {
  const latest = `requests/s at ${count(stages.at(-1).version)}`;
  return ["reading", latest, ...stages.map(({ version }) => `ms at ${count(version)}`), "ratio", "of processor time"];
}

function readRows(stages) {
  const [first, last] = [stages[0].reads, stages.at(-1).reads];
  return Object.keys(first).map((name) => [
    name,
    count(last[name].perSecond),
    ...stages.map(({ reads }) => reads[name].medianMs.toFixed(2)),
    ...["medianMs", "cpuMs"].map((figure) => (last[name][figure] / first[name][figure]).toFixed(2)),
  ]);
}

function flatness(stages) {
  const [first, last] = [stages[0], stages.at(-1)];
  const goal = `at most ${FLAT}`;
  if (first === last)
    return ["read latency of a long history", goal, `only ${count(first.version)} versions`, "not measured"];
  const ratio = (name) => last.reads[name].medianMs / first.reads[name].medianMs;
  const worst = Object.keys(first.reads).reduce((one, other) => (ratio(one) >= ratio(other) ? one : other));
  const what = `read latency at ${count(last.version)} over ${count(first.version)} versions, the worst endpoint (${worst})`;
  return target(what, goal, ratio(worst).toFixed(2), ratio(worst) <= FLAT);
}
