import { count, median, table, target } from "./lib/figures.mjs";

const SUPPLY = "`/api/circulating-supply`";

/** Writes the measurements of the gateway and its alternatives as Markdown. */
export function gatewayReport(measured) {
  const { subjects, loads, found, misses, settings } = measured;
  const { seconds, callers, BLOCK_MS } = settings;
  const supply = median(loads.get("ours").supply.map(({ perSecond }) => perSecond));
  return [
    "## Gateway",
    `Before one node with bodies of 2 KB and a block every ${BLOCK_MS} ms; limiter (10,000 requests a minute), cache and shield as deployed; ${count(callers)} callers, 32 connections, ${seconds} s a run, medians. The mix is 500 committed transactions, and tip reads of 50 accounts in four forms each. nginx: proxy_cache, proxy_cache_lock, limit_req (Debian's package, one worker process). Hono: its cache and proxy modules, no limiter. Both keep what is committed for a day and all else for a second.`,
    table(
      ["", ...subjects.map(({ name }) => name)],
      [
        ...speeds(measured),
        ...Object.keys(found.ours).map((what) => [what, ...subjects.map(({ name }) => found[name][what])]),
      ],
    ),
    table(["target", "goal", "measured", ""], targets(measured)),
    `${SUPPLY}: ${count(supply)} requests/s. The node called directly, one request at a time: ${misses["the node itself"].toFixed(2)} ms.${hasPeer(subjects, "nginx") ? "" : " Without nginx, which is not installed here."}`,
    "Processor time of the whole process per request, with limiter, cache and socket; the bare Worker sends the body and header fields of the committed read, also where it is compared with `/api/circulating-supply`:",
    table(["request", "processor time", "relative to the bare Worker", "relative requests/s"], costs(measured)),
  ].join("\n\n");
}

function speeds({ subjects, loads, misses }) {
  const row = (what, figure) => [what, ...subjects.map(({ name }) => figure(loads.get(name), name))];
  const mid = (runs, figure) => median(runs.map(figure));
  const hits = ({ calls, requests }) => Math.max(0, 1 - calls / requests) * 100;
  return [
    row("a committed read, requests/s", ({ committed }) => count(mid(committed, ({ perSecond }) => perSecond))),
    row("a tip read, requests/s", ({ tip }) => count(mid(tip, ({ perSecond }) => perSecond))),
    row("a tip read, p99", ({ tip }) => `${mid(tip, ({ p99Ms }) => p99Ms).toFixed(1)} ms`),
    row("upstream calls per 10,000 tip reads", ({ tip }) => mid(tip, perTenThousand).toFixed(2)),
    row("the mix, requests/s", ({ mix }) => count(mid(mix, ({ perSecond }) => perSecond))),
    row("the mix, p99", ({ mix }) => `${mid(mix, ({ p99Ms }) => p99Ms).toFixed(1)} ms`),
    row("the mix, hit rate", ({ mix }) => `${mid(mix, hits).toFixed(2)} %`),
    row("the mix, upstream calls a second", ({ mix }) => count(mid(mix, ({ calls, seconds }) => calls / seconds))),
    row("a miss alone, median", (_, name) => `${misses[name].toFixed(2)} ms`),
    row("a miss alone, p99", (_, name) => `${misses[`${name}, p99`].toFixed(2)} ms`),
  ];
}

function costs({ loads }) {
  const mid = (runs, figure) => median(runs.map((run) => run[figure]));
  const bare = loads.get("bare Worker").committed;
  const row = (what, runs) => [
    what,
    `${count(mid(runs, "cpuMicros"))} µs`,
    (mid(runs, "cpuMicros") / mid(bare, "cpuMicros")).toFixed(2),
    (mid(runs, "perSecond") / mid(bare, "perSecond")).toFixed(2),
  ];
  const { committed, tip, supply } = loads.get("ours");
  return [
    row("a committed read of 2 KB, hit", committed),
    row("a tip read of 2 KB, hit", tip),
    row(SUPPLY, supply),
    row("Hono proxy, a committed read", loads.get("Hono proxy, Cache API").committed),
    row("bare Worker", bare),
  ];
}

const hasPeer = (subjects, wanted) => subjects.some(({ name }) => name === wanted);

function perTenThousand({ calls, requests }) {
  return (calls / requests) * 10_000;
}

function targets({ loads, misses }) {
  const { supply, tip, ...others } = loads.get("ours");
  const share = (runs) => median(runs.map(({ perSecond }, round) => perSecond / supply[round].perSecond));
  const atLeast = (what, goal, value) => target(what, `at least ${goal}`, value.toFixed(2), value >= goal);
  const added = misses.ours - misses["the node itself"];
  const perAdvance = median(tip.map(({ calls, ledgerCalls, advances }) => (calls - ledgerCalls) / advances));
  return [
    atLeast(`a committed read of 2 KB over ${SUPPLY}`, 0.9, share(others.committed)),
    atLeast(`a tip read of 2 KB over ${SUPPLY}`, 0.9, share(tip)),
    target(
      "time of a miss beyond the node's own",
      `at most one hop (${misses["one hop"].toFixed(2)} ms: ${SUPPLY} called alone)`,
      `${added.toFixed(2)} ms`,
      added <= misses["one hop"],
    ),
    target(
      "upstream calls for a tip key per version that the node reported",
      "at most 1",
      perAdvance.toFixed(2),
      perAdvance <= 1,
    ),
  ];
}
