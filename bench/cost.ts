import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ASSUMED,
  AWAKE_DOLLARS,
  CALLS,
  FREE_DAY,
  MONTH_DAYS,
  monthOf,
  PRICES,
  totalOf,
  unsampled,
  useOfDay,
} from "./lib/cost-model.ts";

const POLLS_PER_DAY = 1_440;
const TRACKERS = [
  [1, 1],
  [20, 1],
  [20, 3],
] as const;
/**
 * Loads: requests a month, the share of `/v1`, and the isolates that serve it, of which there are more under more load.
 */
const LOADS = [
  [100e6, 0, 0],
  [100e6, 0.4, 0.6],
  [1e9, 0.4, 0.85],
  [10e9, 0.4, 0.95],
] as const;

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const rounded = (value: number): string => count(Number(value.toPrecision(2)));
const dollars = (value: number): string => `$${count(value)}`;
const cents = (value: number): string =>
  Math.abs(value - Math.round(value)) < 0.005 ? dollars(value) : `$${value.toFixed(2)}`;
const percent = (value: number): string => `${Math.round(value * 100)} %`;
const UNITS = [
  ["request", "workerRequests"],
  ["millisecond of processor time", "workerMilliseconds"],
  ["object call", "objectCalls"],
  ["GB-second of an object", "objectGbSeconds"],
  ["row written", "rowsWritten"],
  ["data point", "dataPoints"],
] as const;

/** Writes a table with padded columns, as the formatter requires. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const [first, ...others] = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [first ?? [], rule, ...others].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const CALLS_PER_REQUEST = CALLS.limiter + ASSUMED.chainFigures * CALLS.renewal;
/** Requests a day after which the free plan's object calls are used up. */
export const FREE_REQUESTS = count(FREE_DAY.objectCalls / CALLS_PER_REQUEST);

/** Cost of trackers in one region, if no tracker gets a copy that another's request has renewed. */
function trackerRow(trackers: number, figures: number): string[] {
  const requestsPerDay = POLLS_PER_DAY * trackers * figures;
  const use = useOfDay({ requestsPerDay, nodeShare: 0, hits: 0, regions: 1, dataCentres: requestsPerDay });
  const isFree = (Object.keys(FREE_DAY) as (keyof typeof FREE_DAY)[]).every((name) => use[name] <= FREE_DAY[name]);
  return [
    count(trackers),
    count(figures),
    count(use.requests),
    rounded(use.objectCalls),
    rounded(use.rowsWritten),
    `${rounded(use.objectGbSeconds)} GB-s`,
    isFree ? "$0" : "too small",
    cents(totalOf(monthOf(use))),
  ];
}

function loadRow([requests, nodeShare, hits]: (typeof LOADS)[number]) {
  const { regions, dataCentres } = ASSUMED;
  const month = monthOf(useOfDay({ requestsPerDay: requests / MONTH_DAYS, nodeShare, hits, regions, dataCentres }));
  const [workers, total] = [month.workerRequests + month.workerMilliseconds, totalOf(month)];
  const lines = [workers, month.objectCalls, month.objectGbSeconds, month.rowsWritten, month.dataPoints];
  const mix = nodeShare === 0 ? "`/api`" : `\`/v1\` ${percent(nodeShare)}`;
  const cells = [
    count(requests),
    mix,
    dollars(total),
    `$${((total / requests) * 1e6).toFixed(2)}`,
    ...lines.map(dollars),
  ];
  return { cells, workers: workers / total, calls: month.objectCalls / total };
}

/** Range of a request's processor time in milliseconds, as the benchmark has measured it. */
export function measuredMilliseconds(results: string): readonly [number, number] {
  const rows = results.matchAll(
    /^\| (?:a (?:committed|tip) read of 2 KB, hit|`\/api\/circulating-supply`) \| (\d+) µs /gm,
  );
  const measured = [...rows].map(([, microseconds]) => Number(microseconds) / 1_000);
  return [Math.min(...measured), Math.max(...measured)];
}

/** Writes the text of docs/cost.md from the text of bench/results.md. */
export function costDocument(results: string): string {
  const [least, largest] = measuredMilliseconds(results);
  const loads = LOADS.map(loadRow);
  const [billion, most] = loads.slice(-2) as [(typeof loads)[number], (typeof loads)[number]];
  const { dataPoints, logs } = unsampled(10e9);
  const free = FREE_DAY;
  return `# Cost

This page gives list prices for a month of ${MONTH_DAYS} days, in force from 2026-12-01. Most operators pay nothing, or $5. \`node bench/cost.ts\` prints the page: it computes every number from the prices and from counted calls.

## Trackers

A tracker that asks for one figure once a minute makes ${count(POLLS_PER_DAY)} requests a day. The table assumes that ${percent(ASSUMED.chainFigures)} of them read a figure of the chain.

${table(
  [
    "trackers",
    "figures each",
    "requests a day",
    "object calls",
    "limiter rows",
    "object duration",
    "free plan",
    "paid plan",
  ],
  [
    ...TRACKERS.map(([trackers, figures]) => trackerRow(trackers, figures)),
    [
      "free plan",
      "",
      ...[free.requests, free.objectCalls, free.rowsWritten].map(count),
      `${count(free.objectGbSeconds)} GB-s`,
      "",
      "",
    ],
  ],
)}

- **Object calls run out first.** Every request calls the limiter object once. A figure of the chain that is asked for once a minute takes ${CALLS.renewal} further calls, so the average is ${CALLS_PER_REQUEST}. At that mix the free plan's ${count(free.objectCalls)} calls are used up after ${FREE_REQUESTS} requests a day. [Free plan](operations.md#free-plan) says what happens then.
- **Duration grows faster than requests.** An object sleeps between lone requests. Two requests within a second keep it awake until that second ends.

## Larger loads, on the paid plan

${table(
  [
    "requests a month",
    "mix",
    "total",
    "per million",
    "Workers",
    "object calls",
    "object duration",
    "rows",
    "data points",
  ],
  loads.map(({ cells }) => cells),
)}

The total includes the plan's $5. The prices behind it:

${table(
  ["unit", "dollars a million", "included each month"],
  UNITS.map(([unit, name]) => [unit, PRICES[name].dollars.toFixed(2), `${PRICES[name].included / 1e6} million`]),
)}

- **Assumed traffic.** It comes from ${ASSUMED.regions} regions of ${ASSUMED.dataCentres} data centres. Each region has half the traffic of the next larger one. Isolates answer ${LOADS.slice(
    1,
  )
    .map(([, , hits]) => percent(hits))
    .join(", ")} of \`/v1\` in the last three rows.
- **Assumed objects.** A region has one limiter object per policy for each ${ASSUMED.requestsPerShard} requests a second. A node answers within ${ASSUMED.nodeSeconds} s.
- **Assumed processor time.** A request takes ${ASSUMED.cpuMs} ms; the [benchmark](../bench/results.md) measures ${least.toFixed(2)} to ${largest.toFixed(2)} ms.

## What costs most

- **An object that stays awake** costs about ${dollars(AWAKE_DOLLARS)} a month. Raise \`LIMITER_SHARDS\` only when a region exceeds ${ASSUMED.requestsPerShard} requests a second.
- **A billion requests and more.** The Worker's fee is ${percent(billion.workers)} to ${percent(most.workers)} of the bill. The object calls are ${percent(billion.calls)}: an exact limit takes one call for each request.
- **Floods.** A refused request costs the Worker's fee. A request that the zone's rule blocks costs nothing ([Zone](operations.md#zone)).
- **Observability.** At ten billion requests, a data point for each would cost ${dollars(dataPoints)}, and a log line for each ${dollars(logs)}. So \`METRICS_SAMPLE_RATE\` records one request in a hundred, and ordinary requests are not logged.
`;
}

if (import.meta.main) process.stdout.write(costDocument(readFileSync(join(import.meta.dirname, "results.md"), "utf8")));
